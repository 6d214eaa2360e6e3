#include "index/hamming/join/bucket_join.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/try.hpp"
#include "index/hamming/unique.hpp"

namespace leitong::hamming {
namespace {

/// From this size on it pays to sort a bucket for a split.
constexpr std::size_t kOverfull = 1024;
/// The number of values in a bucket at which further grouping no longer pays: one register.
constexpr std::size_t kBucket = 8;
/// The most bits of a grouping step that stays within the caches.
constexpr unsigned kMostGroupBits = 15;
constexpr std::size_t kRoom = 4096;
/// After so many comparisons for each value, a crowd is split instead of connected.
constexpr std::uint64_t kConnectFor = 4096;

constexpr std::uint64_t all_pairs(std::uint64_t n) { return n * (n - 1) / 2; }

}  // namespace

unsigned bits_to_group_by(std::size_t count) noexcept {
  const auto bits = count <= kBucket ? 0 : static_cast<unsigned>(std::bit_width((count - 1) / kBucket));
  return std::min(bits, kMostGroupBits);
}

template <Fingerprint F>
BucketJoin<F>::BucketJoin(const JoinContext<F>& context, EdgeLog<F>& log) : context_(context), writer_(log) {
  hits_.resize_for_overwrite(kRoom);
}

template <Fingerprint F>
void BucketJoin<F>::turn_to(std::size_t table) {
  const std::vector<Table<F>>& tables = context_.plan.tables;
  number_ = table;
  table_ = tables[table];
  earlier_.assign(tables.begin(), tables.begin() + static_cast<std::ptrdiff_t>(table));
}

template <Fingerprint F>
F BucketJoin<F>::rest_of_key(std::size_t count, F fixed) const {
  const F left = table_.key & ~fixed;
  return context_.order.best(left, std::min(bits_to_group_by(count), count_ones(left)));
}

template <Fingerprint F>
void BucketJoin<F>::group(std::span<const F> values, F mask, PodVector<std::uint32_t>& begins, F* out) const {
  const std::size_t digits = std::size_t{1} << count_ones(mask);
  begins.resize_for_overwrite(digits + 2);
  context_.kernels.group(as_words(values.data()), values.size(), as_words(&mask), digits, begins.data(),
                         as_words(out));
}

template <Fingerprint F>
Result<void> BucketJoin<F>::self(std::span<const F> values, F fixed) {
  const F rest = rest_of_key(values.size(), fixed);
  if (grouped_[0].size() < values.size()) grouped_[0] = HugeArray<F>(values.size() + values.size() / 4);
  group(values, rest, begins_[0], grouped_[0].data());
  const std::span<F> grouped{grouped_[0].data(), values.size()};
  const std::size_t buckets = std::size_t{1} << count_ones(rest);
  for (std::size_t bucket = 0; bucket < buckets;) {
    const std::size_t found =
        context_.kernels.pairs_in_buckets(as_words(grouped.data()), begins_[0].data(), bucket, buckets,
                                          context_.plan.distance, kSmallBucket, hits_.data(), kRoom);
    LEITONG_TRY(keep_hits(grouped, found));
    if (bucket == buckets) break;
    const std::uint32_t begin = begins_[0][bucket], size = begins_[0][bucket + 1] - begin;
    if (size <= kSmallBucket) continue;  // there was only no room for its hits
    LEITONG_TRY(
        crowd(unique(grouped.subspan(begin, size), number_ == 0), {~(fixed | rest), context_.plan.distance}));
    ++bucket;
  }
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::uint32_t size = begins_[0][bucket + 1] - begins_[0][bucket];
    if (size <= kSmallBucket) figures_.compared += all_pairs(size);
  }
  return {};
}

template <Fingerprint F>
Result<void> BucketJoin<F>::between(std::span<const F> left, std::span<const F> right, F fixed) {
  if (left.empty() || right.empty()) return {};
  const F rest = rest_of_key(std::max(left.size(), right.size()), fixed);
  const std::span<const F> sides[2] = {left, right};
  for (int side = 0; side < 2; ++side) {
    if (grouped_[side].size() < sides[side].size())
      grouped_[side] = HugeArray<F>(sides[side].size() + sides[side].size() / 4);
    group(sides[side], rest, begins_[side], grouped_[side].data());
  }
  const std::size_t buckets = std::size_t{1} << count_ones(rest);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    std::span<F> in_bucket[2];
    for (int side = 0; side < 2; ++side)
      in_bucket[side] = {grouped_[side].data() + begins_[side][bucket],
                         grouped_[side].data() + begins_[side][bucket + 1]};
    if (in_bucket[0].empty() || in_bucket[1].empty()) continue;
    LEITONG_TRY(crowds(unique(in_bucket[0], false), unique(in_bucket[1], false),
                       {~(fixed | rest), context_.plan.distance}));
  }
  return {};
}

template <Fingerprint F>
void BucketJoin<F>::arrange(std::span<F> values, F rest, std::uint32_t* begins, std::uint32_t* ends) {
  if (grouped_[0].size() < values.size()) grouped_[0] = HugeArray<F>(values.size() + values.size() / 4);
  group(values, rest, begins_[0], grouped_[0].data());
  std::uint32_t to = 0;
  for (std::size_t bucket = 0; bucket < std::size_t{1} << count_ones(rest); ++bucket) {
    const std::span<F> kept = unique(
        {grouped_[0].data() + begins_[0][bucket], grouped_[0].data() + begins_[0][bucket + 1]}, number_ == 0);
    std::copy(kept.begin(), kept.end(), values.data() + to);
    begins[bucket] = to;
    to += static_cast<std::uint32_t>(kept.size());
    ends[bucket] = to;
  }
}

template <Fingerprint F>
Result<void> BucketJoin<F>::within(std::span<F> bucket) {
  return crowd(bucket, {~table_.key, context_.plan.distance});
}

template <Fingerprint F>
Result<void> BucketJoin<F>::across(std::span<F> x, std::span<F> y, F apart) {
  return crowds(x, y, {~table_.key, context_.plan.distance - count_ones(apart)});
}

template <Fingerprint F>
std::span<F> BucketJoin<F>::unique(std::span<F> values, bool report) {
  if (values.size() < 2) return values;
  const std::size_t kept = keep_unique(values, slots_, [&](F value) {
    if (!report) return;
    writer_.repeated(value);
    ++figures_.repeated;
  });
  return values.first(kept);
}

/// Takes hits of the kernel, and drops pairs of equal values.
template <Fingerprint F>
Result<void> BucketJoin<F>::keep_hits(std::span<const F> values, std::size_t count) {
  const std::span<const PairHit> hits{hits_.data(), count};
  for (const PairHit& hit : hits) {
    if (values[hit.a] != values[hit.b]) continue;
    if (dead_.size() < values.size()) dead_.resize(values.size());
    if (dead_[hit.b]) continue;
    dead_[hit.b] = true;
    died_.push_back(hit.b);
    if (number_ != 0) continue;
    writer_.repeated(values[hit.b]);
    ++figures_.repeated;
  }
  for (const PairHit& hit : hits) {
    if (!died_.empty() && (dead_[hit.a] || dead_[hit.b])) continue;
    LEITONG_TRY(keep(values[hit.a], values[hit.b]));
  }
  for (const std::uint32_t at : died_) dead_[at] = false;
  died_.clear();
  return {};
}

template <Fingerprint F>
Result<void> BucketJoin<F>::keep(F x, F y) {
  const F difference = x ^ y;
  // Small partitions are grouped by only a part of the key. One guess holds for all tables, because which
  // table finds a pair is irregular.
  bool own = table_.finds(difference);
  for (const Table<F>& table : earlier_) own = own & !table.finds(difference);
  if (!own) return {};
  return writer_.edge(x, y);
}

template <Fingerprint F>
Result<void> BucketJoin<F>::crowd(std::span<F> values, Slack slack) {
  if (values.size() < 2) return {};
  if (values.size() <= kSmallBucket) {
    const std::uint32_t begins[2] = {0, static_cast<std::uint32_t>(values.size())};
    std::size_t bucket = 0;
    figures_.compared += all_pairs(values.size());
    return keep_hits(
        values, context_.kernels.pairs_in_buckets(as_words(values.data()), begins, bucket, 1,
                                                  context_.plan.distance, kSmallBucket, hits_.data(), kRoom));
  }
  if (values.size() < kOverfull) return compare_all(values);
  if (context_.spanning) {
    LEITONG_ASSIGN(const std::size_t left, connect(values, kConnectFor * values.size()));
    values = values.first(left);
  }
  const std::vector<F> keys = split_keys(values, {}, slack);
  if (keys.empty()) {
    if (!context_.spanning) return compare_all(values);
    LEITONG_TRY(connect(values, ~std::uint64_t{0}));
    return {};
  }
  ++figures_.splits;
  const std::size_t outside = earlier_.size();
  PodVector<F> grouped;
  PodVector<std::uint32_t> begins;
  grouped.resize_for_overwrite(values.size());
  for (const F key : keys) {
    group(values, key, begins, grouped.data());
    for (std::size_t bucket = 0; bucket < std::size_t{1} << count_ones(key); ++bucket)
      LEITONG_TRY(crowd({grouped.data() + begins[bucket], grouped.data() + begins[bucket + 1]},
                        {slack.free & ~key, slack.errors}));
    // Edges whose ends agree in this key were found here, so later keys skip them.
    earlier_.push_back({key, 0});
  }
  earlier_.resize(outside);
  return {};
}

template <Fingerprint F>
Result<void> BucketJoin<F>::crowds(std::span<F> left, std::span<F> right, Slack slack) {
  if (left.empty() || right.empty()) return {};
  std::vector<F> keys;
  if (std::max(left.size(), right.size()) >= kOverfull && std::min(left.size(), right.size()) >= kSmallBucket)
    keys = split_keys(left, right, slack);
  if (keys.empty()) return compare_across(left, right);
  ++figures_.splits;
  const std::size_t outside = earlier_.size();
  PodVector<F> grouped[2];
  PodVector<std::uint32_t> begins[2];
  grouped[0].resize_for_overwrite(left.size());
  grouped[1].resize_for_overwrite(right.size());
  for (const F key : keys) {
    group(left, key, begins[0], grouped[0].data());
    group(right, key, begins[1], grouped[1].data());
    for (std::size_t bucket = 0; bucket < std::size_t{1} << count_ones(key); ++bucket)
      LEITONG_TRY(crowds({grouped[0].data() + begins[0][bucket], grouped[0].data() + begins[0][bucket + 1]},
                         {grouped[1].data() + begins[1][bucket], grouped[1].data() + begins[1][bucket + 1]},
                         {slack.free & ~key, slack.errors}));
    earlier_.push_back({key, 0});
  }
  earlier_.resize(outside);
  return {};
}

template <Fingerprint F>
Result<void> BucketJoin<F>::compare_all(std::span<const F> values) {
  scan_hits_.resize_for_overwrite(values.size());
  figures_.compared += all_pairs(values.size());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    LEITONG_TRY(context_.stop.check());
    const std::span<const F> rest = values.subspan(i + 1);
    const std::size_t found = context_.kernels.scan(as_words(rest.data()), rest.size(), as_words(&values[i]),
                                                    context_.plan.distance, scan_hits_.data());
    for (std::size_t hit = 0; hit < found; ++hit) LEITONG_TRY(keep(values[i], rest[scan_hits_[hit]]));
  }
  return {};
}

template <Fingerprint F>
Result<void> BucketJoin<F>::compare_across(std::span<const F> left, std::span<const F> right) {
  // The longer side is scanned, because calls cost more than comparisons.
  const bool swapped = left.size() > right.size();
  const std::span<const F> rows = swapped ? right : left, columns = swapped ? left : right;
  scan_hits_.resize_for_overwrite(columns.size());
  figures_.compared += rows.size() * columns.size();
  for (const F row : rows) {
    LEITONG_TRY(context_.stop.check());
    const std::size_t found = context_.kernels.scan(as_words(columns.data()), columns.size(), as_words(&row),
                                                    context_.plan.distance, scan_hits_.data());
    for (std::size_t hit = 0; hit < found; ++hit) {
      const F column = columns[scan_hits_[hit]];
      LEITONG_TRY(swapped ? keep(column, row) : keep(row, column));
    }
  }
  return {};
}

template <Fingerprint F>
std::uint64_t BucketJoin<F>::comparisons(std::span<const F> left, std::span<const F> right, F key) {
  const std::size_t digits = std::size_t{1} << count_ones(key);
  std::vector<std::uint64_t> counts[2];
  counts[0].resize(digits);
  context_.kernels.count(as_words(left.data()), left.size(), as_words(&key), counts[0].data());
  if (!right.empty()) {
    counts[1].resize(digits);
    context_.kernels.count(as_words(right.data()), right.size(), as_words(&key), counts[1].data());
  }
  std::uint64_t sum = 0;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    const std::uint64_t here = counts[0][digit];
    if (here != 0) sum += right.empty() ? all_pairs(here) : here * counts[1][digit];
  }
  return sum;
}

template <Fingerprint F>
std::vector<F> BucketJoin<F>::split_keys(std::span<const F> left, std::span<const F> right, Slack slack) {
  const std::span<const F> larger = left.size() > right.size() ? left : right;
  std::vector<F> keys =
      BitOrder<F>(larger).deal(slack.free, slack.errors + 1, bits_to_group_by(larger.size()));
  std::uint64_t split = 0;
  for (const F key : keys) split += comparisons(left, right, key);
  const std::uint64_t whole = right.empty() ? all_pairs(left.size()) : left.size() * right.size();
  if (split > whole / 2) keys.clear();
  return keys;
}

template <Fingerprint F>
Result<std::size_t> BucketJoin<F>::connect(std::span<F> values, std::uint64_t most) {
  // The search is breadth first. A reached value is compared only with unreached values, of which a dense
  // crowd soon has few.
  std::size_t left = values.size();  // [0, left) is unreached, [left, next) reached, [next, end) finished
  std::size_t next = left;
  scan_hits_.resize_for_overwrite(values.size());
  std::uint64_t compared = 0;
  while (left > 0 && compared < most) {
    if (left == next) --left;  // a new component
    const F value = values[--next];
    const std::size_t found = context_.kernels.scan(as_words(values.data()), left, as_words(&value),
                                                    context_.plan.distance, scan_hits_.data());
    compared += left;
    for (std::size_t hit = found; hit-- > 0;) {
      // Kept even if another table finds it, because that table may rely on this path.
      LEITONG_TRY(writer_.edge(value, values[scan_hits_[hit]]));
      std::swap(values[scan_hits_[hit]], values[--left]);
    }
  }
  figures_.compared += compared;
  return left == 0 ? 0 : next;
}

template class BucketJoin<Fingerprint64>;
template class BucketJoin<Fingerprint128>;

}  // namespace leitong::hamming
