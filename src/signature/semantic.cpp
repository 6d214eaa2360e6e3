#include "signature/semantic.hpp"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "feature/term_hash.hpp"

namespace leitong {
namespace {

constexpr unsigned kProjections = 16;
constexpr std::size_t kMostDimensions = 4096;

std::uint64_t word_id(std::string_view word) { return term_hash(TermHash::xxh3, word); }

/// A standard normal value, by Box and Muller 1958.
double gaussian(std::uint64_t key) {
  const std::uint64_t first = mix64(key), second = mix64(first ^ 0x9e3779b97f4a7c15ULL);
  const double u = (static_cast<double>(first >> 11) + .5) * 0x1p-53;
  const double v = static_cast<double>(second >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

tl::unexpected<Error> corrupt(const std::filesystem::path& path, std::size_t line, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}:{}: {}", path.string(), line, what));
}
tl::unexpected<Error> unreadable(const std::filesystem::path& path) {
  return fail(ErrorCode::not_found, fmt::format("{}: can't be read", path.string()));
}

std::uint64_t code_of(const std::vector<float>& vector) {
  std::uint64_t code = 0;
  for (unsigned bit = 0; bit < kProjections; ++bit) {
    double sum = 0;
    for (std::size_t i = 0; i < vector.size(); ++i)
      sum += double{vector[i]} * gaussian(std::uint64_t{bit} << 32 | i);
    code |= std::uint64_t{sum > 0} << bit;
  }
  return code;
}

/// "Aa01A01=": letters and digits, then "=", "#" or "@".
bool is_cilin_code(std::string_view field) {
  if (field.size() < 2) return false;
  const char kind = field.back();
  return kind == '=' || kind == '#' || kind == '@';
}

}  // namespace

Result<Thesaurus> Thesaurus::load(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line);
  std::size_t words = 0, dimensions = 0;
  return fields >> words >> dimensions ? read_vectors(path) : read(path);
}

Result<Thesaurus> Thesaurus::read(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return unreadable(path);
  Thesaurus thesaurus;
  std::string line;
  std::size_t lines = 0;
  while (std::getline(file, line)) {
    const std::size_t number = ++lines;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (const std::size_t tab = line.find('\t'); tab != std::string::npos) {
      if (tab == 0 || tab + 1 == line.size())
        return corrupt(path, number, "a line is a word, a tab and a group");
      thesaurus.groups_.emplace(word_id(std::string_view(line).substr(0, tab)),
                                word_id(std::string_view(line).substr(tab + 1)));
      continue;
    }
    std::istringstream fields(line);
    std::string code, word;
    if (!(fields >> code) || !is_cilin_code(code))
      return corrupt(path, number,
                     "a line is a code that ends in =, # or @ and its words, or a word, a tab and a group");
    // In Cilin, "#" marks words that are related without meaning the same, and "@" a word that is alone.
    if (code.back() != '=') continue;
    while (fields >> word) thesaurus.groups_.emplace(word_id(word), word_id(code));
  }
  if (file.bad())
    return fail(ErrorCode::io, fmt::format("{}: reading failed after line {}", path.string(), lines));
  if (thesaurus.groups_.empty()) return corrupt(path, 1, "there are no words in groups");
  return thesaurus;
}

Result<Thesaurus> Thesaurus::read_vectors(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path);
  std::string header;
  std::getline(file, header);
  std::istringstream numbers(header);
  std::size_t words = 0, dimensions = 0;
  if (!(numbers >> words >> dimensions) || dimensions == 0 || dimensions > kMostDimensions)
    return corrupt(
        path, 1,
        fmt::format("the first line is the number of words and of dimensions (at most {})", kMostDimensions));
  // After the first word, a text file continues with digits; in a binary file four bytes that all look like
  // these do not occur.
  Thesaurus thesaurus;
  std::vector<float> vector(dimensions);
  std::optional<bool> binary;
  for (std::size_t number = 0; number < words; ++number) {
    std::string word;
    if (!(file >> word)) return corrupt(path, number + 2, fmt::format("{} words are promised", words));
    file.get();
    if (!binary) {
      const auto here = file.tellg();
      std::array<char, 4> ahead{};
      file.read(ahead.data(), ahead.size());
      binary = std::string_view(ahead.data(), ahead.size()).find_first_not_of("0123456789.-+eE \n") !=
               std::string_view::npos;
      file.clear();
      file.seekg(here);
    }
    if (*binary) {
      file.read(reinterpret_cast<char*>(vector.data()), static_cast<std::streamsize>(4 * dimensions));
    } else {
      for (float& value : vector) file >> value;
    }
    if (!file) return corrupt(path, number + 2, fmt::format("{} numbers are expected", dimensions));
    thesaurus.groups_.emplace(word_id(word), code_of(vector));
  }
  if (thesaurus.groups_.empty()) return corrupt(path, 1, "there are no words");
  return thesaurus;
}

std::optional<std::uint64_t> Thesaurus::group(std::uint64_t word) const noexcept {
  const auto found = groups_.find(word);
  return found == groups_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t Thesaurus::content_id() const noexcept {
  std::uint64_t sum = mix64(groups_.size());  // a sum, since a hash table has no order
  for (const auto& [word, group] : groups_) sum += mix64(mix64(word) ^ group);
  return sum;
}

std::uint64_t semantic_signature(std::uint64_t word, std::uint64_t group, double alpha,
                                 double beta) noexcept {
  std::uint64_t signature = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const double sum = alpha * gaussian(mix64(group ^ 0x1000193) + bit) + beta * gaussian(mix64(word) + bit);
    signature |= std::uint64_t{sum > 0} << bit;
  }
  return signature;
}

}  // namespace leitong
