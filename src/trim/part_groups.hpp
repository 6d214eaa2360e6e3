// Which parts of which documents are equal: groups of places with the same hash, on disk beyond the memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "io/artifact_folder.hpp"
#include "io/partitions.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The hash of a part's units.
struct PartHash {
  std::uint64_t high = 0, low = 0;
};
[[nodiscard]] PartHash hash_of_units(const std::uint32_t* units, std::size_t count) noexcept;

/// Parts that others are equal to: one, or successive runs of units, of which each is in a group of its own.
struct RepeatedPart {
  DocId document = 0;
  std::uint32_t at = 0;         ///< number of the part in its document, or of the first run's first unit
  std::uint32_t count = 1;      ///< runs, each a unit behind the one before
  std::uint64_t group = 0;      ///< equal parts have one group, a number below groups(); of the first run
  std::uint64_t documents = 0;  ///< that hold each of them
  bool first = false;           ///< no equal part stands before them
};

/// First all parts are added, by any number of Writers; then group() finds the equal ones; then they are
/// asked for in the order of the documents. Runs of units are grouped by RunGroups instead, which puts them
/// in here as Members.
class PartGroups {
 public:
  explicit PartGroups(RunContext& run) : run_(run), hashes_(run), repeated_(run) {}

  /// Adds the parts of one thread.
  class Writer {
   public:
    explicit Writer(PartGroups& owner) : writer_(owner.hashes_) {}
    Result<void> add(const PartHash& hash, DocId document, std::uint32_t at) {
      return writer_.append(static_cast<unsigned>(hash.high >> (64 - Partitions::kBits)),
                            std::array<std::uint64_t, 3>{hash.high, hash.low, place_of(document, at)});
    }
    /// REQUIRED before group().
    Result<void> flush() { return writer_.flush(); }

   private:
    Partitions::Writer writer_;
  };

  /// Takes parts of one thread of which the groups are known.
  class Members {
   public:
    explicit Members(PartGroups& owner) : owner_(owner), writer_(owner.repeated_) {}
    Result<void> add(const RepeatedPart& part) {
      return writer_.append(owner_.block_of(part.document),
                            std::array<std::uint64_t, 3>{place_of(part.document, part.at),
                                                         part.group << kCountBits | part.count,
                                                         2 * part.documents + (part.first ? 1 : 0)});
    }
    /// REQUIRED before the parts are asked for.
    Result<void> flush() { return writer_.flush(); }

   private:
    PartGroups& owner_;
    Partitions::Writer writer_;
  };
  /// To be called before there are Members: how many documents there are.
  void set_documents(std::uint64_t documents) noexcept { shift_ = Partitions::shift_for(documents); }
  /// The first of so many numbers of groups that nobody has yet. Thread-safe.
  std::uint64_t new_groups(std::uint64_t count) noexcept {
    return groups_.fetch_add(count, std::memory_order_relaxed);
  }
  /// RepeatedPart::count is less than 2 to this power.
  static constexpr unsigned kCountBits = 10;

  /// Forms the groups of parts that are there twice and that at least so many documents hold. `documents` is
  /// the number of all documents. What was added is gone afterwards. Fails with io.
  Result<void> group(std::uint64_t least_documents, std::uint64_t documents);

  /// Groups, of which the numbers depend on the threads.
  [[nodiscard]] std::uint64_t groups() const noexcept { return groups_; }

  /// Blocks of successive documents; the parts of each can be loaded once.
  [[nodiscard]] static constexpr unsigned blocks() noexcept { return Partitions::kCount; }
  /// Writes the groups as an artifact, from which a later run continues. To be called before they are taken.
  Result<void> save(const ArtifactFolder& folder, std::string_view stage) const;
  /// In the place of group(). Fails with corrupt if the artifact is of other documents.
  Result<void> load(const ArtifactFolder& folder, std::string_view stage, std::uint64_t documents);

  /// Replaces `parts` by the repeated parts of a block, by document and place.
  Result<void> take(unsigned block, std::vector<RepeatedPart>& parts);

 private:
  [[nodiscard]] static std::uint64_t place_of(DocId document, std::uint32_t at) noexcept {
    return std::uint64_t{document} << 32 | at;
  }
  [[nodiscard]] unsigned block_of(DocId document) const noexcept {
    return static_cast<unsigned>(document >> shift_);
  }

  RunContext& run_;
  Partitions hashes_;    // high, low, place
  Partitions repeated_;  // place, group and count, twice the documents and first; by the document
  unsigned shift_ = 0;   // of a document's number
  std::atomic<std::uint64_t> groups_{0};
};

}  // namespace leitong
