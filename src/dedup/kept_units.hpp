// The units of texts, kept from the first pass so that later ones need not read the texts again.
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

/// Packed units of the first documents, as many as a part of the memory budget holds. Nothing but time
/// depends on which these are.
class KeptUnits {
 public:
  /// `table` is that of the documents, and grows with them.
  KeptUnits(const DocumentTable& table, RunContext& run) : table_(table), run_(run), held_(run.memory) {}

  /// Is it worth packing further documents? From any thread.
  [[nodiscard]] bool has_room() const noexcept { return has_room_.load(std::memory_order_relaxed); }
  /// Keeps what pack_units() made of a document, if there is room. In rising order of documents, one thread.
  void keep(DocId document, std::span<const std::uint16_t> packed);
  /// Gives all back if the budget has no room for it any more: its part shrinks as documents come.
  void fit();

  /// Replaces `units` by those of the document, or returns false if they aren't kept. Thread-safe when all
  /// are kept.
  [[nodiscard]] bool find(DocId document, PodVector<Unit>& units) const;

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  // A quarter of all buffers; without a limit half of them, which usually is enough for all.
  [[nodiscard]] std::uint64_t room() const noexcept {
    return run_.memory.for_buffers() / (run_.memory.limit() != 0 ? 4 : 2);
  }

  const DocumentTable& table_;
  RunContext& run_;
  std::atomic<bool> has_room_{true};
  HeldMemory held_;
  PodVector<std::uint16_t> words_;
  PodVector<std::uint32_t> begin_;  // of each document in words_
};

/// The units of a document, which is read if they aren't kept. `kept` may be null.
Result<void> read_units(DocId document, const DocumentSource& source, const KeptUnits* kept,
                        ReadScratch& scratch, PodVector<Unit>& units);

}  // namespace leitong
