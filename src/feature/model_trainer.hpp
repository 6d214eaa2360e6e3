// Computes a TermModel from texts: how rare words are, how varied their neighbours are, and which words occur
// together.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/pod_vector.hpp"
#include "io/run_context.hpp"
#include "io/section_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A word at a place of a text.
struct TrainingWord {
  std::uint64_t id = 0;  ///< its XXH3
  bool is_term = false;
};

struct TrainingFigures {
  std::uint64_t documents = 0;  ///< the number of all documents added
  std::uint64_t sampled = 0;    ///< the number of documents from which the model is made
  std::uint64_t words = 0;      ///< words of the sampled documents
  std::uint64_t terms = 0;      ///< rows of the model
  std::uint64_t partners = 0;   ///< pairs of terms that occur together, counted for each of the two
};

/// Makes one pass over any number of documents in bounded memory. Their word sequences are kept (4 bytes a
/// word) while they fit. When they do not, an even sample of the documents is kept: those with enough zero
/// bits at one end of their content hash. So the sample depends neither on the order of the texts nor on
/// threads. All counts are then those of the sample: an IDF of n sampled documents has a standard error of
/// about 1/sqrt(n), and a word that the sample lacks is unknown. If all documents are kept, only J'
/// (feature/j_tidf.hpp) is approximate: it uses the 60 heaviest words of each document, since it weighs only
/// those, and a word keeps its 64 most similar companions of J' >= 0.02 that occurred with it at least twice.
class ModelTrainer {
 public:
  /// Less memory holds too few texts to distinguish a rare word from a common one.
  static constexpr std::uint64_t kLeastMemory = 8ull << 20;

  /// The sequences get half of `memory` bytes, sorting the rest (and beyond that the disk, in the context's
  /// work folder).
  ModelTrainer(std::uint64_t memory, const Context& context);

  /// `content` identifies the document's content. A document without words counts as one.
  void add(std::uint64_t content, std::span<const TrainingWord> words);

  /// Writes the model. Called once, at the end. Fails with invalid_argument if there was no term at all.
  Result<TrainingFigures> write(const ByteSink& sink);

 private:
  struct Document {
    std::uint64_t content;
    std::uint64_t begin;
    std::uint32_t size;
  };

  [[nodiscard]] bool is_sampled(std::uint64_t content) const noexcept;
  [[nodiscard]] bool is_full() const noexcept;
  void thin();
  [[nodiscard]] std::span<const std::uint32_t> words_of(const Document& document) const noexcept;
  void count_documents();
  Result<void> measure_neighbours();
  Result<void> find_partners();
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> candidates_of(
      const Document& document) const;
  Result<void> write_sections(const ByteSink& sink, TrainingFigures& figures) const;

  std::uint64_t memory_;
  RunContext run_;      // for sorting
  unsigned level_ = 0;  // the number of zero bits of a sampled content hash
  std::uint64_t documents_added_ = 0;
  std::vector<Document> documents_;
  PodVector<std::uint32_t> sequence_;  // words by number, with the top bit set for terms
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  PodVector<std::uint64_t> ids_;  // for each number

  // For each number, once counted.
  std::vector<std::uint32_t> document_frequency_;
  std::vector<float> left_, right_;
  struct Company {
    std::uint32_t of, with;
    float similarity;
  };
  std::vector<Company> company_;
};

}  // namespace leitong
