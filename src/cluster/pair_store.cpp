#include "cluster/pair_store.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <tuple>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

constexpr unsigned kFootingShift = 8, kPassageShift = 16;  // stored with the measure
// Stored with `beside`: 1 if the later document leaves.
constexpr unsigned kRenamedShift = 1, kOtherSignsShift = 2;

/// A share is stored in 16 bits.
constexpr float kWhole = 65'535;
std::uint32_t pack_part(float part) { return static_cast<std::uint32_t>(std::lround(part * kWhole)); }
float unpack_part(std::uint32_t bits) { return static_cast<float>(bits) / kWhole; }

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }

std::array<std::uint64_t, 3> pack(const VerifiedPair& pair) {
  return {join_halves(pair.a, pair.b), join_halves(bits(pair.jaccard), bits(pair.containment)),
          join_halves(bits(pair.score), static_cast<std::uint32_t>(pair.measure) |
                                            static_cast<std::uint32_t>(pair.standing) << kFootingShift |
                                            std::uint32_t{pair.passage_units} << kPassageShift)};
}

std::array<std::uint64_t, 3> pack_own(const VerifiedPair& pair) {
  const WithoutTemplate& own = pair.own;
  return {join_halves(pair.a, pair.b), join_halves(bits(own.jaccard), bits(own.containment)),
          join_halves(own.families, pack_part(own.template_share) << 16 | pack_part(own.rare_share))};
}

std::array<std::uint64_t, 5> pack_loss(DocId leaves, DocId stays, const Loss& loss) {
  const std::uint32_t kinds = std::uint32_t{leaves > stays} | std::uint32_t{loss.renamed} << kRenamedShift |
                              std::uint32_t{loss.other_signs} << kOtherSignsShift;
  return {join_halves(std::min(leaves, stays), std::max(leaves, stays)), join_halves(kinds, loss.own),
          join_halves(loss.lost, loss.reworded), join_halves(loss.in_stretches, loss.longest),
          join_halves(loss.numbers, loss.longest_at)};
}

/// Sorts records by their first words, of which the last `bits` bits differ, then by `less`, and keeps one of
/// those with the same `key` (their first words).
template <std::size_t kWords, class Less = std::less<>>
void sort_records(PodVector<std::uint64_t>& words, unsigned bits, std::size_t key, Less less = {}) {
  using Record = std::array<std::uint64_t, kWords>;
  PodVector<Record> records, scratch;
  records.resize_for_overwrite(words.size() / kWords);
  for (std::size_t i = 0; i < records.size(); ++i)
    std::copy_n(&words[i * kWords], kWords, records[i].begin());
  radix_sort(records, scratch, 0, bits, [](const Record& record) { return record[0]; });
  const auto same = [&](const Record& x, const Record& y) {
    return std::equal(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(key), y.begin());
  };
  words.clear();
  for (Record *begin = records.begin(), *end; begin != records.end(); begin = end) {
    for (end = begin + 1; end != records.end() && (*end)[0] == (*begin)[0];) ++end;
    std::sort(begin, end, less);
    std::for_each(begin, std::unique(begin, end, same), [&](const Record& record) { words.append(record); });
  }
}

}  // namespace

bool goes_before(const VerifiedPair& x, const VerifiedPair& y) noexcept {
  return std::tuple(x.a, x.b, x.measure, -x.score, y.standing) <
         std::tuple(y.a, y.b, y.measure, -y.score, x.standing);
}

VerifiedPair PairStore::unpack(const std::uint64_t* words) noexcept {
  const std::uint32_t kind = low_half(words[2]);
  return {high_half(words[0]),
          low_half(words[0]),
          number(high_half(words[1])),
          number(low_half(words[1])),
          number(high_half(words[2])),
          static_cast<Measure>(kind & 0xFF),
          static_cast<PairStanding>(kind >> kFootingShift & 0xFF),
          {},
          static_cast<std::uint16_t>(kind >> kPassageShift)};
}

WithoutTemplate PairStore::unpack_own(const std::uint64_t* words) noexcept {
  return {number(high_half(words[1])), number(low_half(words[1])), unpack_part(low_half(words[2]) >> 16),
          unpack_part(low_half(words[2]) & 0xFFFF), high_half(words[2])};
}

PairStore::PairStore(std::uint64_t documents, RunContext& run)
    : run_(run),
      partitions_(run),
      own_(run),
      losses_(run),
      writer_(partitions_),
      own_writer_(own_),
      loss_writer_(losses_),
      shift_(Partitions::shift_for(documents)) {}

Result<void> PairStore::add(const VerifiedPair& pair) {
  const unsigned partition = pair.a >> shift_;
  new_pairs_.set(partition);
  if (pair.own.asked()) LEITONG_TRY(own_writer_.append(partition, pack_own(pair)));
  return writer_.append(partition, pack(pair));
}

Result<void> PairStore::add_loss(DocId leaves, DocId stays, const Loss& loss) {
  const unsigned partition = std::min(leaves, stays) >> shift_;
  new_losses_.set(partition);
  return loss_writer_.append(partition, pack_loss(leaves, stays, loss));
}

void PairStore::unpack_loss(const std::uint64_t* words, PairLosses& losses) noexcept {
  const std::uint32_t kind = high_half(words[1]);
  ((kind & 1) != 0 ? losses.b : losses.a) = Loss{low_half(words[1]),
                                                 high_half(words[2]),
                                                 low_half(words[2]),
                                                 high_half(words[3]),
                                                 low_half(words[3]),
                                                 low_half(words[4]),
                                                 high_half(words[4]),
                                                 (kind & 1U << kRenamedShift) != 0,
                                                 (kind & 1U << kOtherSignsShift) != 0};
}

Result<void> PairStore::sort() {
  LEITONG_TRY(writer_.flush());
  LEITONG_TRY(own_writer_.flush());
  LEITONG_TRY(loss_writer_.flush());
  const auto sort_partition = [&](std::size_t partition, PodVector<std::uint64_t>& words) -> Result<void> {
    const auto sort_in = [&](Partitions& of, auto sort) -> Result<void> {
      LEITONG_TRY(of.take(static_cast<unsigned>(partition), words));
      sort();
      return of.put(static_cast<unsigned>(partition), words);
    };
    const unsigned bits = 32 + shift_;
    if (new_losses_.test(partition))
      LEITONG_TRY(sort_in(losses_, [&] { sort_records<kLossWords>(words, bits, 2); }));
    if (!new_pairs_.test(partition)) return {};
    LEITONG_TRY(sort_in(own_, [&] { sort_records<kWords>(words, bits, 1); }));
    return sort_in(partitions_, [&] {
      sort_records<kWords>(words, bits, 1, [](const auto& x, const auto& y) {
        return goes_before(unpack(x.data()), unpack(y.data()));
      });
    });
  };
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return PodVector<std::uint64_t>(); }, sort_partition));
  new_pairs_.reset();
  new_losses_.reset();
  return {};
}

}  // namespace leitong
