#include "text/signs.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "base/hash.hpp"
#include "base/packing.hpp"
#include "text/compared_text.hpp"
#include "text/normalise.hpp"
#include "text/units_kernel.hpp"

namespace leitong {
namespace {

/// The kind of a neighbour of a sign; white space and marks are skipped.
enum class Kind : std::uint8_t { none, letter, ideograph, digit, sign };
struct Neighbour {
  Kind kind = Kind::none;
  char32_t sign = 0;
  bool is_text = true;  // for a sign before; a sign after counts as text

  [[nodiscard]] bool is(char32_t c) const noexcept { return kind == Kind::sign && sign == c; }
  [[nodiscard]] bool is_one_of(std::u32string_view signs) const noexcept {
    return kind == Kind::sign && signs.find(sign) != signs.npos;
  }
  [[nodiscard]] bool is_letter() const noexcept { return kind == Kind::letter || kind == Kind::ideograph; }
  [[nodiscard]] bool is_word() const noexcept { return is_letter() || kind == Kind::digit; }
};

/// Whether white space is on either side of a sign.
struct Spaced {
  bool before = false, behind = false;
};

// At least so many equal signs in a row are a rule or an ornament.
constexpr std::size_t kRule = 4;

const icu::Normalizer2& nfkc_normalizer() {
  static const icu::Normalizer2* const instance = [] {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* const form = icu::Normalizer2::getNFKCInstance(error);
    // ICU's data is part of its library, so only memory can be missing.
    if (U_FAILURE(error)) throw std::bad_alloc();
    return form;
  }();
  return *instance;
}

icu::UnicodeString normal_form(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  icu::UnicodeString form = nfkc_normalizer().normalize(icu::UnicodeString(static_cast<UChar32>(c)), error);
  if (U_FAILURE(error)) throw std::bad_alloc();
  return form;
}

bool is_em_dash(char32_t c) { return c == 0x2014 || c == 0x2015 || c >= 0x2E3A; }

/// One sign for all its forms: widths, dashes, decimal points.
char32_t plain_sign(char32_t c) {
  if (c < 0x80) return c;
  if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFEE0;
  switch (c) {
    case 0x2212:  // minus
      return U'-';
    case 0x301C:  // wave dash
      return U'~';
    case 0x66A:  // Arabic percent sign, decimal and thousands separators
      return U'%';
    case 0x66B:
      return U'.';
    case 0x66C:
      return U',';
    default:
      break;
  }
  const auto category = u_charType(static_cast<UChar32>(c));
  if (category == U_DASH_PUNCTUATION) return U'-';
  if (category == U_OTHER_PUNCTUATION) return c;
  const icu::UnicodeString form = normal_form(c);
  return form.countChar32() == 1 ? static_cast<char32_t>(form.char32At(0)) : c;
}

bool is_arrow(char32_t c) { return c >= 0x2190 && c <= 0x21FF; }

/// True for some symbols that are neither mathematical nor currency: ornaments, and signs of ownership such
/// as the copyright sign.
bool is_ornament(char32_t c) {
  if (c == 0xA9 || c == 0xAE || c == 0xFFFD || c == 0x2605 || c == 0x2606) return true;
  if (c >= 0x2500 && c <= 0x25FF) return true;  // lines, blocks, geometric shapes
  const bool is_tick = c == 0x2705 || c == 0x274C || (c >= 0x2713 && c <= 0x2718);
  return c >= 0x2700 && c <= 0x27BF && !is_tick;
}

constexpr std::u32string_view kOperators = U"+-*/=<>^%\u00D7\u00F7\u00B1";
constexpr std::u32string_view kBeforePrefix = U"+=<>&|!(,[{?:";

/// Is the sign text, by the definition in docs/text.md? `c` is the plain sign of `original`.
bool is_text(char32_t c, char32_t original, const Neighbour& before, const Neighbour& behind,
             const Spaced& spaced) {
  const bool digits = before.kind == Kind::digit && behind.kind == Kind::digit;
  switch (c) {
    case U'-':
      if (is_em_dash(original)) return digits;
      if (behind.kind == Kind::digit) {
        // The minus may be a bullet of a line that was joined to another one, or a hyphen.
        return spaced.behind ? !before.is_letter() : before.kind != Kind::letter || spaced.before;
      }
      return before.is_one_of(kBeforePrefix) && behind.is_word();
    case U'~':
      return behind.kind == Kind::digit;
    case U'.':
      return digits && !spaced.behind;  // otherwise it belongs to a number in a list or ends a sentence
    case U',':
    case U':':
    case 0xB7:
      return digits;
    case U'%':
    case U'&':
    case U'@':
    case U'^':
    case 0x2030:
      return true;
    case U'#':
      return before.is_word() && !spaced.before && !behind.is(U'#');  // ## ends a heading
    case U'$':
      return !spaced.behind || !behind.is_letter();
    case U'*':
      return (before.kind == Kind::digit && (behind.is_word() || behind.is(U'('))) ||
             (behind.kind == Kind::digit && (before.is_word() || before.is(U')'))) ||
             (before.is(U')') && behind.is_word()) || (before.is_word() && behind.is(U'('));
    case U'/':
      return before.is_word() && behind.is_word();
    case U'!':
      return behind.is(U'=') || before.kind == Kind::digit ||
             (before.is_one_of(U"=&|(") && (behind.is_word() || behind.is(U'(')));
    case U'(':
    case U'[':
    case U'{':
      return before.is_text && before.is_one_of(kOperators);
    case U']':
    case U'}':
      if (behind.is(U'*')) return false;  // emphasis is more likely
      [[fallthrough]];
    case U')':
      return behind.is_one_of(kOperators);
    case U'|':
      return false;
    default:
      break;
  }
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_MATH_SYMBOL:
    case U_CURRENCY_SYMBOL:
      return true;
    case U_OTHER_SYMBOL:
      return !is_ornament(c);
    default:
      return false;
  }
}

/// Quotation marks and escape characters between a sign and its neighbour are ignored.
bool is_quotation_mark(char32_t c) {
  if (c < 0x80) return c == U'"' || c == U'\'' || c == U'`' || c == U'\\';
  const auto category = u_charType(static_cast<UChar32>(c));
  return category == U_INITIAL_PUNCTUATION || category == U_FINAL_PUNCTUATION;
}

/// True if the sign, at the beginning of a line and followed by white space, may be a bullet, a prompt, or
/// the mark of a quotation.
bool may_be_bullet(char32_t c) {
  return c == U'$' || c == U'-' || c == U'*' || c == U'>' || c == U'#' || is_arrow(c) ||
         u_charType(static_cast<UChar32>(c)) == U_OTHER_SYMBOL;
}

enum class Ascii : std::uint8_t { space, line_end, letter, digit, sign };
constexpr std::array<Ascii, 128> kAscii = [] {
  std::array<Ascii, 128> kinds{};
  for (char32_t c = 0; c < kinds.size(); ++c) {
    const char32_t lower = c | 0x20;
    kinds[c] = c == U'\n' || c == U'\r'         ? Ascii::line_end
               : c <= U' ' || c == 0x7F         ? Ascii::space
               : c >= U'0' && c <= U'9'         ? Ascii::digit
               : lower >= U'a' && lower <= U'z' ? Ascii::letter
                                                : Ascii::sign;
  }
  return kinds;
}();

/// One pass over a text.
template <class Each>
class SignWalk {
 public:
  SignWalk(std::string_view utf8, Each each)
      : at_(reinterpret_cast<const std::uint8_t*>(utf8.data())), end_(at_ + utf8.size()), each_(each) {}

  void operator()() {
    while (at_ < end_) {
      if (*at_ < 0x80) {
        take_ascii(*at_);
      } else if (*at_ >= 0xE4 && *at_ <= 0xE9) {  // Han: U+4000 to U+9FFF
        take_letters(1, Kind::ideograph);
        at_ += 3;
      } else {
        take(decode(at_));
      }
    }
  }

 private:
  void take_ascii(std::uint8_t c) {
    switch (kAscii[c]) {
      case Ascii::letter:
        take_letters(1, Kind::letter);
        break;
      case Ascii::digit:
        take_letters(1, Kind::digit);
        break;
      case Ascii::sign:
        take_sign(c);
        return;
      case Ascii::line_end:
        begins_line_ = spaced_ = true;
        break;
      case Ascii::space:
        spaced_ = true;
        break;
    }
    ++at_;
  }

  void take_letters(std::uint64_t count, Kind kind) {
    letters_ += count;
    before_ = {kind};
    begins_line_ = spaced_ = false;
  }

  void take(char32_t c) {
    const std::uint32_t entry = entry_of(table_, c);
    switch (fold_class(entry)) {
      case FoldClass::dropped:
        break;
      case FoldClass::letter:
      case FoldClass::single:
        // A character that may compose with its predecessor does not count, so both forms have the same
        // count.
        if ((entry & kFoldComposes) == 0) take_letters(1, kind_of(entry));
        break;
      case FoldClass::expansion:
        take_expansion(c, entry);
        break;
      case FoldClass::separator:
        if (!u_isUWhiteSpace(static_cast<UChar32>(c))) return take_sign(c);
        begins_line_ |= c == 0x85 || c == 0x2028 || c == 0x2029;
        spaced_ = true;
        break;
    }
    at_ += character_length(*at_);
  }

  void take_expansion(char32_t c, std::uint32_t entry) {
    const std::uint32_t* const parts = table_.expansions + (entry & kFoldValue);
    const auto is_separator = [](std::uint32_t part) { return fold_class(part) == FoldClass::separator; };
    if (std::any_of(parts + 1, parts + 1 + parts[0], is_separator)) {
      take_form(c);
      return;
    }
    for (std::uint32_t i = 1; i <= parts[0]; ++i)
      if ((entry_of(table_, parts[i] & kFoldValue) & kFoldComposes) == 0) take_letters(1, kind_of(parts[i]));
  }

  // Handles a character that stands for letters and signs (½, ℃). The text after it is not examined.
  void take_form(char32_t c) {
    std::string form;
    normal_form(c).toUTF8String(form);
    const auto* const at = at_;
    const auto* const end = end_;
    at_ = reinterpret_cast<const std::uint8_t*>(form.data());
    end_ = at_ + form.size();
    (*this)();
    at_ = at;
    end_ = end;
  }

  void take_sign(char32_t original) {
    const std::uint8_t* const begin = at_;
    std::size_t run = 0;
    while (at_ < end_ && decode(at_) == original) {
      at_ += character_length(*at_);
      ++run;
    }
    const bool is_rule = run >= kRule;
    if (!is_rule) at_ = begin + character_length(*begin);
    char32_t sign = plain_sign(original);
    if (at_ < end_ && *at_ == 0xCC && decode(at_) == 0x338) {  // a stroke through it
      const UChar32 struck = nfkc_normalizer().composePair(static_cast<UChar32>(sign), 0x338);
      if (struck >= 0) sign = static_cast<char32_t>(struck);
    }
    const Spaced spaced{spaced_, at_ < end_ && u_isUWhiteSpace(static_cast<UChar32>(decode(at_)))};
    const bool counts = !is_rule && !is_bullet(sign) && is_text(sign, original, before_, next(), spaced);
    if (counts) {
      each_(Sign{letters_, sign});
      begins_line_ = false;
    }
    spaced_ = false;
    if (!is_quotation_mark(sign)) before_ = {Kind::sign, sign, counts};
  }

  // True if white space follows the signs that begin the line, and this sign is one of them.
  bool is_bullet(char32_t sign) const {
    if (!begins_line_ || !may_be_bullet(sign)) return false;
    if (sign == U'#') return true;  // begins a heading or a comment
    const std::uint8_t* p = at_;
    while (p < end_ && fold_class(entry_of(table_, decode(p))) == FoldClass::separator &&
           !u_isUWhiteSpace(static_cast<UChar32>(decode(p))))
      p += character_length(*p);
    return p == end_ || u_isUWhiteSpace(static_cast<UChar32>(decode(p))) != 0;
  }

  [[nodiscard]] Neighbour next() const {
    for (const std::uint8_t* p = at_; p < end_; p += character_length(*p)) {
      const char32_t c = decode(p);
      const std::uint32_t entry = entry_of(table_, c);
      if ((entry & kFoldComposes) != 0) continue;
      switch (fold_class(entry)) {
        case FoldClass::dropped:
          continue;
        case FoldClass::separator:
          if (u_isUWhiteSpace(static_cast<UChar32>(c)) || is_quotation_mark(c)) continue;
          if (c == U'*' && p + 1 < end_ && p[1] == '*') return {Kind::sign};  // marks emphasis
          return {Kind::sign, plain_sign(c)};
        case FoldClass::letter:
        case FoldClass::single:
          return {kind_of(entry)};
        case FoldClass::expansion:
          return {kind_of(table_.expansions[(entry & kFoldValue) + 1])};
      }
    }
    return {};
  }

  static Kind kind_of(std::uint32_t entry) {
    if (fold_class(entry) == FoldClass::single) return Kind::ideograph;
    const std::uint32_t value = entry & kFoldValue;
    return value >= U'0' && value <= U'9' ? Kind::digit : Kind::letter;
  }

  const FoldTable& table_ = fold_table();
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  Each each_;
  std::uint64_t letters_ = 0;
  Neighbour before_;
  bool begins_line_ = true;
  bool spaced_ = true;
};

}  // namespace

std::vector<Sign> signs_of(std::string_view utf8) {
  std::vector<Sign> signs;
  SignWalk(utf8, [&](const Sign& sign) { signs.push_back(sign); })();
  return signs;
}

std::uint64_t signs_hash(std::string_view utf8, const Folding& folding) {
  const ComparedText compared(utf8, folding.numbers);
  std::uint64_t hash = 0;
  SignWalk(compared.text(),
           [&](const Sign& sign) { hash = mix64(hash ^ mix64(sign.letters << 21 ^ sign.sign)) | 1; })();
  return hash;
}

PodVector<char> compared_characters(std::string_view utf8) {
  static const Normaliser normaliser(NormaliseOptions{.simplify = true});
  PodVector<char> characters;
  normaliser(utf8, characters);  // runs of white space become single spaces, none at either end
  const auto* const text = reinterpret_cast<const std::uint8_t*>(characters.data());
  const auto is_of_word = [](std::uint32_t c) {
    const FoldClass kind = fold_class(entry_of(fold_table(), c));
    return kind != FoldClass::separator && kind != FoldClass::single;
  };
  const auto may_compose = [](std::uint32_t c) { return (entry_of(fold_table(), c) & kFoldComposes) != 0; };
  std::size_t size = 0;
  for (std::size_t i = 0; i < characters.size(); ++i)
    if (text[i] != ' ' || may_compose(decode(text + i + 1)) ||
        (is_of_word(decode_before(text + size)) && is_of_word(decode(text + i + 1))))
      characters[size++] = characters[i];
  characters.resize_for_overwrite(size);
  if (const std::uint64_t signs = signs_hash(utf8); signs != 0) characters.append(value_bytes(signs));
  return characters;
}

bool same_text(std::string_view a, std::string_view b) {
  return a == b || std::ranges::equal(compared_characters(a), compared_characters(b));
}

std::uint64_t same_text_hash(std::string_view utf8) { return same_text_hash(compared_characters(utf8)); }

std::uint64_t same_text_hash(const PodVector<char>& characters) {
  return XXH3_64bits(characters.data(), characters.size());
}

}  // namespace leitong
