// A text with the places where it may be cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/trim.hpp"
#include "text/units.hpp"
#include "trim/part_groups.hpp"

namespace leitong {

/// What the rule of cutting has to know of a text. Two kinds: with parts (lines, paragraphs, sentences), each
/// of which is cut as a whole or not at all; or with borders between units, for passages. Cuts are long and
/// few borders are asked about, so those of a block of lines are found when the first of them is. For one
/// thread at a time.
class CuttableText {
 public:
  /// For parts. `repeated`: the parts of this text that are in groups, in its order. REQUIRES: valid UTF-8.
  void set_parts(std::string_view utf8, TextPart part, std::span<const RepeatedPart> repeated);
  /// For passages. The text must outlive what is asked about it.
  void set_borders(std::string_view utf8);

  /// All units of the text.
  [[nodiscard]] std::size_t units() const noexcept { return units_; }
  /// Units of a repeated part.
  [[nodiscard]] std::size_t units_of(std::size_t repeated) const noexcept { return part_units_[repeated]; }
  /// Bytes of a repeated part.
  [[nodiscard]] ByteRange bytes_of(std::size_t repeated) const noexcept { return part_bytes_[repeated]; }

  /// The first border in [from, to] that a cut may begin at, and the last one that it may end at; npos if
  /// there is none. A border is numbered by the unit behind it. `kind`: the least that it must be.
  static constexpr std::size_t npos = SIZE_MAX;
  [[nodiscard]] std::size_t first_border(std::size_t from, std::size_t to, Border kind);
  [[nodiscard]] std::size_t last_border(std::size_t from, std::size_t to, Border kind);
  /// The bytes from the border before unit `begin` to the one before unit `end`, without white space and
  /// punctuation around them unless the border is that of a sentence.
  [[nodiscard]] ByteRange between(std::size_t begin, std::size_t end);
  /// The bytes of the units alone. REQUIRES begin < end.
  [[nodiscard]] ByteRange place(std::size_t begin, std::size_t end) {
    return {place_of(begin).begin, place_of(end - 1).end};
  }

 private:
  /// Whole lines with at least one unit, or the whole text.
  struct Block {
    std::size_t unit, byte;                            // the first ones
    std::size_t first_sentence = npos, sentences = 0;  // in sentences_; npos: it was not looked at yet
  };
  /// A unit where a sentence begins, or the end of all units of a block.
  struct SentenceBorder {
    std::size_t unit;
    std::size_t begin, end;  // bytes of a cut that begins or ends here; npos: as at any other unit
  };

  /// The number of the block that holds the unit, which has been looked at.
  std::size_t block_of(std::size_t unit);
  void look_at(std::size_t block);
  [[nodiscard]] std::span<const SentenceBorder> sentences_of(std::size_t block) const noexcept {
    return std::span(sentences_).subspan(blocks_[block].first_sentence, blocks_[block].sentences);
  }
  [[nodiscard]] std::optional<SentenceBorder> sentence_at(std::size_t unit);
  [[nodiscard]] ByteRange place_of(std::size_t unit) {
    block_of(unit);
    return places_[unit];
  }
  [[nodiscard]] bool is_border(std::size_t unit, Border kind);
  /// Where the unit begins, and where the one before it ends; at the end of all units, that of the text.
  [[nodiscard]] std::size_t begin_of(std::size_t unit);
  [[nodiscard]] std::size_t end_before(std::size_t unit);

  std::size_t units_ = 0;
  std::vector<std::uint32_t> part_units_;
  std::vector<ByteRange> part_bytes_;

  std::string_view text_;
  bool has_artifacts_ = false;             // of pages: such a text is one block
  std::vector<Block> blocks_;              // by unit; one at least
  std::vector<SentenceBorder> sentences_;  // of the blocks that were looked at, each by unit
  PodVector<ByteRange> places_;            // of all units of these blocks
  PodVector<Unit> buffer_, block_units_;
  std::vector<ByteRange> parts_, block_places_;
};

}  // namespace leitong
