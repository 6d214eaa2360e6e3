#include "index/hamming/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace leitong::hamming {
namespace {

/// A set of blocks; bit i stands for block i.
using BlockSet = std::uint32_t;
constexpr unsigned kMostBlocks = 24;

/// Every set of `size` of the blocks first .. first + count - 1, appended in rising order. REQUIRES 0 < size
/// <= count.
void append_subsets(unsigned first, unsigned count, unsigned size, std::vector<BlockSet>& sets) {
  BlockSet set = (BlockSet{1} << size) - 1;
  while (set < BlockSet{1} << count) {
    sets.push_back(set << first);
    // The next number with as many ones: the top one of the lowest run moves left, the others of the run to
    // the bottom.
    const BlockSet lowest = set & -set, carried = set + lowest;
    set = carried | (set ^ carried) / lowest >> 2;
  }
}

std::uint64_t binomial(unsigned n, unsigned k) {
  std::uint64_t result = 1;
  for (unsigned i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

bool is_quadruple_system(unsigned blocks, unsigned size, unsigned errors) {
  return blocks == 8 && size == 4 && errors == 3;
}

/// Sizes of disjoint groups of blocks such that no `errors` blocks touch all `size`-sets of all groups; none
/// if `blocks` do not add up.
///
/// At least s - size + 1 blocks are needed to touch all `size`-sets of s blocks, and these numbers add up for
/// disjoint groups, so groups of s_i blocks with sum(s_i - size + 1) = errors + 1 suffice. That is Turan's
/// construction; with one group it gives all combinations.
std::vector<unsigned> group_sizes(unsigned blocks, unsigned size, unsigned errors) {
  if (blocks <= errors || blocks > kMostBlocks) return {};
  unsigned groups = 1;
  if (size == 1) {
    if (blocks != errors + 1) return {};
  } else {
    if ((blocks - errors - 1) % (size - 1) != 0) return {};
    groups = (blocks - errors - 1) / (size - 1);
    if (groups == 0 || groups > errors + 1) return {};
  }
  std::vector<unsigned> sizes;
  for (unsigned group = 0; group < groups; ++group)
    sizes.push_back((errors + 1) / groups + (group < (errors + 1) % groups ? 1 : 0) + size - 1);
  return sizes;
}

std::uint64_t count_key_sets(unsigned blocks, unsigned size, unsigned errors) {
  if (is_quadruple_system(blocks, size, errors)) return 14;
  std::uint64_t count = 0;
  for (const unsigned group : group_sizes(blocks, size, errors)) count += binomial(group, size);
  return count;
}

/// Key sets of `size` blocks out of `blocks`, such that no `errors` blocks touch all of them.
std::vector<BlockSet> key_sets(unsigned blocks, unsigned size, unsigned errors) {
  std::vector<BlockSet> sets;
  if (is_quadruple_system(blocks, size, errors)) {
    // The Steiner quadruple system of order 8: its quadruples come in complementary pairs, and any three
    // points lie in one, so they are missing from its complement.
    append_subsets(0, 8, 4, sets);
    std::erase_if(sets, [](BlockSet set) {
      unsigned sum = 0;
      for (unsigned i = 0; i < 8; ++i)
        if ((set >> i & 1) != 0) sum ^= i;
      return sum != 0;
    });
    return sets;
  }
  unsigned first = 0;
  for (const unsigned group : group_sizes(blocks, size, errors)) {
    append_subsets(first, group, size, sets);
    first += group;
  }
  return sets;
}

template <Fingerprint F>
std::vector<Table<F>> tables_of(const std::vector<BlockSet>& sets, unsigned block_count) {
  const std::vector<F> blocks = cut_into_blocks(~F{}, block_count);
  std::vector<Table<F>> tables;
  for (const BlockSet set : sets) {
    F key{};
    for (unsigned i = 0; i < block_count; ++i)
      if ((set >> i & 1) != 0) key = key | blocks[i];
    tables.push_back({key, 0});
  }
  return tables;
}

template <Fingerprint F>
std::vector<Table<F>> pigeonhole(unsigned block_count, unsigned distance) {
  std::vector<Table<F>> tables;
  const unsigned radii = distance + 1 - block_count;
  const std::vector<F> blocks = cut_into_blocks(~F{}, block_count);
  for (unsigned i = 0; i < block_count; ++i)
    tables.push_back({blocks[i], radii / block_count + (i < radii % block_count ? 1 : 0)});
  return tables;
}

/// The numbers of "NAME7_5_3" after NAME; nothing for text of another form.
std::optional<std::vector<unsigned>> numbers_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::vector<unsigned> numbers;
  const char* at = name.data() + prefix.size();
  const char* const end = name.data() + name.size();
  for (;;) {
    unsigned number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number > 1000) return std::nullopt;
    numbers.push_back(number);
    if (stop == end) return numbers;
    if (*stop != '_') return std::nullopt;
    at = stop + 1;
  }
}

template <Fingerprint F>
std::vector<Table<F>> tables_by_name(std::string_view name, unsigned distance) {
  if (name == "scan") return {Table<F>{}};
  if (const auto n = numbers_after(name, "blocks"); n && n->size() == 1) {
    const unsigned blocks = (*n)[0];
    return blocks >= 1 && blocks <= distance + 1 ? pigeonhole<F>(blocks, distance) : std::vector<Table<F>>{};
  }
  if (const auto n = numbers_after(name, "choose"); n && n->size() == 2) {
    const unsigned blocks = (*n)[0], size = (*n)[1];
    if (size == 0 || blocks != distance + size || blocks > kMostBlocks) return {};
    return tables_of<F>(key_sets(blocks, size, distance), blocks);
  }
  if (const auto n = numbers_after(name, "cover"); n && n->size() == 3) {
    const unsigned blocks = (*n)[0], omitted = (*n)[1], errors = (*n)[2];
    if (omitted >= blocks || blocks > kMostBlocks || errors < distance) return {};
    return tables_of<F>(key_sets(blocks, blocks - omitted, errors), blocks);
  }
  return {};
}

/// Bits that lie in the same keys, and for each table how often it counts an error among them.
struct Region {
  unsigned bits = 0;
  std::vector<bool> in_key;
};

class Completeness {
 public:
  Completeness(std::vector<Region> regions, std::vector<unsigned> radii)
      : regions_(std::move(regions)), radii_(std::move(radii)), errors_(radii_.size()), last_(radii_.size()) {
    for (std::size_t region = 0; region < regions_.size(); ++region)
      for (std::size_t table = 0; table < radii_.size(); ++table)
        if (regions_[region].in_key[table]) last_[table] = region + 1;
  }

  /// For every way to put `left` errors into the regions from `region` on: does some table find it?
  bool holds(std::size_t region, unsigned left) {
    for (std::size_t table = 0; table < radii_.size(); ++table)
      if (errors_[table] <= radii_[table] && (left == 0 || last_[table] <= region)) return true;
    if (left == 0 || region == regions_.size()) return false;
    for (unsigned here = 0; here <= std::min(left, regions_[region].bits); ++here) {
      count(region, here);
      const bool found = holds(region + 1, left - here);
      count(region, 0u - here);
      if (!found) return false;
    }
    return true;
  }

 private:
  void count(std::size_t region, unsigned errors) {
    for (std::size_t table = 0; table < radii_.size(); ++table)
      if (regions_[region].in_key[table]) errors_[table] += errors;
  }

  std::vector<Region> regions_;
  std::vector<unsigned> radii_, errors_;
  std::vector<std::size_t> last_;  // the last region with bits of a table's key
};

}  // namespace

template <Fingerprint F>
std::vector<F> cut_into_blocks(F mask, unsigned count) {
  const unsigned bits = count_ones(mask);
  std::vector<F> blocks(count, F{});
  unsigned seen = 0;
  for (unsigned i = 0; i < kBits<F>; ++i) {
    const F bit = single_bit<F>(i);
    if ((mask & bit) == F{}) continue;
    F& block = blocks[std::size_t{seen++} * count / bits];
    block = block | bit;
  }
  return blocks;
}

template <Fingerprint F>
Result<Plan<F>> named_plan(std::string_view name, unsigned distance) {
  if (distance > kMaxDistance)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("distance {} is beyond {}, the largest that plans are made for", distance, kMaxDistance));
  std::vector<Table<F>> tables = tables_by_name<F>(name, distance);
  if (tables.empty()) {
    const std::vector<std::string> known = plan_names<F>(distance, 40);
    return fail(ErrorCode::invalid_argument,
                fmt::format("no plan \"{}\" finds all within distance {}; try {}", name, distance,
                            fmt::join(known, ", ")));
  }
  return Plan<F>{std::string(name), distance, std::move(tables)};
}

template <Fingerprint F>
std::vector<std::string> plan_names(unsigned distance, std::size_t most_tables) {
  std::vector<std::string> names{"scan"};
  for (unsigned blocks = std::min(2u, distance + 1); blocks <= distance + 1; ++blocks)
    if (blocks <= most_tables) names.push_back(fmt::format("blocks{}", blocks));
  const auto fits = [&](unsigned blocks, unsigned size) {
    const std::uint64_t tables = count_key_sets(blocks, size, distance);
    return tables > 0 && tables <= most_tables;
  };
  for (unsigned size = 2; size <= 5; ++size)
    if (fits(distance + size, size)) names.push_back(fmt::format("choose{}_{}", distance + size, size));
  for (unsigned size = 2; size <= 4; ++size)
    // One group is "choose", and groups of one set each are "blocks".
    for (unsigned blocks = distance + size + 1; blocks < size * (distance + 1); ++blocks)
      if (fits(blocks, size)) names.push_back(fmt::format("cover{}_{}_{}", blocks, blocks - size, distance));
  return names;
}

template <Fingerprint F>
bool is_complete(const Plan<F>& plan) {
  std::map<std::vector<bool>, unsigned> bits_of;
  for (unsigned i = 0; i < kBits<F>; ++i) {
    std::vector<bool> in_key;
    in_key.reserve(plan.tables.size());
    for (const Table<F>& table : plan.tables) in_key.push_back((table.key & single_bit<F>(i)) != F{});
    ++bits_of[in_key];
  }
  std::vector<Region> regions;
  regions.reserve(bits_of.size());
  for (const auto& [in_key, bits] : bits_of) regions.push_back({bits, in_key});
  std::vector<unsigned> radii;
  radii.reserve(plan.tables.size());
  for (const Table<F>& table : plan.tables) radii.push_back(table.radius);
  // More errors are never easier to find, so patterns with fewer need no check.
  return Completeness(std::move(regions), std::move(radii)).holds(0, std::min(plan.distance, kBits<F>));
}

template std::vector<Fingerprint64> cut_into_blocks(Fingerprint64, unsigned);
template std::vector<Fingerprint128> cut_into_blocks(Fingerprint128, unsigned);
template Result<Plan<Fingerprint64>> named_plan(std::string_view, unsigned);
template Result<Plan<Fingerprint128>> named_plan(std::string_view, unsigned);
template std::vector<std::string> plan_names<Fingerprint64>(unsigned, std::size_t);
template std::vector<std::string> plan_names<Fingerprint128>(unsigned, std::size_t);
template bool is_complete(const Plan<Fingerprint64>&);
template bool is_complete(const Plan<Fingerprint128>&);

}  // namespace leitong::hamming
