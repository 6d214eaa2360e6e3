// A run measures its own recall: a sample of documents is joined with all others by a second, independent
// search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "base/memory.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "feature/repetition.hpp"
#include "similarity/rule.hpp"
#include "text/units.hpp"

namespace leitong {

/// How much a recall sample may hold.
struct SampleBounds {
  /// Texts in the sample; 0: as many as tell the recall well enough.
  std::size_t documents = 0;
  /// Shingles of all these texts together. Each takes about 30 bytes.
  std::size_t shingles = kMostShingles;

  static constexpr std::size_t kLeastShingles = 125'000, kMostShingles = 500'000;
  /// Within an eighth of what the user allows the run to hold.
  static SampleBounds within(const MemoryBudget& memory, std::size_t documents) noexcept;
};

/// While documents stream by, finds the pairs of a random sample with documents that come later. It uses the
/// plain shingles and not the keys that the run searches by. To look at every document would take more than a
/// tenth of the run's time, so after the first ones one in four is drawn. A pair is audited if
/// both documents are drawn and the earlier one is in the sample. The content hash alone decides which
/// documents are drawn and sampled, so every pair has the same chance, whatever its similarity or position.
///
/// Of texts below 256 units all shingles are looked up; of longer ones every second to sixteenth (by hash),
/// but at least 128. That misses a pair of long texts at the threshold of the rule less than once in a
/// thousand, and some pairs of a short text with a long one.
///
/// The sample starts with everything and is halved whenever it exceeds its bounds, or has so many pairs that
/// half of them tell the recall within 0.05, or has taken more steps than a tenth of the run's work. Steps
/// are counted, so the sample is the same for any number of threads and any machine. Small corpora are
/// audited completely and large ones in bounded memory and time.
class RecallSample {
 public:
  /// What it holds beyond the smallest table counts in `memory`.
  RecallSample(const Rule& rule, const DocumentTable& table, SampleBounds bounds, MemoryBudget& memory);

  /// Where a document stands in the input.
  struct Place {
    std::size_t batch = 0;    // 0: the first one
    std::uint64_t units = 0;  // of the documents before it in the batch
  };
  /// May this document be in a pair? Thread-safe.
  [[nodiscard]] bool draws(std::uint64_t content_hash, const Place& place) const noexcept;

  struct Scratch {
    PodVector<std::uint32_t> shingles;
    RepetitionScratch repetition;
  };
  /// Appends the shingle hashes of a document that observe() needs, and returns the document's extent: its
  /// number of units. A document that repeats itself so much that this matters has instead the extent of a
  /// text without repetition that has as many distinct shingles. Thread-safe for different scratches.
  static std::uint32_t select(std::span<const Unit> units, Scratch& scratch,
                              PodVector<std::uint32_t>& selected);

  /// Looks the document up among the sampled ones, and samples it. Called in ascending order of documents by
  /// one thread; for a document that is not drawn, with its units and no shingles.
  void observe(DocId document, const Place& place, std::uint32_t extent,
               std::span<const std::uint32_t> selected);

  [[nodiscard]] std::uint64_t sampled() const noexcept { return members_.size(); }
  /// True if every document is in the sample.
  [[nodiscard]] bool holds_all() const noexcept { return limit_ == UINT64_MAX; }
  /// The number of texts that was asked for; 0: none was.
  [[nodiscard]] std::size_t asked() const noexcept { return bounds_.documents; }
  [[nodiscard]] bool holds(DocId document) const noexcept { return in_sample(document); }
  /// Takes about half of the texts out of the sample.
  void halve();
  /// Pairs that may satisfy the rule, in order of (a, b), for the verifier to decide.
  [[nodiscard]] std::vector<Candidate> take_candidates();

 private:
  struct Member {
    DocId document;
    std::uint32_t extent;
    std::uint32_t begin, end;  // in shingles_
    std::uint32_t pairs = 0;
  };
  struct Slot {
    std::uint32_t shingle, member;
    DocId looked;  // the document that looked at it last
  };

  [[nodiscard]] std::uint64_t drawn_until(const Place& place) const noexcept;
  [[nodiscard]] std::uint64_t order_of(DocId document) const noexcept;
  [[nodiscard]] bool in_sample(DocId document) const noexcept;
  [[nodiscard]] bool too_much() const noexcept;
  void count_pair(Member& member) noexcept;
  void insert(std::uint32_t member);
  void rebuild();
  void shrink(std::uint64_t limit);
  /// REQUIRES more members than SampleBounds::documents, and that these are not 0.
  void shrink_to_asked();
  [[nodiscard]] std::size_t slot_of(std::uint32_t shingle) const noexcept;
  [[nodiscard]] std::size_t filter_bit(std::uint32_t shingle) const noexcept;

  const Rule& rule_;
  const DocumentTable& table_;
  const SampleBounds bounds_;
  double least_share_;
  std::uint64_t drawn_ = UINT64_MAX;  // documents whose mixed content hash is no greater are drawn,
  std::uint64_t limit_ = UINT64_MAX;  // and sampled
  std::vector<Member> members_;
  PodVector<std::uint32_t> shingles_;   // of all members, in one array, which leaves no gaps in the heap
  std::uint64_t work_ = 0, units_ = 0;  // steps in the table, units of all documents
  double pairs_ = 0, squares_ = 0;      // sums of the members' numbers of pairs, and of their squares
  unsigned slot_bits_;
  PodVector<Slot> slots_;            // linear probing
  PodVector<std::uint64_t> filter_;  // one bit for each shingle's top bits
  PodVector<std::uint32_t> shared_;  // of each member with the current document
  PodVector<std::uint32_t> touched_, likely_;
  std::vector<Candidate> found_;
  HeldMemory held_;
};

}  // namespace leitong
