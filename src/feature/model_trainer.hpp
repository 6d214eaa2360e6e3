// Texts -> a TermModel: how rare words are, how free their neighbours, what comes together.
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

/// One word of a text in its place.
struct TrainingWord {
  std::uint64_t id = 0;  ///< its XXH3
  bool is_term = false;
};

struct TrainingFigures {
  std::uint64_t documents = 0;  ///< all that were added
  std::uint64_t sampled = 0;    ///< those that the model is made of
  std::uint64_t words = 0;      ///< of the sampled ones
  std::uint64_t terms = 0;      ///< rows of the model
  std::uint64_t partners = 0;   ///< pairs of terms that come together, counted from both sides
};

/// One pass over any number of documents in bounded memory. Their word sequences are kept (4 bytes a word)
/// while they fit; beyond, an even sample of them is: the documents of whose content hash ever more bits are
/// zero, so what is sampled depends neither on the order of the texts nor on threads. All counts are then
/// those of the sample: an IDF of n sampled documents has a standard error of about 1/sqrt(n), a word that
/// the sample lacks is unknown. Up to the limit nothing is approximated but this: J' (feature/j_tidf.hpp) is
/// taken over the 60 heaviest words of each document, since only those are ever weighed by it, and a word
/// keeps its 64 most similar companions of J' >= .02 that came with it at least twice.
class ModelTrainer {
 public:
  /// Less holds too few texts to tell a rare word from a common one.
  static constexpr std::uint64_t kLeastMemory = 8ull << 20;

  /// The sequences get half of `memory` bytes, sorting the rest (on disk in the context's work folder beyond
  /// that).
  ModelTrainer(std::uint64_t memory, const Context& context);

  /// `content` identifies the document's content. A document without words counts as one.
  void add(std::uint64_t content, std::span<const TrainingWord> words);

  /// Writes the model. Once, at the end. Fails with invalid_argument if there wasn't a single term.
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
  unsigned level_ = 0;  // bits of a sampled content hash that are zero
  std::uint64_t documents_added_ = 0;
  std::vector<Document> documents_;
  PodVector<std::uint32_t> sequence_;  // words by number, the top bit set for terms
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  PodVector<std::uint64_t> ids_;  // by number

  // By number, once counted.
  std::vector<std::uint32_t> document_frequency_;
  std::vector<float> left_, right_;
  struct Company {
    std::uint32_t of, with;
    float similarity;
  };
  std::vector<Company> company_;
};

}  // namespace leitong
