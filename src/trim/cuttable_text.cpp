#include "trim/cuttable_text.hpp"

#include <algorithm>

#include "leitong/utf8.hpp"
#include "text/compared_text.hpp"
#include "text/text_parts.hpp"

namespace leitong {
namespace {

/// Bytes of a block, and more up to a line end.
constexpr std::size_t kBlock = std::size_t{1} << 7;

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
  blocks_.assign(1, {0, 0});
  sentences_.clear();
  buffer_.clear();
  const ComparedText compared(utf8, NumberUnits::same);
  has_artifacts_ = compared.artifacts() > 0;
  if (has_artifacts_) {
    fold_units(compared.text(), Marks::fold, buffer_);
  } else {
    // A line feed only separates, so the units of a text are those of its lines.
    for (std::size_t at = 0, end; at < utf8.size(); at = end) {
      const std::size_t feed = utf8.find('\n', at + kBlock);
      end = feed == std::string_view::npos ? utf8.size() : feed + 1;
      fold_units(utf8.substr(at, end - at), Marks::fold, block_units_);
      if (block_units_.empty()) continue;
      if (!buffer_.empty()) blocks_.push_back({buffer_.size(), at});
      buffer_.append(block_units_);
    }
  }
  units_ = buffer_.size();
  places_.resize_for_overwrite(units_);
}

std::size_t CuttableText::block_of(std::size_t unit) {
  const auto behind = std::ranges::upper_bound(blocks_, unit, {}, &Block::unit);
  const auto block = static_cast<std::size_t>(behind - blocks_.begin()) - 1;
  if (blocks_[block].first_sentence == npos) look_at(block);
  return block;
}

void CuttableText::look_at(std::size_t number) {
  Block& block = blocks_[number];
  const bool last = number + 1 == blocks_.size();
  const std::size_t end_unit = last ? units_ : blocks_[number + 1].unit,
                    end_byte = last ? text_.size() : blocks_[number + 1].byte;
  const std::string_view lines = text_.substr(block.byte, end_byte - block.byte);
  if (has_artifacts_)
    to_units_with_places(lines, block_units_, block_places_);
  else
    fold_units_with_places(lines, Marks::fold, block_units_, block_places_);
  for (std::size_t i = 0; i < block_places_.size(); ++i)
    places_[block.unit + i] = {block.byte + block_places_[i].begin, block.byte + block_places_[i].end};
  split_parts(lines, TextPart::sentence, parts_);
  block.first_sentence = sentences_.size();
  std::size_t unit = block.unit;
  for (const ByteRange& sentence : parts_) {
    const std::size_t begin = block.byte + sentence.begin;
    while (unit < end_unit && places_[unit].begin < begin) ++unit;
    // Between two sentences there may be line ends: a cut ends before them, or begins behind them.
    if (sentences_.size() > block.first_sentence && sentences_.back().unit == unit)
      sentences_.back().begin = begin;
    else
      sentences_.push_back({unit, begin, unit > 0 ? begin : npos});
  }
  if (!parts_.empty() && sentences_.back().unit != end_unit)
    sentences_.push_back({end_unit, end_byte, block.byte + parts_.back().end});
  block.sentences = sentences_.size() - block.first_sentence;
}

std::optional<CuttableText::SentenceBorder> CuttableText::sentence_at(std::size_t unit) {
  const std::size_t block = block_of(unit);
  const auto sentences = sentences_of(block);
  const auto found = std::ranges::lower_bound(sentences, unit, {}, &SentenceBorder::unit);
  if (found == sentences.end() || found->unit != unit) return std::nullopt;
  SentenceBorder border = *found;
  // What ends here is in the block before.
  if (block > 0 && unit == blocks_[block].unit) {
    block_of(unit - 1);
    border.end = sentences_of(block - 1).back().end;
  }
  return border;
}

std::size_t CuttableText::begin_of(std::size_t unit) {
  return unit < units_ ? place_of(unit).begin : text_.size();
}

std::size_t CuttableText::end_before(std::size_t unit) {
  if (unit == 0) return 0;
  // Marks behind a letter belong to it.
  std::size_t end = place_of(unit - 1).end;
  const std::size_t most = begin_of(unit);
  while (end < most && !may_divide(text_, end)) end += decode_utf8(text_, end).length;
  return end;
}

bool CuttableText::is_border(std::size_t unit, Border kind) {
  if (sentence_at(unit)) return true;
  if (unit > 0 && unit < units_) {
    const ByteRange before = place_of(unit - 1), behind = place_of(unit);
    // Several units that one character folds to have one place.
    if (behind.begin < before.end) return false;
    if (kind == Border::word && before.end == behind.begin && !is_character(buffer_[unit - 1]) &&
        !is_character(buffer_[unit]))
      return false;
  }
  return may_divide(text_, begin_of(unit)) && may_divide(text_, end_before(unit));
}

ByteRange CuttableText::between(std::size_t begin, std::size_t end) {
  const std::optional<SentenceBorder> first = sentence_at(begin), last = sentence_at(end);
  return {first ? first->begin : begin_of(begin), last && last->end != npos ? last->end : end_before(end)};
}

// A block has a border at its first unit, and one at its end.
std::size_t CuttableText::first_border(std::size_t from, std::size_t to, Border kind) {
  if (kind == Border::sentence) {
    const auto sentences = sentences_of(block_of(from));
    const auto found = std::ranges::lower_bound(sentences, from, {}, &SentenceBorder::unit);
    return found != sentences.end() && found->unit <= to ? found->unit : npos;
  }
  for (std::size_t i = from; i <= to; ++i)
    if (is_border(i, kind)) return i;
  return npos;
}

std::size_t CuttableText::last_border(std::size_t from, std::size_t to, Border kind) {
  if (kind == Border::sentence) {
    const auto sentences = sentences_of(block_of(to));
    const auto behind = std::ranges::upper_bound(sentences, to, {}, &SentenceBorder::unit);
    return behind != sentences.begin() && behind[-1].unit >= from ? behind[-1].unit : npos;
  }
  for (std::size_t i = to + 1; i-- > from;)
    if (is_border(i, kind)) return i;
  return npos;
}

}  // namespace leitong
