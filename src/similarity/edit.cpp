#include "similarity/edit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/pod_vector.hpp"

namespace leitong {
namespace {

constexpr std::size_t kWordBits = 64;

/// The number of words of the longer text that are processed together. More words overlap better in the
/// processor and read fewer carries; fewer words keep a narrow band narrow.
constexpr std::size_t kWideStripe = 4;
constexpr std::size_t kNarrowStripe = 2;
constexpr std::size_t kNarrowBand = 256;

/// A pair is tried with a band of 1/16, then 1/4 of its length, before all cells are computed: copies are
/// close, and unrelated texts leave a narrow band early.
constexpr std::size_t kFirstLimitShare = 16;
constexpr std::size_t kLimitGrowth = 4;
constexpr std::size_t kFirstLimit = 32;
/// Shorter texts are computed at once: a narrow band of so few rows saves nothing.
constexpr std::size_t kDirect = 256;

/// For cutoffs below this share of the longer text, and texts of at most so many symbols, it pays to compare
/// how often symbols occur before anything is computed.
constexpr double kTellingShare = .75;
constexpr std::size_t kTellingSymbols = 2048;

using Symbols = std::span<const std::uint32_t>;

void trim_common_ends(Symbols& a, Symbols& b) {
  const auto prefix = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  a = a.subspan(static_cast<std::size_t>(prefix));
  b = b.subspan(static_cast<std::size_t>(prefix));
  const auto suffix = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin();
  a = a.first(a.size() - static_cast<std::size_t>(suffix));
  b = b.first(b.size() - static_cast<std::size_t>(suffix));
}

/// Maps symbols to small numbers: 1, 2, 3 and so on for the symbols of the rows' text in order of first
/// occurrence, 0 for all others.
class Numbering {
 public:
  explicit Numbering(Symbols rows) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(2 * rows.size()));
    shift_ = 64 - bits;
    slots_.resize(std::size_t{1} << bits, Slot{0, 0});
  }

  std::uint32_t add(std::uint32_t symbol) {
    Slot& slot = find(symbol);
    if (slot.number == 0) slot = {symbol, ++count_};
    return slot.number;
  }
  [[nodiscard]] std::uint32_t number(std::uint32_t symbol) { return find(symbol).number; }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

 private:
  struct Slot {
    std::uint32_t symbol, number;
  };

  Slot& find(std::uint32_t symbol) {
    std::size_t i = (symbol * 0x9E3779B97F4A7C15u) >> shift_;
    while (slots_[i].number != 0 && slots_[i].symbol != symbol) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }

  PodVector<Slot> slots_;
  unsigned shift_ = 0;
  std::uint32_t count_ = 0;
};

/// Computes W words of rows over all of `columns`. carry[c] holds the horizontal difference of column c above
/// the stripe and is replaced by that of its last row: bit 0 is +1, bit 1 is -1 (Hyyro 2003, figure 7).
/// `matches` has W words for each local number.
template <std::size_t W>
void advance_columns(std::span<const std::uint32_t> columns, const std::uint32_t* local,
                     const std::uint64_t* matches, std::uint64_t first_word, std::uint8_t* carry) {
  std::array<std::uint64_t, W> positive, negative{};
  positive.fill(~std::uint64_t{0});
  positive[0] = first_word;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::uint64_t* match = matches + W * local[columns[c]];
    std::uint64_t up = carry[c] & 1, down = carry[c] >> 1;
    for (std::size_t w = 0; w < W; ++w) {
      const std::uint64_t vp = positive[w], vn = negative[w];
      const std::uint64_t x = match[w] | down;
      const std::uint64_t d0 = (((x & vp) + vp) ^ vp) | x | vn;
      const std::uint64_t hp = vn | ~(d0 | vp);
      const std::uint64_t hn = d0 & vp;
      const std::uint64_t hp_below = hp << 1 | up;
      const std::uint64_t hn_below = hn << 1 | down;
      up = hp >> (kWordBits - 1);
      down = hn >> (kWordBits - 1);
      positive[w] = hn_below | ~(d0 | hp_below);
      negative[w] = d0 & hp_below;
    }
    carry[c] = static_cast<std::uint8_t>(up | down << 1);
  }
}

/// One pair of texts without common ends, |rows| >= |columns| > 0, prepared for several limits.
class Table {
 public:
  Table(Symbols rows, Symbols columns) {
    Numbering numbering(rows);
    rows_.resize_for_overwrite(rows.size());
    columns_.resize_for_overwrite(columns.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows_[i] = numbering.add(rows[i]);
    for (std::size_t i = 0; i < columns.size(); ++i) columns_[i] = numbering.number(columns[i]);
    local_.resize(numbering.count() + std::size_t{1}, 0);
    carry_.resize_for_overwrite(columns.size());
  }

  /// Returns the distance if it is at most `limit`.
  std::optional<std::size_t> distance_within(std::size_t limit);

 private:
  template <std::size_t W>
  void advance(std::size_t row_begin, std::size_t row_end, std::size_t column_begin, std::size_t column_end);

  PodVector<std::uint32_t> rows_, columns_;  // symbols as numbers
  PodVector<std::uint32_t>
      local_;  // number of a symbol within the stripe, by its number; all 0 between stripes
  PodVector<std::uint64_t> matches_;  // for each local number the rows of the stripe that hold it
  PodVector<std::uint8_t> carry_;     // for each column, see advance_columns()
};

template <std::size_t W>
void Table::advance(std::size_t row_begin, std::size_t row_end, std::size_t column_begin,
                    std::size_t column_end) {
  // A stripe with fewer rows than bits (the first one) leaves its lowest bits to rows that equal the row
  // above: fewer than a word.
  const std::size_t unused = (W * kWordBits - (row_end - row_begin)) % kWordBits;
  matches_.clear();
  matches_.resize((row_end - row_begin + 1) * W, 0);
  std::uint32_t count = 0;
  for (std::size_t row = row_begin; row < row_end; ++row) {
    std::uint32_t& number = local_[rows_[row]];
    if (number == 0) number = ++count;
    const std::size_t bit = row - row_begin + unused;
    matches_[number * W + bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits;
  }
  advance_columns<W>({columns_.data() + column_begin, column_end - column_begin}, local_.data(),
                     matches_.data(), ~std::uint64_t{0} << unused, carry_.data() + column_begin);
  for (std::size_t row = row_begin; row < row_end; ++row) local_[rows_[row]] = 0;
}

std::optional<std::size_t> Table::distance_within(std::size_t limit) {
  const std::size_t row_count = rows_.size(), column_count = columns_.size();
  const std::size_t excess = row_count - column_count;
  limit = std::min(limit, row_count);
  if (excess > limit) return std::nullopt;

  // A path of cost <= limit from corner to corner makes at most `slack` steps beyond the `excess` that it
  // must make. Cells outside of that band get the cost of some path, which is never below their own.
  const std::size_t slack = (limit - excess) / 2;
  const std::size_t stripe_words = limit <= kNarrowBand ? kNarrowStripe : kWideStripe;
  std::fill(carry_.begin(), carry_.end(), std::uint8_t{1});  // row 0: each column costs one more

  std::size_t row = 0, begin = 0;
  std::size_t cost = 0;  // cost of the cell (row, begin)
  while (row < row_count) {
    const std::size_t words_left = (row_count - row + kWordBits - 1) / kWordBits;
    const std::size_t words = words_left % stripe_words == 0 ? stripe_words : words_left % stripe_words;
    const std::size_t row_end = row_count - (words_left - words) * kWordBits;
    const std::size_t end = std::min(column_count, row_end + slack);
    switch (words) {
      case 1:
        advance<1>(row, row_end, begin, end);
        break;
      case 2:
        advance<2>(row, row_end, begin, end);
        break;
      case 3:
        advance<3>(row, row_end, begin, end);
        break;
      default:
        advance<4>(row, row_end, begin, end);
        break;
    }
    cost += row_end - row;
    row = row_end;

    // The next stripe begins at the first column through which a path within the limit can still come.
    const std::size_t band_begin = row - std::min(row, excess + slack);
    const auto rest = [&](std::size_t column) {
      const std::size_t rows_left = row_count - row, columns_left = column_count - column;
      return rows_left > columns_left ? rows_left - columns_left : columns_left - rows_left;
    };
    while (begin < band_begin || cost + rest(begin) > limit) {
      if (begin == end) return std::nullopt;
      cost += carry_[begin] & 1;
      cost -= carry_[begin] >> 1;
      ++begin;
    }
  }
  for (; begin < column_count; ++begin) {
    cost += carry_[begin] & 1;
    cost -= carry_[begin] >> 1;
  }
  return cost <= limit ? std::optional(cost) : std::nullopt;
}

/// Returns the distance if it is at most `limit`, for a text of at most 64 symbols: one word of rows, no heap
/// memory (Hyyro 2003, figure 4).
std::optional<std::size_t> short_distance(Symbols rows, Symbols columns, std::size_t limit) {
  struct Slot {
    std::uint64_t rows;  // rows that hold the symbol; 0: the slot is free
    std::uint32_t symbol;
  };
  constexpr unsigned kSlotBits = 7;  // the table is at most half full
  std::array<Slot, 1u << kSlotBits> slots{};
  const auto slot_of = [&slots](std::uint32_t symbol) -> Slot& {
    std::size_t i = symbol * 0x9E3779B1u >> (32 - kSlotBits);
    while (slots[i].rows != 0 && slots[i].symbol != symbol) i = (i + 1) % slots.size();
    return slots[i];
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Slot& slot = slot_of(rows[row]);
    slot.symbol = rows[row];
    slot.rows |= std::uint64_t{1} << row;
  }
  std::uint64_t positive = ~std::uint64_t{0}, negative = 0;
  std::size_t distance = rows.size();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::uint64_t match = slot_of(columns[c]).rows;
    const std::uint64_t d0 = (((match & positive) + positive) ^ positive) | match | negative;
    const std::uint64_t hp = negative | ~(d0 | positive), hn = d0 & positive;
    distance += hp >> (rows.size() - 1) & 1;
    distance -= hn >> (rows.size() - 1) & 1;
    if (distance > limit && distance - limit > columns.size() - c - 1) return std::nullopt;
    positive = hn << 1 | ~(d0 | (hp << 1 | 1));
    negative = d0 & (hp << 1 | 1);
  }
  return distance;
}

/// True if the symbols alone show that the distance exceeds the limit: a symbol that the other text does not
/// hold, or not as often, has to be edited. Takes one pass over each text, and less for unrelated texts.
/// Symbols that share a counter count as equal, so a result of true is always right.
bool is_surely_above(Symbols a, Symbols b, std::size_t limit) {
  constexpr unsigned kTableBits = 12;
  constexpr std::size_t kBetweenLooks = 32;
  static_assert(kTellingSymbols <= UINT16_MAX);
  std::array<std::uint16_t, std::size_t{1} << kTableBits> held{};
  const auto place_of = [](std::uint32_t symbol) { return symbol * 0x9E3779B1u >> (32 - kTableBits); };
  for (const std::uint32_t symbol : b) ++held[place_of(symbol)];
  std::size_t missing = 0;
  while (!a.empty() && missing <= limit) {
    const Symbols some = a.first(std::min(kBetweenLooks, a.size()));
    for (const std::uint32_t symbol : some) {
      std::uint16_t& times = held[place_of(symbol)];
      const bool there = times != 0;
      times = static_cast<std::uint16_t>(times - there);
      missing += !there;
    }
    a = a.subspan(some.size());
  }
  return missing > limit;
}

}  // namespace

std::optional<std::size_t> edit_distance(Symbols a, Symbols b, std::size_t cutoff) {
  trim_common_ends(a, b);
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > cutoff) return std::nullopt;
  if (b.empty()) return a.size();
  if (b.size() <= kWordBits) return short_distance(b, a, cutoff);

  // The symbols of most unrelated pairs already differ too much. Long texts hold all common symbols, so the
  // check does not help there.
  const bool may_tell = static_cast<double>(cutoff) < kTellingShare * static_cast<double>(a.size());
  if (may_tell && b.size() <= kTellingSymbols && is_surely_above(a, b, cutoff)) return std::nullopt;

  // Columns are cheaper than rows where there are few of them, so the longer text is in the rows.
  Table table(a, b);
  cutoff = std::min(cutoff, a.size());
  if (a.size() <= kDirect) return table.distance_within(cutoff);
  for (std::size_t limit = std::max(kFirstLimit, a.size() / kFirstLimitShare); limit < cutoff;
       limit *= kLimitGrowth)
    if (const auto distance = table.distance_within(limit)) return distance;
  return table.distance_within(cutoff);
}

double edit_similarity(Symbols a, Symbols b, double at_least) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer == 0) return 1;
  // One more than the exact bound: a similarity at the threshold is then decided by the same division that
  // computes it.
  const double most = std::floor((1 - std::clamp(at_least, 0.0, 1.0)) * static_cast<double>(longer)) + 1;
  const auto distance = edit_distance(a, b, static_cast<std::size_t>(most));
  if (!distance) return 0;
  const double similarity = 1 - static_cast<double>(*distance) / static_cast<double>(longer);
  return similarity >= at_least ? similarity : 0;
}

void EditPath::number_rows() {
  const auto bits = static_cast<unsigned>(std::bit_width(2 * a_.size()));
  shift_ = 32 - bits;
  slots_.clear();
  slots_.resize(std::size_t{1} << bits, Slot{0, 0});
  matches_.clear();
  matches_.resize(words_, 0);
  for (std::size_t row = 0; row < a_.size(); ++row) {
    Slot& slot = slot_of(a_[row]);
    if (slot.number == 0) {
      slot = {a_[row], static_cast<std::uint32_t>(matches_.size() / words_)};
      matches_.resize(matches_.size() + words_, 0);
    }
    matches_[slot.number * words_ + row / kWordBits] |= std::uint64_t{1} << row % kWordBits;
  }
}

std::optional<std::size_t> EditPath::find(Symbols a, Symbols b, std::size_t cutoff) {
  a_ = a, b_ = b;
  const std::size_t words = words_ = (a.size() + kWordBits - 1) / kWordBits;
  number_rows();
  across_.resize_for_overwrite(words * b.size());
  above_.resize_for_overwrite(words * b.size());
  positive_.clear();
  positive_.resize(words, ~std::uint64_t{0});
  negative_.clear();
  negative_.resize(words, 0);
  std::uint64_t *across = across_.data(), *above = above_.data();
  std::uint64_t *const positive = positive_.data(), *const negative = negative_.data();
  const std::size_t last = (a.size() - 1) % kWordBits;
  std::size_t distance = a.size();
  for (const std::uint32_t symbol : b) {
    const std::uint64_t* const match = matches_.data() + slot_of(symbol).number * words;
    std::uint64_t up = 1, down = 0, hp = 0, hn = 0;  // row 0: each column costs one more
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t vp = positive[w], vn = negative[w], x = match[w] | down;
      const std::uint64_t d0 = (((x & vp) + vp) ^ vp) | x | vn;
      hp = vn | ~(d0 | vp);
      hn = d0 & vp;
      const std::uint64_t hp_below = hp << 1 | up, hn_below = hn << 1 | down;
      up = hp >> (kWordBits - 1);
      down = hn >> (kWordBits - 1);
      across[w] = d0;
      above[w] = positive[w] = hn_below | ~(d0 | hp_below);
      negative[w] = d0 & hp_below;
    }
    distance += hp >> last & 1;
    distance -= hn >> last & 1;
    across += words;
    above += words;
  }
  return distance <= cutoff ? std::optional(distance) : std::nullopt;
}

EditPath::Step EditPath::last(std::size_t i, std::size_t j) const noexcept {
  if (a_[i - 1] == b_[j - 1]) return Step::equal;
  const std::size_t word = (j - 1) * words_ + (i - 1) / kWordBits, bit = (i - 1) % kWordBits;
  if ((across_[word] >> bit & 1) == 0) return Step::replace;
  return (above_[word] >> bit & 1) != 0 ? Step::remove : Step::add;
}

}  // namespace leitong
