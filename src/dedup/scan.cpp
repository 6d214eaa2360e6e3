#include "dedup/scan.hpp"

#define XXH_INLINE_ALL
#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>

#include "dedup/stream_batches.hpp"
#include "feature/shingles.hpp"

namespace leitong {
namespace {

// Per-thread working space of the parallel stage.
struct Workspace {
  std::unique_ptr<ReadScratch> read;
  std::unique_ptr<Sketcher::Scratch> sketcher;
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
};

// A batch on its way: the raw records, then what was made of each accepted document.
struct Item {
  std::unique_ptr<RecordBatch> batch;
  DocumentTable rows;
  PodVector<std::uint64_t> words;
  PodVector<std::uint32_t> selected;
  std::vector<std::size_t> word_ends, selected_ends;
  std::uint64_t text_bytes = 0;
};

// Texts that are equal after folding hash alike; those of which folding leaves nothing (emoji, punctuation)
// count by their bytes.
std::uint64_t content_hash(std::string_view text, std::span<const Unit> units) {
  return units.empty() ? XXH3_64bits(text.data(), text.size())
                       : XXH3_64bits(units.data(), units.size_bytes());
}

void sketch(const Scan& scan, Item& item, Workspace& space) {
  scan.source.parse(*item.batch, *space.read, [&](const DocumentText& document) {
    to_units(document.text, space.units);
    item.text_bytes += document.text.size();
    item.rows.units.push_back(
        static_cast<std::uint32_t>(std::min<std::size_t>(space.units.size(), UINT32_MAX)));
    item.rows.content.push_back(content_hash(document.text, space.units));
    scan.sketcher.sketch({document.text, space.units}, *space.sketcher, item.words);
    item.word_ends.push_back(item.words.size());
    if (scan.sample != nullptr) {
      shingle_hashes(space.units, space.shingles);
      RecallSample::select(space.shingles, item.selected);
    }
    item.selected_ends.push_back(item.selected.size());
  });
}

Result<void> take_in(Scan& scan, CopyTable& copies, Item& item) {
  const auto first = static_cast<DocId>(scan.source.size());
  LEITONG_TRY(scan.source.commit(*item.batch));
  item.batch.reset();
  const std::size_t count = item.word_ends.size();
  scan.table.units.append(item.rows.units);
  scan.table.content.append(item.rows.content);
  scan.text_bytes += item.text_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto document = static_cast<DocId>(first + i);
    const DocId original = copies.first_like(document);
    if (original != document) {
      scan.copies.push_back({document, original});
      continue;
    }
    const std::size_t word = i == 0 ? 0 : item.word_ends[i - 1],
                      shingle = i == 0 ? 0 : item.selected_ends[i - 1];
    const std::span<const std::uint64_t> words(item.words.data() + word, item.word_ends[i] - word);
    scan.without_sketch += words.empty() ? 1 : 0;
    LEITONG_TRY(scan.take(document, words));
    if (scan.sample != nullptr)
      scan.sample->observe(document,
                           std::span(item.selected.data() + shingle, item.selected_ends[i] - shingle));
  }
  scan.run.memory.set_documents(scan.source.size());
  if (scan.run.memory.too_small()) {
    // Say what the whole input will need, as far as it can be told from what was read.
    const double seen = static_cast<double>(scan.source.bytes_read()),
                 total = static_cast<double>(scan.source.total_bytes());
    const double documents =
        static_cast<double>(scan.source.size()) * std::max(1.0, total / std::max(1.0, seen));
    return fail(
        ErrorCode::limit,
        fmt::format(
            "the memory budget is too small for {} documents; the smallest that can work is about {}M",
            static_cast<std::uint64_t>(documents),
            (MemoryBudget::least(static_cast<std::uint64_t>(documents)) >> 20) + 1));
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
      [&](Item& item, Workspace& space) { sketch(scan, item, space); },
      [&](Item& item) { return take_in(scan, copies, item); });
}

}  // namespace leitong
