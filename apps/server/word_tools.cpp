#include "word_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "regular_file.hpp"

namespace leitong::server {

Result<IdfDictionary> IdfDictionary::read(const std::filesystem::path& file) {
  constexpr std::uint64_t kMostBytes = 256 << 20;
  SERVER_ASSIGN(RegularFile read, read_regular_file(file, "the IDF dictionary", kMostBytes));
  std::istringstream in(std::move(read.bytes));
  IdfDictionary dictionary;
  std::vector<double> values;
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    const std::size_t space = line.find_last_of(" \t");
    double idf = 0;
    const char* const end = line.data() + line.size();
    if (space == std::string::npos || space == 0 ||
        std::from_chars(line.data() + space + 1, end, idf).ptr != end || !std::isfinite(idf))
      return fail(ErrorCode::corrupt, fmt::format("{}:{}: is not \"word idf\"", file.string(), number));
    dictionary.idf_.insert_or_assign(line.substr(0, space), idf);
  }
  if (dictionary.idf_.empty())
    return fail(ErrorCode::corrupt, fmt::format("{}: holds no word", file.string()));
  values.reserve(dictionary.idf_.size());
  for (const auto& [word, idf] : dictionary.idf_) values.push_back(idf);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  dictionary.median_ = *middle;
  return dictionary;
}

double IdfDictionary::of(std::string_view word) const {
  const auto found = idf_.find(word);
  return found == idf_.end() ? median_ : found->second;
}

Result<void> WordTools::open_named() {
  for (const auto& [name, path] : paths_) {
    SERVER_ASSIGN(IdfDictionary dictionary, IdfDictionary::read(path));
    idf_.insert_or_assign(name, std::move(dictionary));
  }
  const bool named =
      !words_.model.empty() || !words_.user.empty() || !words_.idf.empty() || !words_.stop_words.empty();
  if (named) SERVER_TRY(segmenter());
  return {};
}

Result<Segmenter> WordTools::segmenter() {
  const std::scoped_lock lock(mutex_);
  if (!segmenter_) {
    std::vector<std::filesystem::path> named = words_.user;
    named.insert(named.end(), {words_.model, words_.idf, words_.stop_words});
    for (const std::filesystem::path& path : named)
      if (!path.empty()) SERVER_TRY(check_regular_file(path, "the dictionary"));
    SERVER_ASSIGN(segmenter_, Segmenter::open(context_, words_));
  }
  return *segmenter_;
}

Outcome<const IdfDictionary*> WordTools::idf(std::optional<std::string_view> name) const {
  const auto found = name ? idf_.find(*name) : idf_.size() == 1 ? idf_.begin() : idf_.end();
  if (found != idf_.end()) return &found->second;
  std::vector<std::string_view> names;
  names.reserve(idf_.size());
  for (const auto& [each, dictionary] : idf_) names.push_back(each);
  if (names.empty())
    return problem(404, "the configuration of the server names no IDF dictionary; its section [idf] does");
  return problem(404, fmt::format("\"idf\" is one of: {}", fmt::join(names, ", ")));
}

Result<Signer> WordTools::signer(const std::string& method, const std::vector<std::string>& params) {
  const std::string key = fmt::format("{}\n{}", method, fmt::join(params, "\n"));
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(signers_, key, [](const auto& signer) { return signer.first; });
  if (found != signers_.end()) {
    std::rotate(found, found + 1, signers_.end());
    return signers_.back().second;
  }
  const SignSettings settings{.method = method, .params = params};
  auto signer = Signer::open(context_, settings);
  if (!signer) return signer;
  if (signers_.size() == kMostSigners) signers_.erase(signers_.begin());
  signers_.emplace_back(key, *signer);
  return signer;
}

}  // namespace leitong::server
