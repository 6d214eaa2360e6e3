#include "feature/terms.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "base/utf8.hpp"

namespace leitong {
namespace {

constexpr std::size_t kLargeTable = 1 << 16;

std::uint64_t term_hash(std::string_view word) { return XXH3_64bits(word.data(), word.size()); }

/// At least two characters, one of them a letter or digit.
bool is_term(std::string_view word) {
  std::size_t at = decode_utf8(word, 0).length;
  if (at >= word.size()) return false;
  for (at = 0; at < word.size();) {
    const DecodedPoint point = decode_utf8(word, at);
    if (u_isalnum(static_cast<UChar32>(point.code_point))) return true;
    at += point.length;
  }
  return false;
}

tl::unexpected<Error> unreadable(const std::filesystem::path& path) {
  return fail(ErrorCode::not_found, fmt::format("{}: can't be read; ./dev setup fetches it", path.string()));
}

}  // namespace

Result<TermExtractor> TermExtractor::load(std::unique_ptr<const Segmenter> segmenter,
                                          const TermFiles& files) {
  TermExtractor terms;
  terms.segmenter_ = std::move(segmenter);

  std::ifstream idf(files.idf);
  if (!idf) return unreadable(files.idf);
  std::vector<float> values;
  std::string line;
  for (std::size_t number = 1; std::getline(idf, line); ++number) {
    if (line.empty()) continue;
    const std::size_t space = line.rfind(' ');
    float value = 0;
    const char* const end = line.data() + line.size();
    if (space == 0 || space == std::string::npos ||
        std::from_chars(line.data() + space + 1, end, value).ptr != end || !(value > 0))
      return fail(ErrorCode::corrupt, fmt::format("{}:{}: a line is \"word weight\" with a weight above 0",
                                                  files.idf.string(), number));
    terms.idf_[term_hash(std::string_view(line).substr(0, space))] = value;
    values.push_back(value);
  }
  if (values.empty()) return fail(ErrorCode::corrupt, fmt::format("{}: holds no words", files.idf.string()));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  terms.median_idf_ = *middle;

  std::ifstream stop_words(files.stop_words);
  if (!stop_words) return unreadable(files.stop_words);
  while (std::getline(stop_words, line)) terms.idf_[term_hash(line)] = 0;
  return terms;
}

void TermExtractor::top(std::string_view utf8, std::size_t count, TermScratch& scratch,
                        PodVector<Feature>& features) const {
  // Emptying a table costs its size: one long document must not slow all short ones after it.
  if (scratch.counts.bucket_count() > kLargeTable) scratch.counts = {};
  scratch.counts.clear();
  segmenter_->segment(utf8, [&](std::string_view word) {
    if (is_term(word)) ++scratch.counts[term_hash(word)];
  });

  features.clear();
  for (const auto& [hash, occurrences] : scratch.counts) {
    const auto found = idf_.find(hash);
    const float idf = found == idf_.end() ? median_idf_ : found->second;
    if (idf > 0) features.push_back({hash, static_cast<float>(occurrences) * idf});
  }
  const auto heavier = [](const Feature& a, const Feature& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
  };
  const std::size_t kept = std::min(count, features.size());
  std::partial_sort(features.begin(), features.begin() + kept, features.end(), heavier);
  features.resize_for_overwrite(kept);
}

}  // namespace leitong
