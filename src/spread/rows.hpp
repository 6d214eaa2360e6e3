// The rows that the parts of a spread run exchange.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

#include "spread/steps.hpp"

namespace leitong::spread {

/// A text is known by a number that only equal texts share. The order of numbers is that of the contents.
using TextNumber = std::int64_t;
inline constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
[[nodiscard]] inline TextNumber number_of(std::uint64_t content) noexcept {
  return static_cast<TextNumber>(content ^ kSign);
}
[[nodiscard]] inline std::uint64_t content_of(TextNumber text) noexcept {
  return static_cast<std::uint64_t>(text) ^ kSign;
}
/// Contents are hashes, so ranges of them have equal sizes.
[[nodiscard]] inline std::uint32_t range_of(TextNumber text, std::uint32_t ranges) noexcept {
  return static_cast<std::uint32_t>((content_of(text) >> 32) * ranges >> 32);
}

/// The range of the pairs of which `text` has the greater number: the share of such pairs grows with the
/// number, and so ranges of its square have equal sizes.
[[nodiscard]] inline std::uint32_t range_of_pairs(TextNumber text, std::uint32_t ranges) noexcept {
  const std::uint64_t high = content_of(text) >> 32;
  return static_cast<std::uint32_t>((high * high >> 32) * ranges >> 32);
}

/// A record: the number of its input, and its own number in it. Places have the order of the run.
using RecordPlace = std::uint64_t;
[[nodiscard]] inline RecordPlace record_place(std::uint32_t input, std::uint32_t record) noexcept {
  return std::uint64_t{input} << 32 | record;
}
[[nodiscard]] inline std::uint32_t input_of(RecordPlace place) noexcept {
  return static_cast<std::uint32_t>(place >> 32);
}
[[nodiscard]] inline std::uint32_t record_of(RecordPlace place) noexcept {
  return static_cast<std::uint32_t>(place);
}

/// What `sketch` says of a record.
struct SketchRow {
  RecordPlace place = 0;
  TextNumber text = 0;
  std::uint64_t check = 0;              // an independent hash of the same content
  std::uint32_t units = 0, unused = 0;  // always 0
  std::uint32_t keys[2] = {0, 0};       // of each tier
};
/// A text that repeats itself, and a hash of what it repeats.
struct SetRow {
  TextNumber text = 0;
  std::uint64_t set = 0;
};
/// A hot key of a text.
struct HotRow {
  std::uint64_t key = 0;
  TextNumber text = 0;
};
/// A different text, with its first record.
struct ContentRow {
  TextNumber text = 0;
  RecordPlace place = 0;
  std::uint64_t check = 0;
  std::uint32_t units = 0, unused = 0;  // always 0
};
/// A record that is a copy of an earlier one.
struct CopyRow {
  RecordPlace place = 0;
  TextNumber text = 0;
  RecordPlace first = 0;  // the first record of this content
  RecordPlace kept = 0;   // the record for which it may leave: the first one with the same signs
  std::uint32_t is_first = 0, is_kept = 0;  // 1: it is the same text as that record
};
/// A pair that was compared; `a` is the text of the greater number.
struct PairOfTexts {
  TextNumber a = 0, b = 0;
  float jaccard = 0, containment = 0, score = 0;
  Measure measure = Measure::jaccard;
  PairStanding standing = PairStanding::ordinary;
  std::uint16_t round = 0;  // of settling that found it
};
/// A text of a component that is to be completed.
struct MemberRow {
  TextNumber text = 0, component = 0, family = 0;
  std::uint32_t has_family = 0, is_common = 0;
};
/// A text of pairs.
struct KinRow {
  TextNumber text = 0, component = 0, family = 0;
  std::uint32_t flags = 0, unused = 0;  // always 0
};
/// Flags of KinRow beside kAsked and kWantsCommon: a pair between families ends in the text; it is
/// made of what many texts hold.
inline constexpr std::uint32_t kBetween = 4, kCommon = 8;
/// A template in a text of a component range.
struct TemplateRow {
  std::uint32_t text = 0;  // its place among the range's KinRows
  std::uint32_t shingle = 0;
};
/// A shingle that is asked about, in the same way.
struct MarkRow {
  std::uint32_t text = 0, shingle = 0;
  std::uint32_t families = 0;  // twice their number, plus 1 for a template
};
/// A text that leaves for another one.
struct LeftRow {
  TextNumber text = 0, kept = 0;
  float score = 0;
  std::int16_t round = 0;  // after which this holds; kEveryRound: after each
  Measure measure = Measure::jaccard;
  std::uint8_t unused = 0;  // always 0
};
inline constexpr std::int16_t kEveryRound = -1;

static_assert(sizeof(SketchRow) == 40 && sizeof(ContentRow) == 32 && sizeof(CopyRow) == 40 &&
              sizeof(PairOfTexts) == 32 && sizeof(MemberRow) == 32 && sizeof(KinRow) == 32 &&
              sizeof(LeftRow) == 24);

/// The place of a text in ascending ones; their number if it is not there. REQUIRES fewer than 2^32 of them.
template <class Rows, class Text = std::identity>
[[nodiscard]] std::uint32_t find_text(const Rows& rows, TextNumber text, Text text_of = {}) {
  const auto found = std::ranges::lower_bound(rows, text, {}, text_of);
  const bool is_there = found != std::ranges::end(rows) && std::invoke(text_of, *found) == text;
  return static_cast<std::uint32_t>((is_there ? found : std::ranges::end(rows)) - std::ranges::begin(rows));
}

/// Ascending, each once.
inline void sort_unique(std::vector<TextNumber>& texts) {
  std::ranges::sort(texts);
  const auto [first, last] = std::ranges::unique(texts);
  texts.erase(first, last);
}

/// Each pair once, by (a, b): with the more ordinary measure, then with the higher score.
inline void keep_best(std::vector<PairOfTexts>& pairs) {
  const auto order = [](const PairOfTexts& p) {
    return std::tuple(p.a, p.b, p.measure, -p.score, -static_cast<int>(p.standing), p.jaccard, p.containment);
  };
  std::ranges::sort(pairs, {}, order);
  const auto [first, last] =
      std::ranges::unique(pairs, {}, [](const PairOfTexts& p) { return std::pair(p.a, p.b); });
  pairs.erase(first, last);
}

}  // namespace leitong::spread
