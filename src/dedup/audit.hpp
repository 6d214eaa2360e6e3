// The run measures its own recall: a sample of documents, joined with all others by a second road.
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

/// Finds, while documents stream by, the pairs of a random sample with every document that comes after them,
/// from the plain shingles and not from the keys that the run searches by. A pair is audited if its earlier
/// document is in the sample; membership is decided by the content hash alone, so every pair has the same
/// chance, whatever its similarity or place.
///
/// Texts below 256 units are looked up by all their shingles; longer ones by every second to sixteenth (by
/// hash), 128 at least, which misses a pair of long texts at the rule's edge less than once in a thousand,
/// and some of a short text in a long one. The sample starts with everything and halves whenever it exceeds
/// its bounds in documents, shingles or work, so small corpora are audited whole and large ones in bounded
/// memory (about 3 MB) and time.
class RecallSample {
 public:
  static constexpr std::size_t kMaxDocuments = 1000;
  static constexpr std::size_t kMaxShingles = 125'000;

  RecallSample(const Rule& rule, const DocumentTable& table);

  struct Scratch {
    PodVector<std::uint32_t> shingles;
    RepetitionScratch repetition;
  };
  /// Appends what observe() wants of a document's shingle hashes, and returns its extent: its number of
  /// units, or that of a text without repetition with as many distinct shingles where the document repeats
  /// itself so much that this matters. Thread-safe for different scratches.
  static std::uint32_t select(std::span<const Unit> units, Scratch& scratch,
                              PodVector<std::uint32_t>& selected);

  /// Looks the document up among the sampled ones, and samples it. In rising order of documents, one thread.
  void observe(DocId document, std::uint32_t extent, std::span<const std::uint32_t> selected);

  [[nodiscard]] std::uint64_t sampled() const noexcept { return members_.size(); }
  /// Has no document been left out?
  [[nodiscard]] bool holds_all() const noexcept { return limit_ == UINT64_MAX; }
  /// Pairs that may satisfy the rule, in order of (a, b), for the verifier to decide.
  [[nodiscard]] std::vector<Candidate> take_candidates();

 private:
  struct Member {
    DocId document;
    std::uint32_t extent;
    PodVector<std::uint32_t> shingles;
    std::uint32_t shared = 0;  // with the document at hand
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
