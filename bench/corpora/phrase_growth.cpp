// How the phrases of a text grow with it (Heaps' law): what generated corpora are fitted to.
//
//   phrase_growth TEXT [TRUTH.tsv]   ->  TSV on stdout
//
// TEXT is one document a line, taken in random order, or with TRUTH what make_corpus wrote, taken in its
// order without the copies that TRUTH names. Rows double in size: characters, the exponent b of distinct
// phrases ~ characters^b between half of these and all, and the part of the phrases that occurs more than
// once. Phrases are runs of 6 letters, digits and Han characters.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/hash.hpp"
#include "corpora/markov_text.hpp"

namespace leitong::bench {
namespace {

constexpr std::size_t kRun = 6, kFirstRow = 350'000;

std::vector<Text> read_documents(const char* path, const std::unordered_set<std::string>& copies) {
  std::vector<Text> documents;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    std::string_view text = line;
    constexpr std::string_view kId = "{\"id\":\"", kText = "\",\"text\":\"";
    if (text.starts_with(kId)) {
      const std::size_t at = text.find(kText);
      if (copies.contains(std::string(text.substr(kId.size(), at - kId.size())))) continue;
      text = text.substr(at + kText.size());
    }
    Text characters = decode_for_model(text);
    std::erase_if(characters, [](std::uint32_t c) { return c == ' ' || (c >= 0x80 && c <= kFullStop); });
    documents.push_back(std::move(characters));
  }
  return documents;
}

std::unordered_set<std::string> read_copies(const char* path) {
  std::unordered_set<std::string> copies;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) copies.insert(line.substr(0, line.find('\t')));
  return copies;
}

void print_rows(const Text& text) {
  std::vector<std::uint64_t> phrases;
  for (std::size_t i = 0; i + kRun <= text.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < kRun; ++k) hash = mix64(hash + text[i + k]);
    phrases.push_back(hash);
  }
  std::puts("characters\tb\trepeated");
  double before = 0;
  for (std::size_t size = kFirstRow; size <= phrases.size(); size *= 2) {
    std::vector<std::uint64_t> sorted(phrases.begin(), phrases.begin() + static_cast<std::ptrdiff_t>(size));
    std::sort(sorted.begin(), sorted.end());
    std::size_t distinct = 0, single = 0;
    for (std::size_t i = 0, j = 0; i < size; i = j) {
      while (j < size && sorted[j] == sorted[i]) ++j;
      ++distinct;
      single += j - i == 1;
    }
    const auto now = static_cast<double>(distinct);
    if (before > 0)
      std::printf("%zu\t%.3f\t%.3f\n", size, std::log2(now / before),
                  1 - static_cast<double>(single) / static_cast<double>(size));
    before = now;
  }
}

}  // namespace
}  // namespace leitong::bench

int main(int argc, char** argv) {
  using namespace leitong::bench;
  if (argc != 2 && argc != 3) {
    std::fputs("usage: phrase_growth TEXT [TRUTH.tsv]\n", stderr);
    return 2;
  }
  std::vector<Text> documents =
      read_documents(argv[1], argc == 3 ? read_copies(argv[2]) : std::unordered_set<std::string>());
  Random random(1);
  for (std::size_t i = argc == 3 ? 0 : documents.size(); i > 1; --i)
    std::swap(documents[i - 1], documents[random.below(static_cast<std::uint32_t>(i))]);
  Text text;
  for (const Text& document : documents) text.insert(text.end(), document.begin(), document.end());
  print_rows(text);
  return 0;
}
