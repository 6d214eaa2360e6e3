// Which runs of units are equal? Found by segments of successive runs, most of which are equal as a whole.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "trim/part_groups.hpp"
#include "trim/repeated_runs.hpp"

namespace leitong {

/// First the segments of all documents are added, by any number of Writers. Equal runs lie in segments of one
/// key. Where all segments of a key are equal nothing more is needed. Of the others compare() asks for one
/// segment of each kind, its runs are added one by one by HashWriters, and group() finds the equal ones.
class RunGroups {
 public:
  /// Both outlive it.
  RunGroups(RunContext& run, PartGroups& groups)
      : run_(run), groups_(groups), segments_(run), wanted_(run), hashes_(run) {}

  /// Adds the segments of one thread.
  class Writer {
   public:
    explicit Writer(RunGroups& owner) : writer_(owner.segments_) {}
    Result<void> add(const RunSegment& segment, DocId document) {
      return writer_.append(partition_of(segment.key),
                            std::array{segment.key, segment.hash.high, join_place(document, segment.at),
                                       (segment.hash.low & ~kCountMask) | segment.count});
    }
    /// REQUIRED before compare().
    Result<void> flush() { return writer_.flush(); }

   private:
    Partitions::Writer writer_;
  };

  /// A segment of which the runs are wanted one by one.
  struct Wanted {
    DocId document;
    std::uint32_t at, count;  ///< as in RunSegment
    std::uint64_t kind;       ///< for HashWriter
  };
  /// `documents`: the number of all. Fails with io.
  Result<void> compare(std::uint64_t documents);
  /// Replaces `wanted` by the segments of one of the PartGroups::blocks() that are wanted, by their places.
  Result<void> take_wanted(unsigned block, std::vector<Wanted>& wanted);

  /// Adds the runs of wanted segments of one thread.
  class HashWriter {
   public:
    explicit HashWriter(RunGroups& owner) : writer_(owner.hashes_) {}
    Result<void> add(const Wanted& segment, std::span<const PartHash> runs);
    /// REQUIRED before group().
    Result<void> flush() { return writer_.flush(); }

   private:
    Partitions::Writer writer_;
  };

  /// Puts all runs that are there twice, and that at least so many documents hold, into the groups. What was
  /// added is gone afterwards. Fails with io.
  Result<void> group(std::uint64_t least_documents);

 private:
  static constexpr std::uint64_t kCountMask = (1u << PartGroups::kCountBits) - 1;
  static_assert(RunKeys::kMostRuns <= kCountMask);

  [[nodiscard]] static unsigned partition_of(std::uint64_t key) noexcept {
    return static_cast<unsigned>(key >> (64 - Partitions::kBits));
  }
  [[nodiscard]] static std::uint64_t join_place(DocId document, std::uint32_t at) noexcept {
    return std::uint64_t{document} << 32 | at;
  }

  RunContext& run_;
  PartGroups& groups_;
  unsigned shift_ = 0;   // of a document's number
  Partitions segments_;  // key, hash, place, hash and count
  Partitions wanted_;    // place, kind and count; by the document
  Partitions hashes_;    // kind and number of a run, its hash
};

}  // namespace leitong
