#include "text/masked_numbers.hpp"

#include <unicode/uchar.h>

#include <cstddef>
#include <cstdint>

#include "text/units_kernel.hpp"

namespace leitong {
namespace {

enum class NumberPart : std::uint8_t { digit, point, sign, opening, dropped, other };

NumberPart part_of(char32_t c) {
  if (c >= U'0' && c <= U'9') return NumberPart::digit;
  switch (c) {
    case U'.':
    case U',':
    case 0x66B:  // Arabic decimal and thousands separators
    case 0x66C:
    case 0xFF0C:  // full-width forms
    case 0xFF0E:
      return NumberPart::point;
    case U'+':
    case U'-':
    case 0x2212:
    case 0xFF0B:
    case 0xFF0D:
      return NumberPart::sign;
    case U'(':
    case U'[':
    case U'{':
    case U'=':
    case U':':
    case 0xFF08:
    case 0xFF1A:
    case 0xFF1D:
      return NumberPart::opening;
    default:
      break;
  }
  if (c < 0x80) return c <= U' ' ? NumberPart::opening : NumberPart::other;
  const std::uint32_t entry = entry_of(fold_table(), c), value = entry & kFoldValue;
  switch (fold_class(entry)) {
    case FoldClass::letter:
      return value >= U'0' && value <= U'9' ? NumberPart::digit : NumberPart::other;
    case FoldClass::dropped:
      return NumberPart::dropped;
    case FoldClass::separator:
      return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0 ? NumberPart::opening : NumberPart::other;
    default:
      return NumberPart::other;
  }
}

/// The characters of a text, one by one.
class Characters {
 public:
  explicit Characters(std::string_view utf8)
      : text_(reinterpret_cast<const std::uint8_t*>(utf8.data())), size_(utf8.size()) {}

  [[nodiscard]] bool has(std::size_t at) const { return at < size_; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return at + character_length(text_[at]); }
  [[nodiscard]] NumberPart part(std::size_t at) const { return part_of(decode(text_ + at)); }
  /// The place of the first character that is not dropped.
  [[nodiscard]] std::size_t seen(std::size_t at) const {
    while (has(at) && part(at) == NumberPart::dropped) at = next(at);
    return at;
  }
  [[nodiscard]] bool is(NumberPart part_wanted, std::size_t at) const {
    return has(at) && part(at) == part_wanted;
  }
  /// The end of the number whose first digit is at `at`.
  [[nodiscard]] std::size_t number_end(std::size_t at) const {
    std::size_t end = next(at);
    for (;;) {
      std::size_t further = seen(end);
      if (is(NumberPart::point, further)) further = seen(next(further));
      if (!is(NumberPart::digit, further)) return end;
      end = next(further);
    }
  }

 private:
  const std::uint8_t* text_;
  std::size_t size_;
};

}  // namespace

void mask_numbers(std::string_view utf8, RewrittenText& masked) {
  masked.begin(utf8);
  const Characters characters(utf8);
  NumberPart before = NumberPart::opening;  // the part before a sign that belongs to a number
  for (std::size_t at = 0; characters.has(at);) {
    const NumberPart part = characters.part(at);
    std::size_t digit = at;
    if (part == NumberPart::sign && before == NumberPart::opening)
      digit = characters.seen(characters.next(at));
    if (!characters.is(NumberPart::digit, digit)) {
      if (part != NumberPart::dropped) before = part;
      at = characters.next(at);
      continue;
    }
    const std::size_t end = characters.number_end(digit);
    masked.replace({at, end}, "0");
    before = NumberPart::digit;
    at = end;
  }
  masked.end();
}

}  // namespace leitong
