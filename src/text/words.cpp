#include "text/words.hpp"

#include <unicode/brkiter.h>
#include <unicode/utext.h>
#include <unicode/uvernum.h>
#include <unicode/uversion.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>

#include "text/table_runs.hpp"
#include "text/utf8_decode.hpp"
#include "text/word_class.hpp"

namespace leitong {
namespace {

#include "word_table.inc"

// ICU's data is part of its library, so only a lack of memory can make a call fail.
void check_word(UErrorCode error) {
  if (U_FAILURE(error)) throw std::bad_alloc();
}

/// One iterator is kept for each thread: it is a cursor over constant data of ICU, holds nothing of a text
/// between two calls, and takes longer to make than cutting most texts takes.
icu::BreakIterator& word_breaks() {
  thread_local const std::unique_ptr<icu::BreakIterator> breaks = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
    check_word(error);
    return made;
  }();
  return *breaks;
}

/// Appends the end of each word of `run`, which ICU's dictionaries cut, plus `offset`, to `ends`; the last
/// one is the end of the run. Several MB/s. REQUIRES: valid UTF-8 of fewer than 2 GiB.
void dictionary_words(std::string_view run, std::size_t offset, std::vector<std::size_t>& ends) {
  UErrorCode error = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, run.data(), static_cast<std::int64_t>(run.size()), &error);
  check_word(error);
  icu::BreakIterator& breaks = word_breaks();
  breaks.setText(&text, error);
  utext_close(&text);  // the iterator has its own view of the same bytes
  check_word(error);
  breaks.first();
  for (std::int32_t end = breaks.next(); end != icu::BreakIterator::DONE; end = breaks.next())
    ends.push_back(offset + static_cast<std::size_t>(end));
}

/// If a dictionary leaves a run of more characters than this uncut, it does not know the words of the run.
constexpr std::size_t kLongestGuess = 16;
/// The bytes of a run that the dictionary gets at once, since a run without separators may be arbitrarily
/// long.
constexpr std::size_t kLongestRun = 1 << 16;

const std::vector<std::uint8_t>& classes() {
  static const std::vector<std::uint8_t> table = [] {
    const std::vector<std::uint32_t> entries = expand_runs(kWordRuns);
    return std::vector<std::uint8_t>(entries.begin(), entries.end());
  }();
  return table;
}

std::size_t count_characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](char byte) { return begins_character(static_cast<std::uint8_t>(byte)); }));
}

/// A character at a place of a text.
struct Seen {
  WordClass kind;
  bool pictographic;
  std::uint32_t length;
};

/// Above the table are tags and variation selectors, private use, and planes without scripts.
WordClass class_above(std::uint32_t c) {
  const bool attached = c == 0xE0001 || (c >= 0xE0020 && c <= 0xE007F) || (c >= 0xE0100 && c <= 0xE01EF);
  return attached ? WordClass::extend : WordClass::other;
}

class Classes {
 public:
  explicit Classes(std::string_view text) : text_(text), table_(classes().data()) {}
  /// The end of the ASCII letters, digits and "_" that begin at i. They all join each other.
  [[nodiscard]] std::size_t skip_ascii_word(std::size_t i) const {
    while (i < text_.size() && is_ascii_word(text_[i])) ++i;
    return i;
  }
  /// True if the character at i is ASCII that no rule joins to what precedes it.
  [[nodiscard]] bool ends_ascii_word(std::size_t i) const {
    return is_ascii(text_[i]) && table_[static_cast<std::uint8_t>(text_[i])] <= kNoJoin;
  }
  /// True if the characters at i and after it are ASCII, and the first one is not part of a word.
  [[nodiscard]] bool is_plain_gap(std::size_t i) const {
    return ends_ascii_word(i) && i + 1 < text_.size() && is_ascii(text_[i + 1]);
  }
  [[nodiscard]] Seen at(std::size_t i) const {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(text_.data()) + i;
    const std::uint32_t c = decode(p);
    const std::uint8_t entry = c < kFoldLimit ? table_[c] : static_cast<std::uint8_t>(class_above(c));
    return {static_cast<WordClass>(entry & ~kPictographic), (entry & kPictographic) != 0,
            static_cast<std::uint32_t>(character_length(*p))};
  }
  /// The end of the marks that begin at i, if any. Then `joined` tells whether the last of them is a joiner.
  [[nodiscard]] std::size_t skip_marks(std::size_t i, bool& joined) const {
    while (i < text_.size()) {
      const Seen seen = at(i);
      if (seen.kind != WordClass::extend && seen.kind != WordClass::joiner) break;
      joined = seen.kind == WordClass::joiner;
      i += seen.length;
    }
    return i;
  }

 private:
  static constexpr std::uint8_t kNoJoin = static_cast<std::uint8_t>(WordClass::newline);
  static bool is_ascii(char c) { return static_cast<signed char>(c) >= 0; }
  static bool is_ascii_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  std::string_view text_;
  const std::uint8_t* table_;
};

bool is_letter(WordClass kind) {
  return kind == WordClass::letter || kind == WordClass::hebrew || kind == WordClass::at_sign;
}
bool is_alphanumeric(WordClass kind) { return is_letter(kind) || kind == WordClass::numeric; }
bool is_word_part(WordClass kind) {
  return (is_alphanumeric(kind) && kind != WordClass::at_sign) || kind == WordClass::hangul ||
         kind == WordClass::lone;
}
bool is_east_asian(WordClass kind) {
  return kind == WordClass::han || kind == WordClass::hiragana || kind == WordClass::katakana;
}

/// WB5, WB8 to WB10, WB13a and WB13b; and adjacent syllables without a mark between them.
bool join(WordClass a, WordClass b, bool touching) {
  if (a == WordClass::hangul && b == WordClass::hangul) return touching;
  return (is_alphanumeric(a) || a == WordClass::connector) &&
         (is_alphanumeric(b) || b == WordClass::connector);
}

/// True if `middle` may be between two letters, or two digits (WB6, WB7, WB7b, WB7c, WB11, WB12).
bool stands_within(WordClass before, WordClass middle, WordClass after) {
  const bool quote_or_both = middle == WordClass::single_quote || middle == WordClass::mid_both;
  if (is_letter(before) && is_letter(after) && (quote_or_both || middle == WordClass::mid_letter))
    return true;
  if (before == WordClass::numeric && after == WordClass::numeric)
    return quote_or_both || middle == WordClass::mid_number;
  return before == WordClass::hebrew && after == WordClass::hebrew && middle == WordClass::double_quote;
}

}  // namespace

std::uint64_t word_table_id() {
  UVersionInfo icu;
  u_getVersion(icu);
  return XXH3_64bits_withSeed(classes().data(), classes().size(), XXH3_64bits(icu, sizeof icu));
}

std::size_t WordReader::rule_end(std::size_t begin, bool& is_word) const {
  const Classes classes(text_);
  const std::size_t ascii_end = classes.skip_ascii_word(begin);
  const bool is_ascii = ascii_end > begin;
  Seen last = classes.at(is_ascii ? ascii_end - 1 : begin);
  is_word = is_word_part(last.kind) || text_.find_first_not_of('_', begin) < ascii_end;
  std::size_t i = is_ascii ? ascii_end : begin + last.length;
  if (is_ascii && (i == text_.size() || classes.ends_ascii_word(i))) return i;
  if (last.kind == WordClass::newline) return i;
  while (true) {
    bool joined = last.kind == WordClass::joiner;
    const std::size_t behind_last = i;
    i = classes.skip_marks(i, joined);
    if (i >= text_.size()) return i;
    const Seen next = classes.at(i);
    if ((joined && next.pictographic) || join(last.kind, next.kind, behind_last == i)) {
      last = next;
      i += next.length;
    } else {
      bool ignored = false;
      const std::size_t behind = classes.skip_marks(i + next.length, ignored);
      if (behind < text_.size() && stands_within(last.kind, next.kind, classes.at(behind).kind)) {
        last = classes.at(behind);
        i = behind + last.length;
      } else if (last.kind == WordClass::hebrew && next.kind == WordClass::single_quote) {  // WB7a
        last = next;
        i += next.length;
      } else {
        return i;
      }
    }
    is_word |= is_word_part(last.kind);
  }
}

void WordReader::read_run(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> ends;
  dictionary_words(text_.substr(begin, end - begin), begin, ends);
  ends_.clear();
  next_end_ = 0;
  const Classes classes(text_);
  for (std::size_t i = begin; const std::size_t word_end : ends) {
    if (count_characters(text_.substr(i, word_end - i)) <= kLongestGuess) {
      ends_.push_back(i = word_end);
      continue;
    }
    while (i < word_end) {
      bool ignored = false;
      i = std::min(classes.skip_marks(i + classes.at(i).length, ignored), word_end);
      ends_.push_back(i);
    }
  }
}

bool WordReader::next(Word& word) {
  const auto take = [&](std::size_t end, WordKind kind) {
    word = {text_.substr(at_, end - at_), kind};
    at_ = end;
    return true;
  };
  if (next_end_ < ends_.size()) return take(ends_[next_end_++], WordKind::unspaced);
  const Classes classes(text_);
  while (at_ < text_.size()) {
    if (classes.is_plain_gap(at_)) {
      ++at_;
      continue;
    }
    const Seen first = classes.at(at_);
    if (is_east_asian(first.kind) || first.kind == WordClass::complex) {
      bool ignored = false, han = false, hiragana = false, katakana = false;
      std::size_t end = at_;
      for (Seen seen = first; end - at_ < kLongestRun;) {
        han |= seen.kind == WordClass::han;
        hiragana |= seen.kind == WordClass::hiragana;
        katakana |= seen.kind == WordClass::katakana;
        end = classes.skip_marks(end + seen.length, ignored);
        if (end >= text_.size()) break;
        seen = classes.at(end);
        if (first.kind == WordClass::complex ? seen.kind != WordClass::complex : !is_east_asian(seen.kind))
          break;
      }
      if (han && !hiragana && !katakana) return take(end, WordKind::han);
      if (katakana && !han && !hiragana) return take(end, WordKind::word);
      read_run(at_, end);
      return take(ends_[next_end_++], WordKind::unspaced);
    }
    bool is_word = false;
    const std::size_t end = rule_end(at_, is_word);
    if (is_word) return take(end, WordKind::word);
    at_ = end;
  }
  return false;
}

}  // namespace leitong
