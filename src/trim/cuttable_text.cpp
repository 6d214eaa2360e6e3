#include "trim/cuttable_text.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/text_parts.hpp"

namespace leitong {
namespace {

bool is_character(Unit unit) noexcept { return unit >> 31 == 0; }

}  // namespace

void CuttableText::set_parts(std::string_view utf8, TextPart part, std::span<const RepeatedPart> repeated) {
  split_parts(utf8, part, parts_);
  units_ = 0;
  part_units_.clear();
  part_bytes_.clear();
  auto next = repeated.begin();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    fold_units(utf8.substr(parts_[i].begin, parts_[i].size()), Marks::fold, buffer_);
    units_ += buffer_.size();
    if (next == repeated.end() || next->at != i) continue;
    part_units_.push_back(static_cast<std::uint32_t>(buffer_.size()));
    part_bytes_.push_back(parts_[i]);
    ++next;
  }
}

void CuttableText::set_borders(std::string_view utf8) {
  text_ = utf8;
  to_units_with_places(utf8, buffer_, places_);
  units_ = buffer_.size();
  begins_.assign(units_ + 1, npos);
  ends_.assign(units_ + 1, npos);
  split_parts(utf8, TextPart::sentence, parts_);
  std::size_t unit = 0, last = npos;
  for (const ByteRange& sentence : parts_) {
    while (unit < units_ && places_[unit].begin < sentence.begin) ++unit;
    // Between two sentences there may be line ends: a cut ends before them, or begins behind them.
    if (unit != last && unit > 0) ends_[unit] = sentence.begin;
    begins_[unit] = sentence.begin;
    last = unit;
  }
  if (last != units_ && !parts_.empty()) {
    begins_[units_] = utf8.size();
    ends_[units_] = parts_.back().end;
  }
}

std::size_t CuttableText::begin_of(std::size_t unit) const noexcept {
  return unit < units_ ? places_[unit].begin : text_.size();
}

std::size_t CuttableText::end_before(std::size_t unit) const noexcept {
  if (unit == 0) return 0;
  // Marks behind a letter belong to it.
  std::size_t end = places_[unit - 1].end;
  const std::size_t most = begin_of(unit);
  while (end < most && !may_divide(text_, end)) end += decode_utf8(text_, end).length;
  return end;
}

bool CuttableText::is_border(std::size_t unit, Border kind) const noexcept {
  if (begins_[unit] != npos) return true;
  if (kind == Border::sentence) return false;
  if (unit > 0 && unit < units_) {
    const ByteRange before = places_[unit - 1], behind = places_[unit];
    // Several units that one character folds to have one place.
    if (behind.begin < before.end) return false;
    if (kind == Border::word && before.end == behind.begin && !is_character(buffer_[unit - 1]) &&
        !is_character(buffer_[unit]))
      return false;
  }
  return may_divide(text_, begin_of(unit)) && may_divide(text_, end_before(unit));
}

ByteRange CuttableText::between(std::size_t begin, std::size_t end) const noexcept {
  return {begins_[begin] != npos ? begins_[begin] : begin_of(begin),
          ends_[end] != npos ? ends_[end] : end_before(end)};
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
