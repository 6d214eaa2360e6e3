#include "text/text_parts.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

bool is_one_of(char32_t c, std::u32string_view set) noexcept {
  return set.find(c) != std::u32string_view::npos;
}

constexpr std::u32string_view kWideStops = U"。！？｡…‥︒！？؟۔।॥։።";
bool is_wide_stop(char32_t c) noexcept { return is_one_of(c, kWideStops); }
bool is_ascii_stop(char32_t c) noexcept { return c == '.' || c == '!' || c == '?'; }
bool is_closer(char32_t c) noexcept { return is_one_of(c, U"\"'”’」』）)]】》〉〕﹂﹄»"); }
bool is_space(char32_t c) noexcept { return c == ' ' || c == '\t' || c == 0xA0 || c == 0x3000; }
bool is_line_end(char32_t c) noexcept { return c == '\n' || c == '\r'; }

/// The bytes with which line ends and stops begin: few bytes of a text are among them.
constexpr auto kMayEnd = [] {
  std::array<bool, 256> may{};
  for (const unsigned char c : std::string_view("\n\r.!?")) may[c] = true;
  for (const char32_t c : kWideStops) {
    std::array<char, 4> utf8{};
    encode_utf8(c, utf8.data());
    may[static_cast<unsigned char>(utf8[0])] = true;
  }
  return may;
}();

/// Divides one text after the other into sentences.
class SentenceSplitter {
 public:
  SentenceSplitter(std::string_view text, std::vector<ByteRange>& parts) : text_(text), parts_(parts) {}

  void split() {
    while (at_ < text_.size()) {
      skip([](char32_t c) { return is_space(c) || is_line_end(c); });
      close();
      for (;;) {
        while (at_ < text_.size() && !kMayEnd[static_cast<unsigned char>(text_[at_])]) ++at_;
        if (at_ == text_.size() || is_line_end(peek()) || ends_here()) break;
      }
      close();
    }
  }

 private:
  [[nodiscard]] char32_t peek() const noexcept { return decode_utf8(text_, at_).code_point; }
  void step() noexcept { at_ += decode_utf8(text_, at_).length; }
  template <class Is>
  void skip(Is is) noexcept {
    while (at_ < text_.size() && is(peek())) step();
  }
  void close() {
    if (at_ > begin_) parts_.push_back({begin_, at_});
    begin_ = at_;
  }

  /// Moves on by one character, or behind the end of the sentence if it is here.
  bool ends_here() noexcept {
    const char32_t c = peek();
    step();
    bool wide = is_wide_stop(c);
    if (!wide && !is_ascii_stop(c)) return false;
    skip([&](char32_t next) {
      wide = wide || is_wide_stop(next);
      return is_wide_stop(next) || is_ascii_stop(next);
    });
    skip(is_closer);
    // 3.14, leitong.org
    if (!wide && at_ < text_.size() && !is_space(peek()) && !is_line_end(peek())) return false;
    skip(is_space);
    // e.g. this
    return wide || at_ == text_.size() || text_[at_] < 'a' || text_[at_] > 'z';
  }

  std::string_view text_;
  std::vector<ByteRange>& parts_;
  std::size_t at_ = 0, begin_ = 0;
};

void split_lines(std::string_view text, std::vector<ByteRange>& parts) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t feed = text.find('\n', at);
    const std::size_t end = feed == std::string_view::npos ? text.size() : feed + 1;
    parts.push_back({at, end});
    at = end;
  }
}

/// A paragraph ends behind the blank lines that follow it.
void join_paragraphs(std::string_view text, std::vector<ByteRange>& lines) {
  std::size_t count = 0;
  bool blank_before = false;
  for (const ByteRange& line : lines) {
    const bool blank =
        text.substr(line.begin, line.size()).find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
    if (count == 0 || (blank_before && !blank))
      lines[count++] = line;
    else
      lines[count - 1].end = line.end;
    blank_before = blank;
  }
  lines.resize(count);
}

bool joins_back(char32_t c) noexcept {
  if (c < 0x300) return false;
  const int kind = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK);
  return kind == U_GCB_EXTEND || kind == U_GCB_SPACING_MARK || kind == U_GCB_ZWJ;
}

bool joins_on(char32_t c) noexcept {
  if (c < 0x300) return false;
  const int kind = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK);
  return kind == U_GCB_PREPEND || kind == U_GCB_ZWJ;
}

bool is_hangul(char32_t c) noexcept {
  return (c >= 0x1100 && c < 0x1200) || (c >= 0xA960 && c < 0xA980) || (c >= 0xAC00 && c < 0xD800);
}
bool is_hangul_letter(char32_t c) noexcept { return is_hangul(c) && (c < 0xAC00 || c > 0xD7A3); }
bool is_flag_half(char32_t c) noexcept { return c >= 0x1F1E6 && c <= 0x1F1FF; }

}  // namespace

void split_parts(std::string_view utf8, TextPart part, std::vector<ByteRange>& parts) {
  parts.clear();
  if (part == TextPart::sentence) return SentenceSplitter(utf8, parts).split();
  split_lines(utf8, parts);
  if (part == TextPart::paragraph) join_paragraphs(utf8, parts);
}

bool may_divide(std::string_view utf8, std::size_t at) noexcept {
  if (at == 0 || at >= utf8.size()) return true;
  if (continues_code_point(utf8[at])) return false;
  std::size_t last = at - 1;
  while (last > 0 && continues_code_point(utf8[last])) --last;
  const char32_t before = decode_utf8(utf8, last).code_point, behind = decode_utf8(utf8, at).code_point;
  if (before == '\r' && behind == '\n') return false;
  if (joins_back(behind) || joins_on(before)) return false;
  if (is_hangul(before) && is_hangul(behind)) return !is_hangul_letter(before) && !is_hangul_letter(behind);
  return !(is_flag_half(before) && is_flag_half(behind));
}

}  // namespace leitong
