#include "index/hamming/join/table_join.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "index/hamming/join/scatter.hpp"

namespace leitong::hamming {
namespace {

/// Digits [low, high) that together fit in the space.
struct Slice {
  std::size_t low = 0, high = 0;
};

/// The numbers of `bits` bits with 1 to `radius` ones: the differences to other buckets.
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

/// The bits of `mask` for which the digit `pattern` stands.
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
class PassJoin {
 public:
  PassJoin(const JoinInput<F>& input, const JoinContext<F>& context, const TablePass<F>& pass,
           std::span<const DigitCounts> counts, TableSpace<F>& space, EdgeLog<F>& log)
      : input_(input), context_(context), pass_(pass), counts_(counts), space_(space), locals_([this, &log] {
          return BucketJoin<F>(context_, log);
        }) {}

  Result<CompareFigures> run() {
    LEITONG_ASSIGN(const std::vector<Slice> slices, cut());
    for (const Slice slice : slices) LEITONG_TRY(run(slice));
    CompareFigures figures;
    const auto gather = [&](BucketJoin<F>& local) -> Result<void> {
      LEITONG_TRY(local.flush());
      figures += local.figures();
      return {};
    };
    LEITONG_TRY(locals_.for_each(gather));
    return figures;
  }

 private:
  [[nodiscard]] int sides() const noexcept { return input_.right == nullptr ? 1 : 2; }
  [[nodiscard]] unsigned radius() const noexcept { return context_.plan.tables[pass_.tables[0]].radius; }
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
                        here, count_ones(pass_.first), space_.most, here * sizeof(F) * 2));
      if (in_slice + here > space_.most) {
        slices.push_back({digit, digit});
        in_slice = 0;
      }
      slices.back().high = digit + 1;
      in_slice += here;
    }
    if (slices.size() > 1 && radius() > 0)
      return fail(
          ErrorCode::limit,
          fmt::format("a table with radius {} needs all {} fingerprints in memory at once, and there is "
                      "room for {}; allow more memory or choose a plan without radii",
                      radius(), input_.size(), space_.most));
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
      LEITONG_TRY(scatter(source(side), pass_.first, slice.low, slice.high, counts_[side], context_.kernels,
                          context_.stop, std::span<F>(space_.side[side].data(), size), begins_[side]));
    }
    if (radius() > 0) return run_radius();
    return parallel_for_each(context_.stop, slice.high - slice.low, [&](std::size_t digit) -> Result<void> {
      BucketJoin<F>& join = locals_.local();
      for (const std::size_t table : pass_.tables) {
        join.turn_to(table);
        LEITONG_TRY(sides() == 1 ? join.self(partition(0, digit), pass_.first)
                                 : join.between(partition(0, digit), partition(1, digit), pass_.first));
      }
      return {};
    });
  }

  [[nodiscard]] std::span<F> partition(int side, std::size_t digit) noexcept {
    return {space_.side[side].data() + begins_[side][digit],
            space_.side[side].data() + begins_[side][digit + 1]};
  }

  Result<void> run_radius() {
    const unsigned first_bits = count_ones(pass_.first), rest_bits = count_ones(pass_.rest);
    const std::size_t partitions = std::size_t{1} << first_bits;
    const std::size_t buckets = partitions << rest_bits;
    PodVector<std::uint32_t> from[2], to[2];  // bucket by bucket, counted from the begin of its partition
    for (int side = 0; side < sides(); ++side) {
      from[side].resize_for_overwrite(buckets);
      to[side].resize_for_overwrite(buckets);
    }
    const auto arrange = [&](std::size_t digit) -> Result<void> {
      locals_.local().turn_to(pass_.tables[0]);
      for (int side = 0; side < sides(); ++side)
        locals_.local().arrange(partition(side, digit), pass_.rest, from[side].data() + (digit << rest_bits),
                                to[side].data() + (digit << rest_bits));
      return {};
    };
    LEITONG_TRY(parallel_for_each(context_.stop, partitions, arrange));
    const auto bucket_of = [&](int side, std::size_t bucket) -> std::span<F> {
      F* base = space_.side[side].data() + begins_[side][bucket >> rest_bits];
      return {base + from[side][bucket], base + to[side][bucket]};
    };

    struct Flip {
      std::uint32_t pattern;
      F apart;
    };
    std::vector<Flip> near;
    for (const std::uint32_t pattern : flips(first_bits + rest_bits, radius()))
      near.push_back({pattern, deposit<F>(pattern & ((1u << rest_bits) - 1), pass_.rest) |
                                   deposit<F>(pattern >> rest_bits, pass_.first)});
    return parallel_for_each(context_.stop, partitions, [&](std::size_t digit) -> Result<void> {
      BucketJoin<F>& join = locals_.local();
      join.turn_to(pass_.tables[0]);
      for (std::size_t bucket = digit << rest_bits; bucket < (digit + 1) << rest_bits; ++bucket) {
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
  const JoinContext<F>& context_;
  const TablePass<F>& pass_;
  const std::span<const DigitCounts> counts_;
  TableSpace<F>& space_;
  std::vector<std::uint64_t> begins_[2];
  PerThread<BucketJoin<F>> locals_;
};

}  // namespace

template <Fingerprint F>
Result<CompareFigures> join_pass(const JoinInput<F>& input, const JoinContext<F>& context,
                                 const TablePass<F>& pass, std::span<const DigitCounts> counts,
                                 TableSpace<F>& space, EdgeLog<F>& log) {
  return PassJoin<F>(input, context, pass, counts, space, log).run();
}

template Result<CompareFigures> join_pass(const JoinInput<Fingerprint64>&, const JoinContext<Fingerprint64>&,
                                          const TablePass<Fingerprint64>&, std::span<const DigitCounts>,
                                          TableSpace<Fingerprint64>&, EdgeLog<Fingerprint64>&);
template Result<CompareFigures> join_pass(const JoinInput<Fingerprint128>&,
                                          const JoinContext<Fingerprint128>&,
                                          const TablePass<Fingerprint128>&, std::span<const DigitCounts>,
                                          TableSpace<Fingerprint128>&, EdgeLog<Fingerprint128>&);

}  // namespace leitong::hamming
