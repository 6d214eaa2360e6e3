#include "trim/cuttable_text.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/text_parts.hpp"

namespace leitong {
namespace {

/// No cut may begin or end there.
constexpr std::uint8_t kNoBorder = 3;
static_assert(static_cast<std::uint8_t>(Border::sentence) == 0 &&
              static_cast<std::uint8_t>(Border::character) == 2);

bool is_character(Unit unit) noexcept { return unit >> 31 == 0; }

}  // namespace

void CuttableText::set_parts(std::string_view utf8, TextPart part, std::span<const RepeatedPart> repeated) {
  split_parts(utf8, part, parts_);
  units_ = 0;
  part_units_.clear();
  part_bytes_.clear();
  // The units of the whole text may be fewer: of it all line numbers are no text, and of one line they are.
  auto next = repeated.begin();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    to_units(utf8.substr(parts_[i].begin, parts_[i].size()), buffer_);
    units_ += buffer_.size();
    if (next == repeated.end() || next->at != i) continue;
    part_units_.push_back(static_cast<std::uint32_t>(buffer_.size()));
    part_bytes_.push_back(parts_[i]);
    ++next;
  }
}

void CuttableText::set_borders(std::string_view utf8) {
  to_units_with_places(utf8, buffer_, places_);
  units_ = buffer_.size();
  borders_.assign(units_ + 1, kNoBorder);
  begins_.assign(units_ + 1, 0);
  ends_.assign(units_ + 1, 0);
  for (std::size_t i = 0; i <= units_; ++i) {
    begins_[i] = i < units_ ? places_[i].begin : utf8.size();
    if (i > 0) {
      // Marks behind a letter belong to it.
      std::size_t end = places_[i - 1].end;
      while (end < begins_[i] && !may_divide(utf8, end)) end += decode_utf8(utf8, end).length;
      ends_[i] = end;
    }
    if (!may_divide(utf8, begins_[i]) || !may_divide(utf8, ends_[i])) continue;
    const bool within_word = i > 0 && i < units_ && places_[i - 1].end == places_[i].begin &&
                             !is_character(buffer_[i - 1]) && !is_character(buffer_[i]);
    // Several units that one character folds to have one place.
    const bool within_character = i > 0 && i < units_ && places_[i].begin < places_[i - 1].end;
    if (within_character) continue;
    borders_[i] = static_cast<std::uint8_t>(within_word ? Border::character : Border::word);
  }
  split_parts(utf8, TextPart::sentence, parts_);
  std::size_t unit = 0, last = SIZE_MAX;
  for (const ByteRange& sentence : parts_) {
    while (unit < units_ && places_[unit].begin < sentence.begin) ++unit;
    // Between two sentences there may be line ends: a cut ends before them, or begins behind them.
    if (unit != last && unit > 0) ends_[unit] = sentence.begin;
    begins_[unit] = sentence.begin;
    borders_[unit] = static_cast<std::uint8_t>(Border::sentence);
    last = unit;
  }
  if (last != units_ && !parts_.empty()) {
    ends_[units_] = parts_.back().end;
    borders_[units_] = static_cast<std::uint8_t>(Border::sentence);
  }
}

std::size_t CuttableText::first_border(std::size_t from, std::size_t to, Border kind) const noexcept {
  for (std::size_t i = from; i <= to; ++i)
    if (is_border(i, kind)) return i;
  return npos;
}

std::size_t CuttableText::last_border(std::size_t from, std::size_t to, Border kind) const noexcept {
  for (std::size_t i = to + 1; i-- > from;)
    if (is_border(i, kind)) return i;
  return npos;
}

}  // namespace leitong
