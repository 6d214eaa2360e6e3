#include "index/hamming/search/level.hpp"

#include <algorithm>
#include <array>

#include "base/try.hpp"
#include "index/hamming/search/level_order.hpp"
#include "index/hamming/search/level_reader.hpp"
#include "index/hamming/search/radii.hpp"

namespace leitong::hamming {
namespace {

/// The first group at or after `position`; the last group always is. Without branches, because they would be
/// unpredictable.
const Group* group_from(std::span<const Group> groups, std::uint32_t position) noexcept {
  const Group* first = groups.data();
  for (std::size_t count = groups.size(); count > 1;) {
    const std::size_t half = count / 2;
    first += first[half - 1].position < position ? half : 0;
    count -= half;
  }
  return first;
}

}  // namespace

template <Fingerprint F>
Level<F>::Level(std::unique_ptr<LevelImage<F>> image) : Level(image->parts, std::move(image), nullptr) {}

template <Fingerprint F>
Level<F>::Level(LevelParts<F> parts, std::unique_ptr<LevelImage<F>>&& image,
                std::unique_ptr<SectionFile> file)
    : parts_(std::move(parts)),
      image_(std::move(image)),
      file_(std::move(file)),
      kernels_(&probe_kernels<F>(simd_level())) {
  make_probe_tables();
}

template <Fingerprint F>
void Level<F>::use_kernels(Simd level) noexcept {
  kernels_ = &probe_kernels<F>(level);
}

template <Fingerprint F>
void Level<F>::make_probe_tables() {
  std::map<unsigned, unsigned> radii;  // the largest radius for each number of key bits
  for (const TableParts<F>& table : parts_.tables) {
    unsigned& radius = radii[table.shape.key_bits()];
    if (table.shape.code == BucketCode::plain) radius = std::max(radius, table.shape.radius);
  }
  for (const auto& [key_bits, radius] : radii) flips_[key_bits] = flips_of(key_bits, radius);
  for (const Split& split : parts_.splits) {
    split_keys_.push_back(split.key);
    split_nodes_.push_back(split.node);
  }
  runs_.reserve(2 * parts_.tables.size());
  auto split = parts_.splits.begin();
  for (std::uint32_t i = 0; i < parts_.tables.size(); ++i) {
    const TableParts<F>& table = parts_.tables[i];
    const TableShape<F>& shape = table.shape;
    ProbeTable& probe = probe_tables_.emplace_back();
    probe.mask[0] = word(shape.mask, 0);
    probe.mask[1] = kWords<F> == 2 ? word(shape.mask, 1) : 0;
    probe.directory = table.directory.data();
    probe.entries = table.entries;
    many_visits_ = many_visits_ || (shape.code == BucketCode::plain && shape.radius > 0);
    const std::vector<std::uint32_t>& flips = flips_[shape.key_bits()];
    probe.flips = flips.data();
    for (unsigned radius = 0; radius <= kMaxRadius; ++radius)
      probe.flips_within[radius] =
          static_cast<std::uint32_t>(std::upper_bound(flips.begin(), flips.end(), radius,
                                                      [](unsigned most, std::uint32_t flip) {
                                                        return most < count_ones(Fingerprint64{flip});
                                                      }) -
                                     flips.begin());
    probe.balls = hamming31_balls().data();
    const auto end = std::find_if(split, parts_.splits.end(), [&](const Split& s) { return s.table != i; });
    const auto first = static_cast<std::size_t>(split - parts_.splits.begin());
    probe.split_keys = split_keys_.data() + first;
    probe.split_nodes = split_nodes_.data() + first;
    probe.splits = static_cast<std::uint32_t>(end - split);
    split = end;
    probe.mask_runs = &runs_.emplace_back(runs_of(shape.mask));
    probe.rest_runs = &runs_.emplace_back(runs_of(~shape.mask));
    probe.rest_bits = static_cast<std::uint8_t>(kBits<F> - count_ones(shape.mask));
    probe.value_bits = static_cast<std::uint8_t>(shape.value_bits());
    probe.entry_bytes = static_cast<std::uint8_t>(shape.entry_bytes());
    probe.code = shape.code;
  }
}

template <Fingerprint F>
Result<void> Level<F>::search(std::span<const F> queries, std::span<std::int16_t> limits, HitRule rule,
                              Scratch& scratch, std::vector<Hit<F>>& hits) const {
  if (parts_.rows == 0) return {};
  scratch.raw.clear();
  scratch.exclusions.clear();
  LEITONG_TRY(search_node(0, queries, limits, rule, scratch.exclusions, scratch));
  for (std::size_t first = 0; first < scratch.raw.size(); first += kLocateMost) {
    const std::size_t count = std::min(kLocateMost, scratch.raw.size() - first);
    LEITONG_TRY(append_rows(std::span(scratch.raw).subspan(first, count), rule, scratch, hits));
  }
  return {};
}

template <Fingerprint F>
Result<void> Level<F>::search_node(std::uint32_t node_number, std::span<const F> queries,
                                   std::span<std::int16_t> limits, HitRule rule,
                                   std::vector<Exclusion>& exclusions, Scratch& scratch) const {
  const int most = *std::max_element(limits.begin(), limits.end());
  if (most < 0) return {};
  const Node& node = parts_.nodes[node_number];
  const std::size_t before = exclusions.size();
  for (std::uint32_t i = 0; i < node.tables; ++i)
    exclusions.push_back(exclusion_of(parts_.tables[node.first_table + i].shape));
  const std::span own = std::span(exclusions).subspan(before);
  lower_radii(own, static_cast<unsigned>(most));
  if (!checked()) LEITONG_TRY(check_probes(node, queries, limits, own));

  struct Sink {
    std::vector<RawHit<F>>& raw;
    std::vector<SplitProbe> splits;
  } sink{scratch.raw, {}};
  std::array<RawHit<F>, 64> hit_room;
  std::array<SplitProbe, 64> split_room;
  ProbeGroup<F> group{};
  group.tables = probe_tables_.data() + node.first_table;
  group.exclusions = exclusions.data();
  group.table_count = node.tables;
  group.before = static_cast<std::uint32_t>(before);
  group.queries = queries.data();
  group.limits = limits.data();
  group.query_count = static_cast<std::uint32_t>(queries.size());
  group.rule = rule;
  group.positions = node_number == 0;
  if (many_visits_ && rule == HitRule::all) {
    if (scratch.visits.size() == 0) {
      scratch.visits = HugeArray<std::uint32_t>(kOrderedVisits);
      scratch.begins = HugeArray<std::uint32_t>((std::size_t{1} << kOrderedKeyBits) + 1);
    }
    group.visits = scratch.visits.data();
    group.begins = scratch.begins.data();
  }
  group.hits = hit_room.data();
  group.hit_room = hit_room.size();
  group.split_probes = split_room.data();
  group.split_room = split_room.size();
  group.owner = &sink;
  group.drain_hits = [](ProbeGroup<F>& full) {
    auto& to = static_cast<Sink*>(full.owner)->raw;
    to.insert(to.end(), full.hits, full.hits + full.hit_count);
    full.hit_count = 0;
  };
  group.drain_splits = [](ProbeGroup<F>& full) {
    auto& to = static_cast<Sink*>(full.owner)->splits;
    to.insert(to.end(), full.split_probes, full.split_probes + full.split_count);
    full.split_count = 0;
  };
  kernels_->search(group);
  group.drain_hits(group);
  group.drain_splits(group);
  if (!sink.splits.empty())
    LEITONG_TRY(search_splits(sink.splits, before, queries, limits, rule, exclusions, scratch));
  return {};
}

// The queries that reached the same node continue together.
template <Fingerprint F>
Result<void> Level<F>::search_splits(std::vector<SplitProbe>& probes, std::size_t before,
                                     std::span<const F> queries, std::span<std::int16_t> limits, HitRule rule,
                                     const std::vector<Exclusion>& exclusions, Scratch& scratch) const {
  std::sort(probes.begin(), probes.end(), [](const SplitProbe& x, const SplitProbe& y) {
    return x.node != y.node ? x.node < y.node : x.query < y.query;
  });
  std::array<F, kGroupQueries> some_queries;
  std::array<std::int16_t, kGroupQueries> some_limits;
  std::vector<Exclusion> path;
  std::vector<RawHit<F>>& raw = scratch.raw;
  for (auto probe = probes.begin(); probe != probes.end();) {
    const auto first = probe;
    std::size_t count = 0;
    for (; probe != probes.end() && probe->node == first->node; ++probe, ++count) {
      some_queries[count] = queries[probe->query];
      some_limits[count] = limits[probe->query];
    }
    path.assign(exclusions.begin(), exclusions.begin() + static_cast<std::ptrdiff_t>(before + first->table));
    const std::size_t old = raw.size();
    LEITONG_TRY(search_node(first->node, std::span(some_queries).first(count),
                            std::span(some_limits).first(count), rule, path, scratch));
    for (RawHit<F>& hit : std::span(raw).subspan(old)) hit.query = first[hit.query].query;
    for (std::size_t i = 0; i < count; ++i)
      limits[first[static_cast<std::ptrdiff_t>(i)].query] = some_limits[i];
  }
  return {};
}

template <Fingerprint F>
Result<void> Level<F>::append_rows(std::span<RawHit<F>> raw, HitRule rule, Scratch& scratch,
                                   std::vector<Hit<F>>& hits) const {
  const TableParts<F>& first = parts_.tables[0];
  auto& unknown = scratch.unknown;
  auto& positions = scratch.positions;
  auto& begin = scratch.begin;
  auto& end = scratch.end;
  std::size_t count = 0;
  for (const RawHit<F>& hit : raw)
    if (hit.position == kNoPosition) unknown[count++] = hit.fingerprint;
  if (!checked()) {
    const TableCode<F> code(first.shape);
    for (std::size_t i = 0; i < count; ++i) LEITONG_TRY(check_bucket(first, code.encode(unknown[i]).key));
    LEITONG_TRY(check(parts_.groups));
  }
  kernels_->locate(probe_tables_[0], unknown.data(), count, positions.data());
  std::size_t located = 0;
  for (RawHit<F>& hit : raw)
    if (hit.position == kNoPosition) hit.position = positions[located++];

  // Turns positions into rows: the groups are few, and searched only if there are any.
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::uint32_t position = raw[i].position;
    if (position >= parts_.fingerprints) return contradicts_itself();
    begin[i] = position;
    end[i] = position + 1;
    if (parts_.groups.size() > 1) {
      const Group* const group = group_from(parts_.groups, position);
      begin[i] += group->surplus;
      end[i] += group->position == position ? group[1].surplus : group->surplus;
    }
    if (begin[i] >= end[i] || end[i] > parts_.rows) return contradicts_itself();
    if (parts_.narrow_ids.empty())
      __builtin_prefetch(parts_.wide_ids.data() + begin[i]);
    else
      __builtin_prefetch(parts_.narrow_ids.data() + begin[i]);
  }
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (!checked()) {
      LEITONG_TRY(check(parts_.narrow_ids.empty() ? std::span<const std::uint32_t>{}
                                                  : parts_.narrow_ids.subspan(begin[i], end[i] - begin[i])));
      LEITONG_TRY(check(parts_.wide_ids.empty() ? std::span<const std::uint64_t>{}
                                                : parts_.wide_ids.subspan(begin[i], end[i] - begin[i])));
    }
    const std::uint32_t last = rule == HitRule::all ? end[i] : begin[i] + 1;
    for (std::uint32_t row = begin[i]; row < last; ++row)
      hits.push_back({raw[i].fingerprint, parts_.id(row), raw[i].query, raw[i].distance});
  }
  return {};
}

template <Fingerprint F>
Result<bool> Level<F>::removes(const Row<F>& row) const {
  if (parts_.removed.empty()) return false;
  if (!checked()) LEITONG_TRY(check(parts_.removed));
  return std::binary_search(parts_.removed.begin(), parts_.removed.end(), row);
}

template <Fingerprint F>
Result<void> Level<F>::read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const {
  if (count == 0) return {};
  if (!checked()) LEITONG_TRY(verify());
  const TableParts<F>& table = parts_.tables[0];
  const TableReader<F> reader(table);
  const TableCode<F> code(table.shape);
  // The first group whose rows begin after `first`; there is one, because a last group ends the list.
  auto group = std::upper_bound(
      parts_.groups.begin(), parts_.groups.end(), first,
      [](std::uint64_t row, const Group& g) { return row < std::uint64_t{g.position} + g.surplus; });
  std::uint32_t surplus = group->surplus;
  // Within the rows of the previous group?
  if (group != parts_.groups.begin() && first <= std::uint64_t{group[-1].position} + surplus) --group;
  auto position = group->surplus == surplus ? static_cast<std::uint32_t>(first - surplus) : group->position;
  surplus = group->surplus;
  std::uint32_t key = reader.key_of(position);
  std::uint64_t row = first;
  while (row < first + count) {
    while (table.directory[key + 1] <= position) ++key;
    const F fingerprint = code.decode({key, reader.value(position)});
    std::uint64_t end = std::uint64_t{position} + surplus + 1;
    if (group->position == position) {
      surplus = group[1].surplus;
      end = std::uint64_t{position} + surplus + 1;
      ++group;
    }
    for (; row < std::min(end, first + count); ++row)
      rows.push_back({fingerprint, parts_.id(static_cast<std::uint32_t>(row))});
    ++position;
  }
  return {};
}

template <Fingerprint F>
std::uint64_t Level<F>::table_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const TableParts<F>& table : parts_.tables)
    bytes += table.directory.size_bytes() + std::uint64_t{table.directory.back()} * table.shape.entry_bytes();
  return bytes;
}

template <Fingerprint F>
std::uint64_t Level<F>::id_bytes() const noexcept {
  return parts_.narrow_ids.size_bytes() + parts_.wide_ids.size_bytes() + parts_.groups.size_bytes();
}

// A mapped file: checksums and order are verified before anything is read.

template <Fingerprint F>
Result<void> Level<F>::verify() const {
  if (checked()) return {};
  LEITONG_TRY(file_->verify());
  LEITONG_TRY(check_directories(parts_, file_->bytes(), file_->path()));
  LEITONG_TRY(check_groups(parts_, file_->path()));
  checked_.store(true, std::memory_order_release);
  return {};
}

template <Fingerprint F>
Result<void> Level<F>::check_bucket(const TableParts<F>& table, std::uint32_t key) const {
  const auto bucket = table.directory.subspan(key, 2);
  LEITONG_TRY(check(bucket));
  LEITONG_TRY(check_buckets(table, key, bucket.size(), file_->path()));
  const std::uint64_t size = table.shape.entry_bytes();
  return check(std::span(table.entries + bucket[0] * size, (bucket[1] - bucket[0]) * size));
}

template <Fingerprint F>
Result<void> Level<F>::check_probes(const Node& node, std::span<const F> queries,
                                    std::span<const std::int16_t> limits,
                                    std::span<const Exclusion> exclusions) const {
  for (std::uint32_t i = 0; i < node.tables; ++i) {
    if (exclusions[i].radius < 0) continue;
    const TableParts<F>& table = parts_.tables[node.first_table + i];
    const ProbeTable& probe = probe_tables_[node.first_table + i];
    const TableCode<F> code(table.shape);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (limits[q] < 0) continue;
      if (table.shape.code == BucketCode::plain) {
        const std::uint32_t own = code.encode(queries[q]).key;
        for (std::uint32_t flip = 0; flip < probe.flips_within[exclusions[i].radius]; ++flip)
          LEITONG_TRY(check_bucket(table, own ^ probe.flips[flip]));
      } else {
        const auto block = static_cast<std::uint32_t>(word(gather(queries[q], code.mask_runs()), 0));
        const Hamming31Ball& ball = probe.balls[hamming31_syndrome(block)];
        for (std::uint32_t b = 0; b < ball.count; ++b)
          LEITONG_TRY(check_bucket(table, hamming31_information(block) ^ ball.keys[b]));
      }
    }
  }
  return check_some_more();
}

// Verifies a chunk with every group of queries. After as many groups as there are chunks, all of them are
// verified.
template <Fingerprint F>
Result<void> Level<F>::check_some_more() const {
  const std::span<const std::byte> sections = file_->bytes();
  const std::uint64_t chunks = (sections.size() + kSectionChunk - 1) / kSectionChunk;
  const std::uint64_t chunk = sweep_.fetch_add(1, std::memory_order_relaxed);
  if (chunk >= chunks) return {};
  const std::uint64_t begin = chunk * kSectionChunk;
  const auto part = sections.subspan(begin, std::min<std::uint64_t>(kSectionChunk, sections.size() - begin));
  LEITONG_TRY(check(part));
  LEITONG_TRY(check_directories(parts_, part, file_->path()));
  if (swept_.fetch_add(1, std::memory_order_acq_rel) + 1 != chunks) return {};
  LEITONG_TRY(check_groups(parts_, file_->path()));
  checked_.store(true, std::memory_order_release);
  return {};
}

// Only a forged file causes this: each part is possible, but the parts do not fit together.
template <Fingerprint F>
tl::unexpected<Error> Level<F>::contradicts_itself() const {
  return fail(ErrorCode::corrupt, (file_ ? file_->path().string() : std::string("the index")) +
                                      ": its tables contradict each other; make the file anew");
}

template class Level<Fingerprint64>;
template class Level<Fingerprint128>;

}  // namespace leitong::hamming
