#include "text/phrases.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "io/read_file.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

std::string_view phrase_key(std::string_view text) {
  return text.empty() ? text : text.substr(0, decode_utf8(text, 0).length);
}

std::string_view without_outer_white(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \r"), text.size());
  return text.substr(begin, text.find_last_not_of(" \r") + 1 - begin);
}

}  // namespace

Result<Phrases> Phrases::read(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const std::string bytes, read_whole_file(path));
  return parse(bytes, path.string());
}

Result<Phrases> Phrases::parse(std::string_view bytes, std::string_view name) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  Phrases phrases;
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    const std::size_t feed = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, feed);
    bytes.remove_prefix(std::min(feed + 1, bytes.size()));
    if (without_outer_white(line).empty()) continue;
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string_view text = without_outer_white(line.substr(0, tab));
    const std::string_view tag = without_outer_white(line.substr(std::min(tab + 1, line.size())));
    if (!is_utf8(line)) return fail(ErrorCode::corrupt, fmt::format("{}:{}: invalid UTF-8", name, number));
    if (text.empty())
      return fail(ErrorCode::corrupt, fmt::format("{}:{}: there is no phrase before the tab", name, number));
    phrases.by_first_[std::string(phrase_key(text))].push_back({std::string(text), std::string(tag)});
  }
  for (auto& [first, list] : phrases.by_first_)
    std::ranges::stable_sort(list, std::ranges::greater(),
                             [](const Phrase& phrase) { return phrase.text.size(); });
  return phrases;
}

void Phrases::join(std::string_view utf8, PodVector<std::uint32_t>& starts) const {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < starts.size();) {
    const std::uint32_t begin = starts[i];
    starts[kept++] = begin;
    ++i;
    const std::string_view rest = utf8.substr(begin);
    const auto list = by_first_.find(phrase_key(rest));
    if (list == by_first_.end()) continue;
    for (const Phrase& phrase : list->second) {
      if (!rest.starts_with(phrase.text)) continue;
      const auto end = static_cast<std::uint32_t>(begin + phrase.text.size());
      const std::uint32_t* const next =
          std::lower_bound(starts.data() + i, starts.data() + starts.size(), end);
      const bool is_border = next == starts.data() + starts.size() ? end == utf8.size() : *next == end;
      if (!is_border) continue;
      i = static_cast<std::size_t>(next - starts.data());
      break;
    }
  }
  starts.resize_for_overwrite(kept);
}

std::string_view Phrases::tag(std::string_view phrase) const {
  const auto list = by_first_.find(phrase_key(phrase));
  if (list == by_first_.end()) return {};
  const auto found = std::ranges::find(list->second, phrase, &Phrase::text);
  return found == list->second.end() ? std::string_view() : std::string_view(found->tag);
}

}  // namespace leitong
