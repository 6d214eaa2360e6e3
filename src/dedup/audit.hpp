// A run measures its own recall: a sample of documents is joined with all others by a second, independent
// search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "feature/repetition.hpp"
#include "similarity/rule.hpp"
#include "text/units.hpp"

namespace leitong {

/// While documents stream by, finds the pairs of a random sample with every document that comes later. It
/// uses the plain shingles and not the keys that the run searches by. A pair is audited if its earlier
/// document is in the sample. The content hash alone decides which documents are sampled, so every pair has
/// the same chance, whatever its similarity or position.
///
/// Of texts below 256 units all shingles are looked up; of longer ones every second to sixteenth (by hash),
/// but at least 128. That misses a pair of long texts at the threshold of the rule less than once in a
/// thousand, and some pairs of a short text with a long one. The sample starts with everything and is halved
/// whenever it exceeds its bounds in documents, shingles or work, so small corpora are audited completely and
/// large ones in bounded memory (about 3 MB) and time.
class RecallSample {
 public:
  static constexpr std::size_t kMaxDocuments = 1000;
  static constexpr std::size_t kMaxShingles = 125'000;

  RecallSample(const Rule& rule, const DocumentTable& table);

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
  /// one thread.
  void observe(DocId document, std::uint32_t extent, std::span<const std::uint32_t> selected);

  [[nodiscard]] std::uint64_t sampled() const noexcept { return members_.size(); }
  /// True if every document is in the sample.
  [[nodiscard]] bool holds_all() const noexcept { return limit_ == UINT64_MAX; }
  /// Pairs that may satisfy the rule, in order of (a, b), for the verifier to decide.
  [[nodiscard]] std::vector<Candidate> take_candidates();

 private:
  struct Member {
    DocId document;
    std::uint32_t extent;
    PodVector<std::uint32_t> shingles;
    std::uint32_t shared = 0;  // with the current document
  };

  [[nodiscard]] bool in_sample(DocId document) const noexcept;
  void insert(std::uint32_t member);
  void halve();

  const Rule& rule_;
  const DocumentTable& table_;
  double least_share_;
  std::uint64_t limit_ = UINT64_MAX;  // documents whose mixed content hash lies below are sampled
  std::vector<Member> members_;
  std::size_t shingles_ = 0;
  std::uint64_t work_ = 0, observed_ = 0;  // steps in the table, shingles looked up
  PodVector<std::uint64_t> slots_;         // linear probing
  PodVector<std::uint64_t> filter_;        // one bit for each shingle's top bits
  PodVector<std::uint32_t> touched_, likely_;
  std::vector<Candidate> found_;
};

}  // namespace leitong
