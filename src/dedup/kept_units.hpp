// Keeps the units of texts from the first pass, so that later passes need not read the texts again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "io/temp_file.hpp"
#include "leitong/result.hpp"
#include "text/units.hpp"

namespace leitong {

/// The packed units of documents: in memory as long as a part of the budget holds them, then in a work file,
/// which takes some two bytes a unit. Where they are affects only the time of a run, never its result.
/// Memory beside the units: 1.5 bytes a document.
///
/// From the file, a document is read with one access. Many documents at random places are better looked up
/// by *blocks*: consecutive documents, so many that memory has room for two blocks.
class KeptUnits {
 public:
  /// `table` is the table of the documents. It grows with them.
  KeptUnits(const DocumentTable& table, RunContext& run)
      : table_(table), run_(run), held_(run.memory), held_blocks_(run.memory) {}

  /// Stores what pack_units() made of a document. Called in ascending order of documents, of which some may
  /// be left out, by one thread. REQUIRES that the table knows the document.
  Result<void> keep(DocId document, std::span<const std::uint16_t> packed);
  /// Writes everything to the file if the budget has no room for it any more: the share of this class shrinks
  /// as documents come.
  Result<void> fit();

  /// Replaces `units` by those of the document, or returns false if they are not kept. Thread-safe once all
  /// are stored.
  Result<bool> find(DocId document, PodVector<Unit>& units) const;

  [[nodiscard]] bool in_memory() const noexcept { return !file_; }
  [[nodiscard]] MemoryBudget& memory() const noexcept { return run_.memory; }
  /// The bytes of a block, which are in memory when it is held.
  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return run_.memory.for_buffers() / 4; }
  /// Divides the documents into blocks, once. REQUIRES that all are stored.
  void divide();
  /// The block of a document. O(log b) for b blocks, of which there are few. REQUIRES divide().
  [[nodiscard]] std::uint32_t block_of(DocId document) const noexcept;
  /// Reads two blocks, which may be the same, in place of those that were read before. No other thread may
  /// look anything up meanwhile. REQUIRES !in_memory() and divide().
  Result<void> hold(std::uint32_t one, std::uint32_t other);
  /// Frees the memory of the two blocks.
  void let_go() noexcept;

 private:
  static constexpr std::uint8_t kLeftOut = UINT8_MAX;
  // Documents whose first one has its place noted; the places of the others are sums.
  static constexpr DocId kGroup = 16;
  static constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 19;  // words
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Block {
    std::uint32_t number = kNone;
    std::uint64_t begin = 0;  // its first word
    PodVector<std::uint16_t> words;
  };

  // A quarter of all buffers; without a memory limit half of them, which usually is enough for all documents.
  [[nodiscard]] std::uint64_t room() const noexcept {
    return run_.memory.for_buffers() / (run_.memory.limit() != 0 ? 4 : 2);
  }
  [[nodiscard]] std::uint64_t block_words() const noexcept { return block_bytes() / sizeof(std::uint16_t); }
  [[nodiscard]] std::uint64_t index_bytes() const noexcept {
    return escapes_.size() + sizeof(std::uint64_t) * groups_.size();
  }
  [[nodiscard]] std::uint64_t words_of(DocId document) const noexcept {
    const std::uint8_t escapes = escapes_[document];
    return escapes == kLeftOut ? 0 : table_.units[document] + std::uint64_t{2} * escapes;
  }
  [[nodiscard]] std::uint64_t begin_of(DocId document) const noexcept;
  Result<void> write();
  Result<void> read(std::uint32_t number, Block& block);

  const DocumentTable& table_;
  RunContext& run_;
  HeldMemory held_, held_blocks_;
  PodVector<std::uint16_t> words_;   // the last ones; before there is a file, all
  PodVector<std::uint8_t> escapes_;  // units of each document that take three words; kLeftOut: it is not kept
  PodVector<std::uint64_t> groups_;  // the place of the first word of each group
  std::uint64_t size_ = 0;           // words
  std::optional<TempFile> file_;
  std::vector<DocId> block_begins_;  // the first document of each block
  std::array<Block, 2> blocks_;
};

/// Returns the units of a document. The text is read if its units are not kept. `kept` may be null.
Result<void> read_units(DocId document, const DocumentSource& source, const KeptUnits* kept,
                        ReadScratch& scratch, PodVector<Unit>& units);

}  // namespace leitong
