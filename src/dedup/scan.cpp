#include "dedup/scan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "base/try.hpp"
#include "dedup/content_hash.hpp"
#include "dedup/sketched_batch.hpp"
#include "dedup/stream_batches.hpp"
#include "text/packed_units.hpp"

namespace leitong {
namespace {

// The working space of a thread in the parallel stage.
struct Workspace {
  std::unique_ptr<ReadScratch> read;
  std::unique_ptr<Sketcher::Scratch> sketcher;
  PodVector<Unit> units;
  RecallSample::Scratch sample;
};

// A batch: the raw records, then what was made of each accepted document.
struct Item {
  std::unique_ptr<RecordBatch> batch;
  std::size_t number = 0;  // in input order
  SketchedBatch made;
  PodVector<std::uint16_t> packed;  // units for Scan::kept
  PodVector<std::uint64_t> packed_ends;
  std::string record;  // for Scan::sketches
  Result<void> state;
};

void sketch(const Scan& scan, Item& of, Workspace& space) {
  SketchedBatch& item = of.made;
  RecallSample::Place place{of.number};
  scan.source.parse(*of.batch, *space.read, [&](const DocumentText& document) {
    item.artifacts.add(to_units(document.text, scan.source.folding(), space.units));
    item.text_bytes += document.text.size();
    item.rows.units.push_back(
        static_cast<std::uint32_t>(std::min<std::size_t>(space.units.size(), UINT32_MAX)));
    item.rows.content.push_back(content_hash(document.text, space.units));
    scan.sketcher.sketch({document.text, space.units}, *space.sketcher, item.words);
    item.word_ends.push_back(item.words.size());
    if (scan.sample != nullptr)
      item.extents.push_back(scan.sample->draws(item.rows.content.back(), place)
                                 ? RecallSample::select(space.units, space.sample, item.selected)
                                 : item.rows.units.back());
    place.units += item.rows.units.back();
    item.selected_ends.push_back(item.selected.size());
    if (scan.kept != nullptr) {
      pack_units(space.units, of.packed);
      of.packed_ends.push_back(of.packed.size());
    }
  });
}

bool was_sketched(const Scan& scan, const Item& item) {
  return scan.sketches != nullptr && item.number < scan.sketches->size();
}

// Gives a batch the state and the sketches that an earlier run stored for it.
Result<void> restore(const Scan& scan, Item& item) {
  LEITONG_ASSIGN(const std::string_view state, unpack((*scan.sketches)[item.number], item.made));
  return scan.source.restore(*item.batch, state);
}

void work_on(const Scan& scan, Item& item, Workspace& space) {
  if (was_sketched(scan, item)) {
    item.state = restore(scan, item);
    return;
  }
  sketch(scan, item, space);
  if (scan.sketches == nullptr) return;
  std::string state;
  scan.source.save(*item.batch, state);
  pack(item.made, state, item.record);
}

Result<void> take_in(Scan& scan, CopyTable& copies, Item& item) {
  LEITONG_TRY(std::move(item.state));
  const auto first = static_cast<DocId>(scan.source.size());
  LEITONG_TRY(scan.source.commit(*item.batch));
  item.batch.reset();
  if (scan.sketches != nullptr && !was_sketched(scan, item)) LEITONG_TRY(scan.sketches->append(item.record));
  const SketchedBatch& made = item.made;
  scan.table.units.append(made.rows.units);
  scan.table.content.append(made.rows.content);
  scan.text_bytes += made.text_bytes;
  scan.artifacts += made.artifacts;
  RecallSample::Place place{item.number};
  for (std::size_t i = 0; i < made.size(); place.units += made.rows.units[i++]) {
    const auto document = static_cast<DocId>(first + i);
    const DocId original = copies.first_like(document);
    if (original != document) {
      scan.copies.push_back({.copy = document, .original = original});
      continue;
    }
    scan.without_sketch += made.sketch(i).empty() ? 1 : 0;
    LEITONG_TRY(scan.take(document, made.sketch(i)));
    if (scan.sample != nullptr) scan.sample->observe(document, place, made.extents[i], made.sampled(i));
    if (i < item.packed_ends.size()) {
      const std::uint64_t begin = i == 0 ? 0 : item.packed_ends[i - 1];
      LEITONG_TRY(scan.kept->keep(document, {item.packed.data() + begin, item.packed_ends[i] - begin}));
    }
  }
  scan.run.memory.set_documents(scan.source.size());
  scan.run.memory.set_text_bytes(scan.text_bytes);
  if (scan.kept != nullptr) LEITONG_TRY(scan.kept->fit());
  if (scan.run.memory.too_small()) {
    // Announces what the whole input will need, as far as the part that was read tells.
    const double seen = static_cast<double>(scan.source.bytes_read()),
                 total = static_cast<double>(scan.source.total_bytes());
    const double documents =
        static_cast<double>(scan.source.size()) * std::max(1.0, total / std::max(1.0, seen));
    return fail(
        ErrorCode::limit,
        fmt::format(
            "the memory budget is too small for {} documents; the smallest that can work is about {}M",
            static_cast<std::uint64_t>(documents),
            (MemoryBudget::least(static_cast<std::uint64_t>(documents)) >> 20) + 1),
        "memory");
  }
  scan.run.report("reading", scan.source.bytes_read(), scan.source.total_bytes(), "bytes");
  return {};
}

}  // namespace

Result<void> scan(Scan& scan) {
  CopyTable copies(scan.table);
  return stream_batches<Item>(
      scan.source, scan.run.stop,
      [&] {
        return Workspace{scan.source.new_scratch(), scan.sketcher.new_scratch(), {}, {}};
      },
      [&](Item& item, Workspace& space) { work_on(scan, item, space); },
      [&](Item& item) { return take_in(scan, copies, item); });
}

}  // namespace leitong
