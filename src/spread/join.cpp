#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/try.hpp"
#include "io/run_context.hpp"
#include "spread/contents.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {
namespace {

/// Keys that are joined at once: what the memory has room for.
std::size_t most_keys(const Context& context) {
  constexpr std::size_t kUsual = 12 << 20, kBytes = 112;
  if (context.settings().memory == 0) return kUsual;
  return std::min<std::size_t>(kUsual, RunContext(context).memory.for_buffers() / kBytes);
}

Result<void> add_keys(const PartFile& file, std::uint32_t range, unsigned tier, RangeJoin& join) {
  LEITONG_ASSIGN(const auto texts, file.range<TextNumber>("texts", 2 * range + tier));
  LEITONG_ASSIGN(const auto heads, file.range<std::uint8_t>("counts", 2 * range + tier));
  LEITONG_ASSIGN(const auto keys, file.range<std::uint8_t>("keys", 2 * range + tier));
  return join.add({.texts = texts, .heads = heads, .keys = keys, .tier = tier});
}

/// Records of one content, the first of them first.
struct Group {
  std::span<const SketchRow> rows;

  /// One hash is no proof: a record that differs in length or in the other hash is no copy.
  [[nodiscard]] bool is_copy(const SketchRow& row) const {
    const auto all = [](const SketchRow& r) { return std::tuple(r.units, r.check, r.keys[0], r.keys[1]); };
    return all(row) == all(rows[0]);
  }
};

template <class Each>
Result<void> each_group(std::span<const SketchRow> rows, Each each) {
  for (std::size_t begin = 0, end; begin < rows.size(); begin = end) {
    for (end = begin + 1; end < rows.size() && rows[end].text == rows[begin].text;) ++end;
    LEITONG_TRY(each(Group{rows.subspan(begin, end - begin)}));
  }
  return {};
}

/// Finds of each copy which record it may leave for. Equal texts have one length, so the first one is the
/// best one by either keep policy.
class Copies {
 public:
  Copies(const PartRun& run, Ranged<CopyRow>& rows) : run_(run), texts_(run.plan, run.context), rows_(rows) {}

  Result<void> add(const Group& group) {
    std::vector<const SketchRow*> same;
    for (const SketchRow& row : group.rows)
      if (group.is_copy(row)) same.push_back(&row);
    if (same.size() < 2) return {};
    for (const SketchRow* const row : same) places_.push_back(row->place);
    groups_.push_back({group.rows[0].text, same.size()});
    return places_.size() < kAtOnce ? Result<void>() : flush();
  }

  Result<void> flush() {
    std::vector<std::uint64_t> form, signs;
    for (std::size_t begin = 0; begin < places_.size(); begin += kAtOnce) {
      LEITONG_ASSIGN(const TextBlock block, texts_.read(std::span(places_).subspan(
                                                begin, std::min(kAtOnce, places_.size() - begin))));
      LEITONG_ASSIGN(const Variants variants, run_.steps.variants(run_.context, block.texts));
      form.insert(form.end(), variants.form.begin(), variants.form.end());
      signs.insert(signs.end(), variants.signs.begin(), variants.signs.end());
    }
    std::size_t begin = 0;
    for (const auto& [text, size] : groups_) {
      std::unordered_map<std::uint64_t, std::size_t> first_of;  // of each variant of the signs
      for (std::size_t i = begin; i < begin + size; ++i) {
        const std::size_t kept = first_of.try_emplace(signs[i], i).first->second;
        if (i == begin) continue;
        const std::uint32_t part = run_.plan.inputs[input_of(places_[i])].part;
        rows_[part].push_back({.place = places_[i],
                               .text = text,
                               .first = places_[begin],
                               .kept = places_[kept],
                               .is_first = form[i] == form[begin],
                               .is_kept = form[i] == form[kept]});
      }
      begin += size;
    }
    places_.clear();
    groups_.clear();
    return {};
  }

 private:
  static constexpr std::size_t kAtOnce = 4096;
  const PartRun& run_;
  Texts texts_;
  Ranged<CopyRow>& rows_;
  std::vector<RecordPlace> places_;
  std::vector<std::pair<TextNumber, std::size_t>> groups_;  // the number of a text's records
};

/// Appends rows, whose ranges are ascending, to these.
template <class Row, class Range>
Result<void> divide(std::span<const Row> rows, Range range_of_row, PackedRanges<Row>& ranges) {
  while (!rows.empty()) {
    const std::uint32_t range = range_of_row(rows.front());
    const auto end =
        std::ranges::partition_point(rows, [&](const Row& row) { return range_of_row(row) == range; });
    const auto size = static_cast<std::size_t>(end - rows.begin());
    LEITONG_TRY(ranges.append(range, rows.first(size)));
    rows = rows.subspan(size);
  }
  return {};
}

}  // namespace

Result<void> join(const PartRun& run) {
  RangeJoin join(run.context, most_keys(run.context));
  for (std::uint32_t part = 0; part < run.plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(run.plan.file("sketch", part)));
    for (const unsigned tier : {0U, 1U}) LEITONG_TRY(add_keys(file, run.part, tier, join));
  }
  const std::uint32_t parts = run.plan.parts;
  PackedRanges<TallyOfText> tallies(parts);
  PackedRanges<KeysOfPair> pairs(parts);
  std::vector<HotRow> hot;
  while (true) {
    LEITONG_ASSIGN(const JoinedKeys some, join.next());
    if (some.tallies.empty()) break;
    LEITONG_TRY(divide(
        std::span<const TallyOfText>(some.tallies),
        [&](const TallyOfText& row) { return range_of(row.text, parts); }, tallies));
    LEITONG_TRY(divide(
        std::span<const KeysOfPair>(some.pairs),
        [&](const KeysOfPair& row) { return range_of_pairs(row.text, parts); }, pairs));
    for (const KeyOfText& key : some.hot) hot.push_back({key.key, key.text});
  }
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("join", run.part), run.context));
  LEITONG_TRY(file.put("tallies", tallies));
  LEITONG_TRY(file.put("pairs", pairs));
  LEITONG_TRY(file.put("hot", hot));
  return file.finish();
}

Result<void> weigh(const PartRun& run) {
  LEITONG_ASSIGN(std::vector<SketchRow> rows, gathered<SketchRow>(run.plan, "sketch", "sketches", run.part));
  std::ranges::sort(rows, {}, [](const SketchRow& row) { return std::pair(row.text, row.place); });
  std::vector<ContentRow> contents;
  std::vector<TextKeys> keys;
  Ranged<CopyRow> copies(run.plan.parts);
  Copies found(run, copies);
  LEITONG_TRY(each_group(rows, [&](const Group& group) {
    const SketchRow& first = group.rows[0];
    contents.push_back(
        {.text = first.text, .place = first.place, .check = first.check, .units = first.units});
    keys.push_back({.text = first.text, .units = first.units, .keys = {first.keys[0], first.keys[1]}});
    return found.add(group);
  }));
  LEITONG_TRY(found.flush());
  LEITONG_ASSIGN(const PodVector<TallyOfText> tallies,
                 gathered_packed<TallyOfText>(run.plan, "join", "tallies", run.part));
  LEITONG_ASSIGN(const std::vector<TextWorth> worth, run.steps.weigh_range(tallies, keys));
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("weigh", run.part), run.context));
  LEITONG_TRY(file.put("contents", contents));
  LEITONG_TRY(file.put("copies", copies));
  LEITONG_TRY(file.put("worth", worth));
  return file.finish();
}

}  // namespace leitong::spread
