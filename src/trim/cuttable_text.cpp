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
  sentences_.clear();
  split_parts(utf8, TextPart::sentence, parts_);
  std::size_t unit = 0;
  for (const ByteRange& sentence : parts_) {
    while (unit < units_ && places_[unit].begin < sentence.begin) ++unit;
    // Between two sentences there may be line ends: a cut ends before them, or begins behind them.
    if (!sentences_.empty() && sentences_.back().unit == unit)
      sentences_.back().begin = sentence.begin;
    else
      sentences_.push_back({unit, sentence.begin, unit > 0 ? sentence.begin : npos});
  }
  if (!sentences_.empty() && sentences_.back().unit != units_)
    sentences_.push_back({units_, utf8.size(), parts_.back().end});
}

const CuttableText::SentenceBorder* CuttableText::sentence_at(std::size_t unit) const noexcept {
  const auto found = std::ranges::lower_bound(sentences_, unit, {}, &SentenceBorder::unit);
  return found != sentences_.end() && found->unit == unit ? &*found : nullptr;
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
  if (sentence_at(unit) != nullptr) return true;
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
  const SentenceBorder *const first = sentence_at(begin), *const last = sentence_at(end);
  return {first != nullptr ? first->begin : begin_of(begin),
          last != nullptr && last->end != npos ? last->end : end_before(end)};
}

std::size_t CuttableText::first_border(std::size_t from, std::size_t to, Border kind) const noexcept {
  if (kind == Border::sentence) {
    const auto found = std::ranges::lower_bound(sentences_, from, {}, &SentenceBorder::unit);
    return found != sentences_.end() && found->unit <= to ? found->unit : npos;
  }
  for (std::size_t i = from; i <= to; ++i)
    if (is_border(i, kind)) return i;
  return npos;
}

std::size_t CuttableText::last_border(std::size_t from, std::size_t to, Border kind) const noexcept {
  if (kind == Border::sentence) {
    const auto behind = std::ranges::upper_bound(sentences_, to, {}, &SentenceBorder::unit);
    return behind != sentences_.begin() && behind[-1].unit >= from ? behind[-1].unit : npos;
  }
  for (std::size_t i = to + 1; i-- > from;)
    if (is_border(i, kind)) return i;
  return npos;
}

}  // namespace leitong
