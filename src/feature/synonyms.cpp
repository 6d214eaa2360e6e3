#include "feature/synonyms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "io/read_file.hpp"
#include "leitong/utf8.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Row {
  std::string_view word, canonical;
};

/// Parses a word and its canonical word; returns nothing for an empty line.
Result<Row> parse(std::string_view line, const std::string& place) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return Row{};
  const std::size_t tab = line.find('\t');
  if (tab == 0 || tab == std::string_view::npos || tab + 1 == line.size() ||
      line.find('\t', tab + 1) != std::string_view::npos)
    return fail(ErrorCode::corrupt, fmt::format("{}: a line is a word, a tab and its canonical word; write "
                                                "it so or leave it out",
                                                place));
  if (!is_utf8(line))
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the line is not valid UTF-8; convert the file to UTF-8", place));
  return Row{line.substr(0, tab), line.substr(tab + 1)};
}

}  // namespace

std::size_t Synonyms::Hash::operator()(std::string_view word) const noexcept { return word_hash(word); }

Result<Synonyms> Synonyms::read(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const std::string bytes, read_whole_file(path));
  Synonyms synonyms;
  std::map<std::string_view, std::size_t> line_of;  // line of each word that is replaced
  // For each canonical word: word, line.
  std::map<std::string_view, std::pair<std::string_view, std::size_t>> replaces;
  std::string_view rest = bytes;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string place = fmt::format("{}:{}", path.string(), number);
    LEITONG_ASSIGN(const Row row, parse(line, place));
    if (row.word == row.canonical) continue;  // lists of whole groups contain the canonical word as well
    if (const auto [first, is_new] = line_of.emplace(row.word, number); !is_new) {
      const std::string& before = synonyms.canonical_.find(row.word)->second;
      if (before == row.canonical) continue;
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: \"{}\" is to become \"{}\", and \"{}\" by line {}; leave one out", place,
                              row.word, row.canonical, before, first->second));
    }
    replaces.emplace(row.canonical, std::pair(row.word, number));
    synonyms.canonical_.emplace(row.word, row.canonical);
  }
  // The error names the later of the two lines, whichever is first in the file.
  for (const auto& [canonical, by] : replaces) {
    const auto found = line_of.find(canonical);
    if (found == line_of.end()) continue;
    const std::string& last = synonyms.canonical_.find(canonical)->second;
    return fail(
        ErrorCode::corrupt,
        fmt::format("{}:{}: \"{}\" becomes \"{}\", and line {} replaces \"{}\" by \"{}\"; a canonical "
                    "word stays as it is: write \"{}\" here too, or leave one line out",
                    path.string(), by.second, by.first, canonical, found->second, canonical, last, last));
  }
  if (synonyms.canonical_.empty())
    return fail(
        ErrorCode::corrupt,
        fmt::format("{}: replaces no word; a line is a word, a tab and its canonical word", path.string()));
  return synonyms;
}

std::uint64_t Synonyms::content_id() const noexcept {
  std::uint64_t sum = mix64(canonical_.size());  // a sum, since the table has no order
  for (const auto& [word, canonical] : canonical_)
    sum += mix64(mix64(word_hash(word)) ^ word_hash(canonical));
  return sum;
}

}  // namespace leitong
