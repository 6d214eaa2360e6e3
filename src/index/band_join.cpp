#include "index/band_join.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <tuple>
#include <vector>

#include "base/hash.hpp"
#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

struct Entry {
  std::uint64_t key;
  std::uint32_t row;
};

/// So many bits take four passes of radix sort. A collision of keys only brings together rows that are then
/// compared by their values.
constexpr unsigned kKeyBits = 44;
constexpr std::size_t kMostInBatch = 4096;
constexpr std::uint32_t kNoRow = UINT32_MAX;

class Join {
 public:
  Join(const SignatureTable& table, const BandJoinOptions& options, const RowPairsFn& emit)
      : table_(table), options_(options), emit_(emit), rows_(table.preference.size()) {
    assert(options.banding.bands <= 64 && options.banding.values() <= table.values_per_row);
    starred_bands_.resize(rows_, 0);
    leaders_.resize(rows_, {kNoRow, kNoRow});
  }

  Result<BandJoinFigures> run() {
    for (unsigned band = 0; band < options_.banding.bands; ++band) {
      LEITONG_TRY(options_.stop.check());
      sort_by(band);
      for (std::size_t begin = 0, end; begin < entries_.size(); begin = end) {
        end = begin + 1;
        while (end < entries_.size() && entries_[end].key == entries_[begin].key) ++end;
        const std::span<const Entry> group(entries_.data() + begin, end - begin);
        LEITONG_TRY(group.size() <= options_.largest_group ? pair_all(group, band)
                                                           : pair_with_leaders(group, band));
      }
    }
    for (const std::uint64_t bands : starred_bands_) figures_.starred_rows += bands != 0 ? 1 : 0;
    LEITONG_TRY(hand_over());
    return figures_;
  }

 private:
  [[nodiscard]] std::span<const MinhashValue> band_of(std::uint32_t row, unsigned band) const {
    const std::size_t length = options_.banding.rows;
    return table_.values.subspan(row * table_.values_per_row + band * length, length);
  }
  [[nodiscard]] bool agree(std::uint32_t a, std::uint32_t b, unsigned band) const {
    return std::ranges::equal(band_of(a, band), band_of(b, band));
  }

  void sort_by(unsigned band) {
    entries_.resize_for_overwrite(rows_);
    for (std::uint32_t row = 0; row < rows_; ++row) {
      std::uint64_t key = 0;
      for (const MinhashValue value : band_of(row, band)) key = mix64(std::rotl(key, 16) ^ value);
      entries_[row] = {key & ((std::uint64_t{1} << kKeyBits) - 1), row};
    }
    radix_sort(entries_, scratch_, 0, kKeyBits, [](const Entry& entry) { return entry.key; });
  }

  Result<void> pair_all(std::span<const Entry> group, unsigned band) {
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const std::uint32_t a = group[i].row, b = group[j].row;
        if (agree(a, b, band) && !paired_before(a, b, band)) LEITONG_TRY(add(a, b));
      }
    return {};
  }

  /// Did an earlier band pair these two, in a group within the limit?
  [[nodiscard]] bool paired_before(std::uint32_t a, std::uint32_t b, unsigned band) const {
    for (unsigned earlier = 0; earlier < band; ++earlier)
      if ((starred_bands_[a] >> earlier & 1) == 0 && agree(a, b, earlier)) return true;
    return false;
  }

  Result<void> pair_with_leaders(std::span<const Entry> group, unsigned band) {
    ++figures_.large_groups;
    std::array<std::uint32_t, 2> leaders;
    const auto before = [&](std::uint32_t x, std::uint32_t y) {
      return std::tie(table_.preference[x], x) < std::tie(table_.preference[y], y);
    };
    leaders = {group[0].row, group[1].row};
    if (before(leaders[1], leaders[0])) std::swap(leaders[0], leaders[1]);
    for (const Entry& entry : group.subspan(2)) {
      if (!before(entry.row, leaders[1])) continue;
      leaders[1] = entry.row;
      if (before(leaders[1], leaders[0])) std::swap(leaders[0], leaders[1]);
    }
    for (const Entry& entry : group) {
      starred_bands_[entry.row] |= std::uint64_t{1} << band;
      for (std::size_t i = 0; i < leaders.size(); ++i) {
        // A leader is paired with the other leader; others with both leaders, unless the previous pairs were
        // the same.
        if (entry.row == leaders[i] || (i == 1 && entry.row == leaders[0])) continue;
        if (std::ranges::find(leaders_[entry.row], leaders[i]) != leaders_[entry.row].end()) continue;
        LEITONG_TRY(add(entry.row, leaders[i]));
      }
      leaders_[entry.row] = leaders;
    }
    return {};
  }

  Result<void> add(std::uint32_t a, std::uint32_t b) {
    batch_.push_back({std::min(a, b), std::max(a, b)});
    return batch_.size() == kMostInBatch ? hand_over() : Result<void>{};
  }

  Result<void> hand_over() {
    if (batch_.empty()) return {};
    figures_.pairs += batch_.size();
    LEITONG_TRY(emit_(batch_));
    batch_.clear();
    return {};
  }

  const SignatureTable& table_;
  const BandJoinOptions& options_;
  const RowPairsFn& emit_;
  std::size_t rows_;
  PodVector<Entry> entries_, scratch_;
  PodVector<std::uint64_t>
      starred_bands_;  // for each row a bit for each band in which its group was above the limit
  PodVector<std::array<std::uint32_t, 2>> leaders_;  // for each row the rows that it was last paired with
  std::vector<RowPair> batch_;
  BandJoinFigures figures_;
};

}  // namespace

Result<BandJoinFigures> band_join(const SignatureTable& table, const BandJoinOptions& options,
                                  const RowPairsFn& emit) {
  return Join(table, options, emit).run();
}

}  // namespace leitong
