// Keeps the units of texts from the first pass, so that later passes need not read the texts again.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "text/units.hpp"

namespace leitong {

/// The packed units of the first documents, as many as a part of the memory budget holds. Which documents
/// these are affects only the time of a run, never its result.
class KeptUnits {
 public:
  /// `table` is the table of the documents. It grows with them.
  KeptUnits(const DocumentTable& table, RunContext& run) : table_(table), run_(run), held_(run.memory) {}

  /// True if it is worth packing further documents. May be called from any thread.
  [[nodiscard]] bool has_room() const noexcept { return has_room_.load(std::memory_order_relaxed); }
  /// Stores what pack_units() made of a document, if there is room. Called in ascending order of documents by
  /// one thread.
  void keep(DocId document, std::span<const std::uint16_t> packed);
  /// Releases everything if the budget has no room for it any more: the share of this class shrinks as
  /// documents come.
  void fit();

  /// Replaces `units` by those of the document, or returns false if they are not kept. Thread-safe once all
  /// are stored.
  [[nodiscard]] bool find(DocId document, PodVector<Unit>& units) const;

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  // A quarter of all buffers; without a memory limit half of them, which usually is enough for all documents.
  [[nodiscard]] std::uint64_t room() const noexcept {
    return run_.memory.for_buffers() / (run_.memory.limit() != 0 ? 4 : 2);
  }

  const DocumentTable& table_;
  RunContext& run_;
  std::atomic<bool> has_room_{true};
  HeldMemory held_;
  PodVector<std::uint16_t> words_;
  PodVector<std::uint32_t> begin_;  // start of each document in words_
};

/// Returns the units of a document. The text is read if its units are not kept. `kept` may be null.
Result<void> read_units(DocId document, const DocumentSource& source, const KeptUnits* kept,
                        ReadScratch& scratch, PodVector<Unit>& units);

}  // namespace leitong
