#include "index/hamming/search/level_builder.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "index/hamming/packed_sort.hpp"
#include "index/hamming/search/level_reader.hpp"
#include "index/hamming/search/probe_kernel.hpp"
#include "index/hamming/search/split_plan.hpp"
#include "index/hamming/search/table_scatter.hpp"

namespace leitong::hamming {
namespace {

/// Fewer fingerprints are arranged faster than other threads could start.
constexpr std::uint32_t kWorthThreads = 20000;
/// Rows that are read at once.
constexpr std::uint64_t kRowsAtATime = 4096;

/// Key and value as one number that sorts as the table does: together they have as many bits as a
/// fingerprint.
Fingerprint64 packed(Coded<Fingerprint64> coded, unsigned key_bits) noexcept {
  return key_bits == 0 ? coded.value : std::uint64_t{coded.key} << (64 - key_bits) | coded.value;
}
Fingerprint128 packed(Coded<Fingerprint128> coded, unsigned key_bits) noexcept {
  if (key_bits == 0) return coded.value;
  return {coded.value.low, std::uint64_t{coded.key} << (64 - key_bits) | coded.value.high};
}
template <Fingerprint F>
std::uint32_t key_of(F packed, unsigned key_bits) noexcept {
  return key_bits == 0 ? 0 : static_cast<std::uint32_t>(bits_below(packed, kBits<F>, key_bits));
}

/// Calls emit(sorted values) for all values that `for_each(fn)` passes to fn.
template <class T, unsigned kWidth, class ForEach, class Emit>
Result<void> in_order(std::uint64_t count, const ForEach& for_each, const Emit& emit) {
  PodVector<T> values, scratch;
  values.reserve(count);
  LEITONG_TRY(for_each([&](const T& value) { values.push_back(value); }));
  scratch.resize_for_overwrite(values.size());
  sort_by_leading_bits(values.data(), scratch.data(), values.size(), kWidth, true);
  emit(std::span<const T>(values));
  return {};
}

/// A table that is filled in order.
template <Fingerprint F>
class TableFiller {
 public:
  TableFiller(const TableShape<F>& shape, std::uint64_t most)
      : key_bits_(shape.key_bits()),
        size_(shape.entry_bytes()),
        value_mask_(lowest_bits(~F{}, shape.value_bits())),
        directory_((std::size_t{1} << key_bits_) + 1),
        entries_(most * size_ + kEntrySlack) {}

  void append(F packed) noexcept {
    ++directory_[std::size_t{key_of(packed, key_bits_)} + 1];
    const F value = packed & value_mask_;
    // Entries are written in order, so the next one overwrites the excess bytes.
    std::memcpy(entries_.data() + count_++ * size_, &value, sizeof value);
  }
  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(count_); }
  typename LevelImage<F>::Table finish() && {
    for (std::size_t i = 1; i < directory_.size(); ++i) directory_[i] += directory_[i - 1];
    const std::size_t end = count_ * size_;
    std::memset(entries_.data() + end, 0, kEntrySlack);
    return {std::move(directory_), std::move(entries_)};
  }

 private:
  unsigned key_bits_;
  std::size_t size_;
  F value_mask_;
  HugeArray<std::uint32_t> directory_;
  HugeArray<std::uint8_t> entries_;
  std::uint64_t count_ = 0;
};

/// A table with the nodes of its over-full buckets.
template <Fingerprint F>
struct BuiltTable {
  struct Child {
    std::uint32_t key;
    std::vector<BuiltTable> tables;
  };
  TableShape<F> shape;
  typename LevelImage<F>::Table data;
  std::vector<Child> children;

  [[nodiscard]] TableParts<F> parts() const noexcept {
    return {shape, data.directory.span(), data.entries.data()};
  }
};

/// A table of distinct fingerprints.
template <Fingerprint F, class ForEach>
Result<BuiltTable<F>> build_table(const TableShape<F>& shape, std::uint64_t count, std::uint64_t sort_most,
                                  const ForEach& for_each) {
  if (count > sort_most) {
    TableScatter<F> scatter(shape);
    LEITONG_TRY(for_each([&](F fingerprint) { scatter.count({fingerprint, 0}); }));
    scatter.begin_putting({});
    LEITONG_TRY(for_each([&](F fingerprint) { scatter.put({fingerprint, 0}); }));
    scatter.finish([](std::uint32_t, std::uint64_t) {});
    return BuiltTable<F>{shape, {scatter.take_directory(), scatter.take_entries()}, {}};
  }
  const TableCode<F> code(shape);
  TableFiller<F> filler(shape, count);
  const auto packed_of_each = [&](const auto& fn) -> Result<void> {
    return for_each([&](F fingerprint) { fn(packed(code.encode(fingerprint), shape.key_bits())); });
  };
  const auto append = [&](std::span<const F> values) {
    for (const F value : values) filler.append(value);
  };
  if (auto done = in_order<F, kBits<F>>(count, packed_of_each, append); !done)
    return tl::unexpected(std::move(done).error());
  return BuiltTable<F>{shape, std::move(filler).finish(), {}};
}

template <Fingerprint F>
void split_buckets(BuiltTable<F>& table, unsigned distance);

template <Fingerprint F>
std::vector<BuiltTable<F>> build_node(const std::vector<F>& fingerprints,
                                      const std::vector<TableShape<F>>& shapes, unsigned distance) {
  std::vector<BuiltTable<F>> tables;
  for (const TableShape<F>& shape : shapes) {
    const auto for_each = [&](const auto& fn) -> Result<void> {
      for (const F fingerprint : fingerprints) fn(fingerprint);
      return {};
    };
    tables.push_back(*build_table<F>(shape, fingerprints.size(), fingerprints.size(),
                                     for_each));  // reading from memory does not fail
    split_buckets(tables.back(), distance);
  }
  return tables;
}

/// Gives over-full buckets their own tables, if this makes searches faster.
template <Fingerprint F>
void split_buckets(BuiltTable<F>& table, unsigned distance) {
  const TableParts<F> parts = table.parts();
  const TableReader<F> reader(parts);
  std::vector<F> fingerprints;
  for (std::uint32_t key = 0; key + 1 < parts.directory.size(); ++key) {
    if (parts.directory[key + 1] - parts.directory[key] <= kSplitAbove) continue;
    fingerprints.clear();
    reader.bucket(key, [&](F fingerprint) { fingerprints.push_back(fingerprint); });
    const auto shapes = split_shapes<F>(fingerprints, ~table.shape.mask, distance);
    if (shapes.empty()) continue;
    table.children.push_back({key, build_node(fingerprints, shapes, distance)});
  }
}

/// Takes the rows in order and makes the groups and the ids from them.
template <Fingerprint F>
class RowTaker {
 public:
  /// The image may already hold the ids, each at or after its final place.
  explicit RowTaker(LevelImage<F>& image) : image_(image) {}

  void take(std::uint32_t position, std::uint64_t id) {
    if (position != last_ || rows_ == 0) {
      last_ = position;
    } else if (image_.groups.empty() || image_.groups.back().position != position) {
      image_.groups.push_back({position, rows_ - position - 1});
    }
    if (image_.narrow_ids.size() > 0)
      image_.narrow_ids[rows_++] = static_cast<std::uint32_t>(id);
    else
      image_.wide_ids[rows_++] = id;
  }
  void finish(std::uint32_t fingerprints) {
    image_.groups.push_back({fingerprints, rows_ - fingerprints});
    image_.parts.rows = rows_;
    image_.parts.fingerprints = fingerprints;
  }

 private:
  LevelImage<F>& image_;
  std::uint32_t rows_ = 0, last_ = 0;
};

template <Fingerprint F>
void make_id_room(LevelImage<F>& image, std::uint64_t rows, std::uint64_t largest) {
  if (largest <= 0xffffffff)
    image.narrow_ids = HugeArray<std::uint32_t>(rows);
  else
    image.wide_ids = HugeArray<std::uint64_t>(rows);
}

/// Builds the first table and, with it, the positions, the groups and the ids.
template <Fingerprint F>
Result<BuiltTable<F>> build_first(const RowSource<F>& source, const TableShape<F>& shape,
                                  std::uint64_t sort_most, StopToken stop, LevelImage<F>& image) {
  const TableCode<F> code(shape);
  std::uint64_t largest = 0;
  std::vector<Row<F>> batch;
  const auto for_each = [&](const auto& fn) -> Result<void> {
    for (std::uint64_t first = 0; first < source.size(); first += kRowsAtATime) {
      batch.clear();
      LEITONG_TRY(stop.check());
      LEITONG_TRY(source.read(first, std::min(kRowsAtATime, source.size() - first), batch));
      for (const Row<F>& row : batch) fn(row);
    }
    return {};
  };
  RowTaker<F> taker(image);
  if (source.size() > sort_most) {
    TableScatter<F> scatter(shape);
    LEITONG_TRY(for_each([&](const Row<F>& row) {
      largest = std::max(largest, row.id);
      scatter.count(row);
    }));
    make_id_room(image, source.size(), largest);
    scatter.begin_putting({image.narrow_ids.span(), image.wide_ids.span()});
    LEITONG_TRY(for_each([&](const Row<F>& row) { scatter.put(row); }));
    taker.finish(scatter.finish([&](std::uint32_t position, std::uint64_t id) { taker.take(position, id); }));
    return BuiltTable<F>{shape, {scatter.take_directory(), scatter.take_entries()}, {}};
  }
  TableFiller<F> filler(shape, source.size());
  const auto packed_rows = [&](const auto& fn) {
    return for_each([&](const Row<F>& row) {
      largest = std::max(largest, row.id);
      fn(Row<F>{packed(code.encode(row.fingerprint), shape.key_bits()), row.id});
    });
  };
  const auto append = [&](std::span<const Row<F>> sorted) {
    make_id_room(image, source.size(), largest);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i > 0 && sorted[i] == sorted[i - 1]) continue;
      if (i == 0 || sorted[i].fingerprint != sorted[i - 1].fingerprint) filler.append(sorted[i].fingerprint);
      taker.take(filler.count() - 1, sorted[i].id);
    }
  };
  if (auto done = in_order<Row<F>, kBits<F>>(source.size(), packed_rows, append); !done)
    return tl::unexpected(std::move(done).error());
  taker.finish(filler.count());
  return BuiltTable<F>{shape, std::move(filler).finish(), {}};
}

/// Lays out the tables of a tree, one node after another.
template <Fingerprint F>
void flatten(std::vector<BuiltTable<F>> tables, LevelImage<F>& image) {
  LevelParts<F>& parts = image.parts;
  struct Pending {
    std::vector<BuiltTable<F>> tables;
  };
  std::vector<Pending> pending;
  pending.push_back({std::move(tables)});
  for (std::size_t node = 0; node < pending.size(); ++node) {
    std::vector<BuiltTable<F>> own = std::move(pending[node].tables);
    parts.nodes.push_back(
        {static_cast<std::uint32_t>(parts.tables.size()), static_cast<std::uint32_t>(own.size())});
    for (BuiltTable<F>& table : own) {
      const auto number = static_cast<std::uint32_t>(parts.tables.size());
      parts.tables.push_back(table.parts());
      image.tables.push_back(std::move(table.data));
      for (auto& child : table.children) {
        parts.splits.push_back({number, child.key, static_cast<std::uint32_t>(pending.size())});
        pending.push_back({std::move(child.tables)});
      }
    }
  }
}

template <Fingerprint F>
TableShape<F> shape_for(const Table<F>& table, std::uint64_t fingerprints, const BitOrder<F>& order) {
  // A visit to a bucket costs as much as several comparisons, more if more buckets are visited together.
  const std::uint64_t load = table.radius == 0 ? 6 : table.radius == 1 ? 12 : 24;
  const auto wanted = static_cast<unsigned>(std::bit_width(fingerprints / load));
  const unsigned most = count_ones(table.key);
  if constexpr (kBits<F> == 64)
    if (table.radius == 1 && most >= 31 && wanted >= 25)
      return {order.best(table.key, 31), 1, BucketCode::hamming31};
  return {order.best(table.key, std::min({wanted, most, 27u})), table.radius, BucketCode::plain};
}

}  // namespace

template <Fingerprint F>
Result<std::vector<TableShape<F>>> level_shapes(const Plan<F>& plan, std::uint64_t fingerprints,
                                                const BitOrder<F>& order) {
  std::vector<TableShape<F>> shapes;
  for (const Table<F>& table : plan.tables) {
    if (table.radius > kMaxRadius)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("plan {}: has a radius of {}, an index takes up to {}; take more blocks",
                              plan.name, table.radius, kMaxRadius));
    shapes.push_back(shape_for(table, fingerprints, order));
  }
  return shapes;
}

template <Fingerprint F>
Result<std::unique_ptr<LevelImage<F>>> build_level(const RowSource<F>& source,
                                                   const std::vector<TableShape<F>>& shapes,
                                                   unsigned distance, std::vector<Row<F>> removed,
                                                   StopToken stop, std::uint64_t sort_most) {
  if (source.size() >= 0xffffffff)
    return fail(
        ErrorCode::limit,
        fmt::format("{} rows: a level holds less than 2^32 - 1; build several levels", source.size()));
  auto image = std::make_unique<LevelImage<F>>();
  std::vector<BuiltTable<F>> tables(shapes.size());
  LEITONG_ASSIGN(tables[0], build_first(source, shapes[0], sort_most, stop, *image));

  const TableParts<F> first = tables[0].parts();
  const TableReader<F> reader(first);
  const std::uint32_t fingerprints = image->parts.fingerprints;
  const auto build = [&](std::size_t i) {
    if (stop.stop_requested()) return;
    if (i > 0) {
      const auto for_each = [&](const auto& fn) -> Result<void> {
        reader.all(fn);
        return {};
      };
      tables[i] =
          *build_table<F>(shapes[i], fingerprints, sort_most, for_each);  // reading from memory does not fail
    }
    split_buckets(tables[i], distance);
  };
  if (fingerprints < kWorthThreads)
    for (std::size_t i = 0; i < tables.size(); ++i) build(i);
  else
    tbb::parallel_for(std::size_t{0}, tables.size(), build);
  LEITONG_TRY(stop.check());

  flatten(std::move(tables), *image);
  std::sort(removed.begin(), removed.end());
  removed.erase(std::unique(removed.begin(), removed.end()), removed.end());
  image->removed = std::move(removed);
  LevelParts<F>& parts = image->parts;
  parts.distance = distance;
  parts.groups = image->groups;
  parts.narrow_ids = image->narrow_ids.span().first(image->narrow_ids.size() == 0 ? 0 : parts.rows);
  parts.wide_ids = image->wide_ids.span().first(image->wide_ids.size() == 0 ? 0 : parts.rows);
  parts.removed = image->removed;
  return image;
}

template Result<std::vector<TableShape<Fingerprint64>>> level_shapes(const Plan<Fingerprint64>&,
                                                                     std::uint64_t,
                                                                     const BitOrder<Fingerprint64>&);
template Result<std::vector<TableShape<Fingerprint128>>> level_shapes(const Plan<Fingerprint128>&,
                                                                      std::uint64_t,
                                                                      const BitOrder<Fingerprint128>&);
template Result<std::unique_ptr<LevelImage<Fingerprint64>>> build_level(
    const RowSource<Fingerprint64>&, const std::vector<TableShape<Fingerprint64>>&, unsigned,
    std::vector<Row<Fingerprint64>>, StopToken, std::uint64_t);
template Result<std::unique_ptr<LevelImage<Fingerprint128>>> build_level(
    const RowSource<Fingerprint128>&, const std::vector<TableShape<Fingerprint128>>&, unsigned,
    std::vector<Row<Fingerprint128>>, StopToken, std::uint64_t);

}  // namespace leitong::hamming
