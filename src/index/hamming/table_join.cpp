#include "index/hamming/table_join.hpp"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "index/hamming/scatter.hpp"

namespace leitong::hamming {
namespace {

/// Fingerprints of a partition: both copies of it fit the second-level cache.
constexpr std::uint64_t kPartition = 16 << 10;
constexpr unsigned kMostFirstBits = 13;
/// Fingerprints of a bucket in a table with a radius: enough that comparing outweighs finding it.
constexpr std::uint64_t kRadiusBucket = 64;
constexpr unsigned kMostRadiusBits = 24;
constexpr auto kNoLocal = [] { return 0; };

unsigned bits_for(std::uint64_t size, std::uint64_t each) {
  return size <= each ? 0 : static_cast<unsigned>(std::bit_width((size - 1) / each));
}

/// Digits [low, high) that fit the space together.
struct Slice {
  std::size_t low = 0, high = 0;
};

/// The numbers of buckets that differ from 0 in 1 to `radius` of `bits` bits.
std::vector<std::uint32_t> flips(unsigned bits, unsigned radius) {
  std::vector<std::uint32_t> patterns;
  std::vector<std::uint32_t> last{0};
  for (unsigned errors = 0; errors < std::min(bits, radius); ++errors) {
    std::vector<std::uint32_t> more;
    for (const std::uint32_t pattern : last)
      for (unsigned bit = static_cast<unsigned>(std::bit_width(pattern)); bit < bits; ++bit)
        more.push_back(pattern | 1u << bit);
    patterns.insert(patterns.end(), more.begin(), more.end());
    last = std::move(more);
  }
  return patterns;
}

/// The bits of `mask` that the digit `pattern` stands for.
template <Fingerprint F>
F deposit(std::uint32_t pattern, F mask) {
  F bits{};
  for (unsigned i = 0; i < kBits<F>; ++i) {
    const F bit = single_bit<F>(i);
    if ((mask & bit) == F{}) continue;
    if ((pattern & 1) != 0) bits = bits | bit;
    pattern >>= 1;
  }
  return bits;
}

template <Fingerprint F>
class TableJoin {
 public:
  TableJoin(const JoinInput<F>& input, const TableContext<F>& context, TableSpace<F>& space, EdgeLog<F>& log)
      : input_(input),
        context_(context),
        table_(context.plan.tables[context.table]),
        space_(space),
        shape_(table_shape(table_, input.size())),
        first_(context.order.best(table_.key, shape_.first_bits)),
        locals_([this, &log] { return std::make_unique<BucketJoin<F>>(context_, log); }) {}

  Result<CompareFigures> run() {
    for (int side = 0; side < sides(); ++side) {
      LEITONG_ASSIGN(counts_[side], count_digits(source(side), first_, context_.kernels));
    }
    LEITONG_ASSIGN(const std::vector<Slice> slices, cut());
    for (const Slice slice : slices) LEITONG_TRY(run(slice));
    CompareFigures figures;
    for (const auto& local : locals_) {
      LEITONG_TRY(local->flush());
      figures += local->figures();
    }
    return figures;
  }

 private:
  [[nodiscard]] int sides() const noexcept { return input_.right == nullptr ? 1 : 2; }
  [[nodiscard]] const Source<F>& source(int side) const noexcept {
    return side == 0 ? input_.left : *input_.right;
  }

  Result<std::vector<Slice>> cut() const {
    std::vector<Slice> slices{{0, 0}};
    std::uint64_t in_slice = 0;
    for (std::size_t digit = 0; digit < counts_[0].digits; ++digit) {
      std::uint64_t here = 0;
      for (int side = 0; side < sides(); ++side) here += counts_[side].of_digit(digit);
      if (here > space_.most || here > ~std::uint32_t{0})
        return fail(
            ErrorCode::limit,
            fmt::format("{} fingerprints agree in {} bits, and there is room for {} at once; allow more "
                        "memory, {} bytes at least",
                        here, shape_.first_bits, space_.most, here * sizeof(F) * 2));
      if (in_slice + here > space_.most) {
        slices.push_back({digit, digit});
        in_slice = 0;
      }
      slices.back().high = digit + 1;
      in_slice += here;
    }
    if (slices.size() > 1 && table_.radius > 0)
      return fail(
          ErrorCode::limit,
          fmt::format("a table with radius {} needs all {} fingerprints in memory at once, and there is "
                      "room for {}; allow more memory or choose a plan without radii",
                      table_.radius, input_.size(), space_.most));
    return slices;
  }

  Result<void> run(Slice slice) {
    for (int side = 0; side < sides(); ++side) {
      std::uint64_t size = 0;
      for (std::size_t digit = slice.low; digit < slice.high; ++digit) size += counts_[side].of_digit(digit);
      if (space_.side[side].size() < size) {
        space_.side[side] = HugeArray<F>();
        space_.side[side] = HugeArray<F>(size);
      }
      LEITONG_TRY(scatter(source(side), first_, slice.low, slice.high, counts_[side], context_.kernels,
                          std::span<F>(space_.side[side].data(), size), begins_[side]));
    }
    if (table_.radius > 0) return run_radius();
    return parallel_for_each(slice.high - slice.low, kNoLocal, [&](std::size_t digit, int) {
      BucketJoin<F>& join = *locals_.local();
      return sides() == 1 ? join.self(partition(0, digit), first_)
                          : join.between(partition(0, digit), partition(1, digit), first_);
    });
  }

  [[nodiscard]] std::span<F> partition(int side, std::size_t digit) noexcept {
    return {space_.side[side].data() + begins_[side][digit],
            space_.side[side].data() + begins_[side][digit + 1]};
  }

  Result<void> run_radius() {
    const F rest = context_.order.best(table_.key & ~first_, shape_.rest_bits);
    const std::size_t partitions = std::size_t{1} << shape_.first_bits;
    const std::size_t buckets = partitions << shape_.rest_bits;
    PodVector<std::uint32_t> from[2], to[2];  // bucket by bucket, counted from its partition's begin
    for (int side = 0; side < sides(); ++side) {
      from[side].resize_for_overwrite(buckets);
      to[side].resize_for_overwrite(buckets);
    }
    const auto arrange = [&](std::size_t digit, int) -> Result<void> {
      for (int side = 0; side < sides(); ++side)
        locals_.local()->arrange(partition(side, digit), rest,
                                 from[side].data() + (digit << shape_.rest_bits),
                                 to[side].data() + (digit << shape_.rest_bits));
      return {};
    };
    LEITONG_TRY(parallel_for_each(partitions, kNoLocal, arrange));
    const auto bucket_of = [&](int side, std::size_t bucket) -> std::span<F> {
      F* base = space_.side[side].data() + begins_[side][bucket >> shape_.rest_bits];
      return {base + from[side][bucket], base + to[side][bucket]};
    };

    struct Flip {
      std::uint32_t pattern;
      F apart;
    };
    std::vector<Flip> near;
    for (const std::uint32_t pattern : flips(shape_.first_bits + shape_.rest_bits, table_.radius))
      near.push_back({pattern, deposit<F>(pattern & ((1u << shape_.rest_bits) - 1), rest) |
                                   deposit<F>(pattern >> shape_.rest_bits, first_)});
    return parallel_for_each(partitions, kNoLocal, [&](std::size_t digit, int) -> Result<void> {
      BucketJoin<F>& join = *locals_.local();
      for (std::size_t bucket = digit << shape_.rest_bits; bucket < (digit + 1) << shape_.rest_bits;
           ++bucket) {
        const std::span<F> here = bucket_of(0, bucket);
        if (here.empty()) continue;
        if (sides() == 1) {
          LEITONG_TRY(join.within(here));
        } else {
          LEITONG_TRY(join.across(here, bucket_of(1, bucket), F{}));
        }
        for (const Flip& flip : near) {
          const std::size_t other = bucket ^ flip.pattern;
          if (sides() == 2 || other > bucket)
            LEITONG_TRY(join.across(here, bucket_of(sides() - 1, other), flip.apart));
        }
      }
      return {};
    });
  }

  const JoinInput<F>& input_;
  const TableContext<F>& context_;
  const Table<F>& table_;
  TableSpace<F>& space_;
  const TableShape shape_;
  const F first_;
  DigitCounts counts_[2];
  std::vector<std::uint64_t> begins_[2];
  tbb::enumerable_thread_specific<std::unique_ptr<BucketJoin<F>>> locals_;
};

}  // namespace

template <Fingerprint F>
TableShape table_shape(const Table<F>& table, std::uint64_t size) {
  TableShape shape;
  const unsigned key = table.key_bits();
  shape.first_bits = std::min({bits_for(size, kPartition), kMostFirstBits, key});
  if (table.radius > 0)
    shape.rest_bits = std::min({bits_for(size, kRadiusBucket), kMostRadiusBits, key}) - shape.first_bits;
  return shape;
}

template <Fingerprint F>
Result<CompareFigures> join_table(const JoinInput<F>& input, const TableContext<F>& context,
                                  TableSpace<F>& space, EdgeLog<F>& log) {
  return TableJoin<F>(input, context, space, log).run();
}

template TableShape table_shape(const Table<Fingerprint64>&, std::uint64_t);
template TableShape table_shape(const Table<Fingerprint128>&, std::uint64_t);
template Result<CompareFigures> join_table(const JoinInput<Fingerprint64>&,
                                           const TableContext<Fingerprint64>&, TableSpace<Fingerprint64>&,
                                           EdgeLog<Fingerprint64>&);
template Result<CompareFigures> join_table(const JoinInput<Fingerprint128>&,
                                           const TableContext<Fingerprint128>&, TableSpace<Fingerprint128>&,
                                           EdgeLog<Fingerprint128>&);

}  // namespace leitong::hamming
