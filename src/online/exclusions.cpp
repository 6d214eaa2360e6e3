#include "online/exclusions.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "leitong/utf8.hpp"
#include "similarity/passages.hpp"

namespace leitong::online {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t kLongestQuotation = 6000;  // bytes; a mark that is not closed excludes nothing

struct QuotationMarks {
  std::string_view open, close;
};
constexpr std::array<QuotationMarks, 6> kQuotes = {
    {{"“", "”"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"„", "“"}, {"\"", "\""}}};
// How the note of a source begins.
constexpr std::array<std::string_view, 7> kNotes = {"(", "（", "[", "［", "〔", "【", "https://"};
constexpr std::array<std::string_view, 12> kHeadings = {"参考文献",
                                                        "參考文獻",
                                                        "参考资料",
                                                        "參考資料",
                                                        "引用文献",
                                                        "引用文獻",
                                                        "references",
                                                        "bibliography",
                                                        "works cited",
                                                        "literature",
                                                        "literaturverzeichnis",
                                                        "sources"};

/// The text of so many characters from a byte on, or before it.
std::string_view characters_from(std::string_view text, std::size_t at, std::size_t count) {
  std::size_t end = at;
  for (; end < text.size() && count > 0; --count)
    for (++end; end < text.size() && continues_code_point(text[end]); ++end) {
    }
  return text.substr(at, end - at);
}
std::string_view characters_before(std::string_view text, std::size_t at, std::size_t count) {
  std::size_t begin = at;
  for (; begin > 0 && count > 0; --count)
    for (--begin; begin > 0 && continues_code_point(text[begin]); --begin) {
    }
  return text.substr(begin, at - begin);
}

/// A circled or raised number: ①..⑳, ¹ ² ³, ⁴..⁹.
bool is_note_number(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u; };
  if (byte(0) == 0xE2 && byte(1) == 0x91 && byte(2) >= 0xA0 && byte(2) <= 0xB3) return true;
  if (byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xB4 && byte(2) <= 0xB9) return true;
  return byte(0) == 0xC2 && (byte(1) == 0xB9 || byte(1) == 0xB2 || byte(1) == 0xB3);
}

bool has_source(std::string_view text, std::size_t open, std::size_t end) {
  const std::string_view behind = characters_from(text, end, Exclusions::kNear);
  for (std::size_t i = 0; i < behind.size(); ++i) {
    if (behind[i] == '\n') break;  // a note in the next paragraph belongs to that paragraph
    const std::string_view rest = behind.substr(i);
    if (is_note_number(rest) ||
        std::ranges::any_of(kNotes, [&](std::string_view note) { return rest.starts_with(note); }))
      return true;
  }
  const std::string_view before = characters_before(text, open, Exclusions::kNear);
  return before.substr(before.rfind('\n') + 1).find("》") != npos;
}

using Exclude = std::pair<std::size_t, std::size_t>;  // a range of bytes

void find_quotations(std::string_view text, std::vector<Exclude>& out) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto marks = std::ranges::find_if(
        kQuotes, [&](const QuotationMarks& m) { return text.substr(at).starts_with(m.open); });
    if (marks == kQuotes.end()) continue;
    const std::size_t begin = at + marks->open.size();
    const std::size_t close =
        text.substr(0, std::min(text.size(), begin + kLongestQuotation)).find(marks->close, begin);
    if (close == npos) continue;
    const std::size_t end = close + marks->close.size();
    if (has_source(text, at, end)) out.emplace_back(begin, close);
    at = end - 1;
  }
}

/// A line without its number, colons and white space, in lower case.
std::string heading_of(std::string_view line) {
  constexpr std::string_view kAround = " \t\r0123456789.:#*_-";
  std::string heading;
  for (const char c : line) heading += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const std::string_view wide : {"：", "、", "　", "．", "【", "】", "[", "]"})
    for (std::size_t at; (at = heading.find(wide)) != npos;) heading.erase(at, wide.size());
  constexpr std::array<std::string_view, 10> kNumerals = {"一", "二", "三", "四", "五",
                                                          "六", "七", "八", "九", "十"};
  heading.erase(0, std::min(heading.find_first_not_of(kAround), heading.size()));
  while (std::ranges::any_of(kNumerals, [&](std::string_view n) { return heading.starts_with(n); }))
    heading.erase(0, kNumerals[0].size());
  heading.erase(heading.find_last_not_of(kAround) + 1);
  return heading;
}

void find_bibliography(std::string_view text, std::vector<Exclude>& out) {
  for (std::size_t begin = text.find('\n', text.size() / 2); begin != npos && begin + 1 < text.size();) {
    const std::size_t end = std::min(text.find('\n', ++begin), text.size());
    if (std::ranges::find(kHeadings, heading_of(text.substr(begin, end - begin))) != kHeadings.end())
      return void(out.emplace_back(begin, text.size()));
    begin = end;
  }
}

/// White space of the same number of bytes.
std::string_view white_of(std::size_t bytes) {
  constexpr std::array<std::string_view, 4> kWhite = {"", " ", "\xC2\xA0", "\xE3\x80\x80"};
  return bytes < kWhite.size() ? kWhite[bytes] : std::string_view();
}

}  // namespace

Result<Exclusions> exclusions_of(const Wanted& wanted) {
  Exclusions exclusions;
  for (const std::string_view name : wanted.exclude) {
    if (name == "quotations")
      exclusions.quotations = true;
    else if (name == "bibliography")
      exclusions.bibliography = true;
    else if (name == "same_source")
      exclusions.same_source = true;
    else
      return fail(ErrorCode::invalid_argument,
                  "what is excluded is named quotations, bibliography or same_source", "exclude");
  }
  return exclusions;
}

Result<std::string> without_excluded(const Text& of, const Exclusions& exclusions) {
  const std::string_view text = of.text;
  std::string counted(text);
  if (!is_utf8(of.base)) return fail(ErrorCode::corrupt, "the base is not valid UTF-8", "base");
  if (!is_utf8(text)) return counted;
  std::vector<Exclude> out;
  if (exclusions.quotations) find_quotations(text, out);
  if (exclusions.bibliography) find_bibliography(text, out);
  if (!of.base.empty())
    for (const Passage& passage : shared_passages(text, of.base).passages)
      out.emplace_back(passage.a.begin, passage.a.end);
  for (const auto& [from, to] : out)
    for (std::size_t at = from; at < to;) {
      std::size_t end = at + 1;
      while (end < to && continues_code_point(text[end])) ++end;
      if (text[at] != '\n')
        std::ranges::copy(white_of(end - at), counted.begin() + static_cast<std::ptrdiff_t>(at));
      at = end;
    }
  return counted;
}

void leave_own_source_out(std::span<const Text> texts, std::span<Answer> answers) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Answer& answer = answers[i];
    if (!texts[i].source.empty())
      std::erase_if(answer.parts, [&](const SharedPart& part) { return part.source == texts[i].source; });
    if (answer.verdict == Verdict::parts && answer.parts.empty()) answer.verdict = Verdict::fresh;
  }
}

}  // namespace leitong::online
