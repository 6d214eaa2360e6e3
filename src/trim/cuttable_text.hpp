// A text with the places where it may be cut.
#pragma once

#include <cstddef>
#include <cstdint>
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
/// of which is cut as a whole or not at all; or with borders between units, for passages.
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
  [[nodiscard]] std::size_t first_border(std::size_t from, std::size_t to, Border kind) const noexcept;
  [[nodiscard]] std::size_t last_border(std::size_t from, std::size_t to, Border kind) const noexcept;
  /// The bytes from the border before unit `begin` to the one before unit `end`, without white space and
  /// punctuation around them unless the border is that of a sentence.
  [[nodiscard]] ByteRange between(std::size_t begin, std::size_t end) const noexcept;
  /// The bytes of the units alone. REQUIRES begin < end.
  [[nodiscard]] ByteRange place(std::size_t begin, std::size_t end) const noexcept {
    return {places_[begin].begin, places_[end - 1].end};
  }

 private:
  // Few units are asked about, so these are found when they are asked for.
  [[nodiscard]] bool is_border(std::size_t unit, Border kind) const noexcept;
  /// Where the unit begins, and where the one before it ends; at the end of all units, that of the text.
  [[nodiscard]] std::size_t begin_of(std::size_t unit) const noexcept;
  [[nodiscard]] std::size_t end_before(std::size_t unit) const noexcept;

  std::size_t units_ = 0;
  std::vector<std::uint32_t> part_units_;
  std::vector<ByteRange> part_bytes_;

  /// A unit where a sentence begins, or the end of all units.
  struct SentenceBorder {
    std::size_t unit;
    std::size_t begin, end;  // bytes of a cut that begins or ends here; npos: as at any other unit
  };
  /// The border at the unit, or null.
  [[nodiscard]] const SentenceBorder* sentence_at(std::size_t unit) const noexcept;

  std::string_view text_;
  std::vector<SentenceBorder> sentences_;  // by unit
  std::vector<ByteRange> parts_, places_;
  PodVector<Unit> buffer_;
};

}  // namespace leitong
