// Lists which documents hold which shingles: 4 bytes a shingle while there is room.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/halves.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The shingles of many documents, read in ranges of shingles with the same first bits. Documents are
/// collected in blocks: within a range an entry needs the rest of the shingle and the document's place in its
/// block, together 32 bits. What has no room goes to Partitions, at 8 bytes an entry, and so to disk if
/// necessary.
class ShingleLists {
 public:
  static constexpr unsigned kRestBits = 26;  ///< bits of a shingle that its range does not determine
  static constexpr unsigned kRanges = 1U << (32 - kRestBits);

  /// The blocks take at most `room` bytes.
  ShingleLists(RunContext& run, std::uint64_t room)
      : run_(run), room_(room), held_(run.memory), overflow_(run) {}

  /// For one thread.
  class Writer {
   public:
    explicit Writer(ShingleLists& lists) : lists_(lists) {}
    /// Adds the shingles of a document, each once. A document may come again.
    Result<void> add(DocId document, std::span<const std::uint32_t> shingles);
    /// REQUIRED before reading.
    Result<void> flush();

   private:
    Result<void> pass_on();

    ShingleLists& lists_;
    std::vector<DocId> documents_;
    std::vector<std::size_t> ends_;  // end of each of these in waiting_
    PodVector<std::uint32_t> waiting_;
    std::optional<Partitions::Writer> overflow_;
  };

  /// Frees what a range, which is not read again, takes in Partitions.
  void forget(unsigned range) noexcept {
    for (unsigned i = 0; i < kRangePartitions; ++i) overflow_.clear(range * kRangePartitions + i);
  }

  /// The number of entries, after all writers are flushed and before any range is forgotten.
  [[nodiscard]] std::uint64_t size() const noexcept { return in_blocks_ + overflow_.size(); }
  /// Calls each(shingle, document) for the shingles of one range, document by document in each block. `words`
  /// is working space. May be called from any thread, after all writers are flushed.
  template <class Each>
  Result<void> for_each(unsigned range, PodVector<std::uint64_t>& words, Each each) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      // Little is read of each block, and the processor cannot predict where, so this prefetches some blocks
      // ahead.
      if (b + 2 * kAhead < blocks_.size()) prefetch_head(*blocks_[b + 2 * kAhead], range);
      if (b + kAhead < blocks_.size()) prefetch_entries(*blocks_[b + kAhead], range);
      const Block& block = *blocks_[b];
      for (std::uint32_t i = block.begin[range]; i < block.begin[range + 1]; ++i) {
        const std::uint32_t entry = block.entries[i];
        each(range << kRestBits | entry >> kPlaceBits, block.documents[entry % kBlockDocuments]);
      }
    }
    if (overflow_.size() == 0) return {};
    for (unsigned i = 0; i < kRangePartitions; ++i) {
      LEITONG_TRY(overflow_.load(range * kRangePartitions + i, words));
      for (const std::uint64_t word : words) each(high_half(word), low_half(word));
    }
    return {};
  }

 private:
  static constexpr unsigned kRangePartitions = Partitions::kCount / kRanges;
  static constexpr unsigned kPlaceBits = 32 - kRestBits;
  static constexpr std::uint32_t kBlockDocuments = 1U << kPlaceBits;
  // Or the shingles of one document, if these are more.
  static constexpr std::size_t kBlockShingles = std::size_t{1} << 14;

  struct Block {
    std::array<DocId, kBlockDocuments> documents = {};
    std::array<std::uint32_t, kRanges + 1> begin = {};  // start of each range, and the end
    PodVector<std::uint32_t> entries;
  };

  static constexpr std::size_t kAhead = 4, kLineWords = 16;
  static void prefetch_head(const Block& block, unsigned range) noexcept {
    __builtin_prefetch(&block.entries);
    __builtin_prefetch(&block.begin[range]);
    for (std::size_t i = 0; i < kBlockDocuments; i += kLineWords) __builtin_prefetch(&block.documents[i]);
  }
  static void prefetch_entries(const Block& block, unsigned range) noexcept {
    for (std::size_t i = block.begin[range]; i < block.begin[range + 1]; i += kLineWords)
      __builtin_prefetch(block.entries.data() + i);
  }

  // Reserves so many bytes, or returns false.
  bool take_room(std::uint64_t bytes);

  RunContext& run_;
  std::uint64_t room_;
  std::mutex mutex_;  // guards the members below
  HeldMemory held_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint64_t in_blocks_ = 0;  // entries
  Partitions overflow_;          // (shingle, document)
};

}  // namespace leitong
