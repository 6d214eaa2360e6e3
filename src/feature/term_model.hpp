// What is known of the terms of a corpus: how rare they are, how varied their neighbours are, and which terms
// occur with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "feature/j_tidf.hpp"
#include "leitong/result.hpp"

namespace leitong {

class SectionFile;   // base/section_file.hpp
class SegmentModel;  // text/segment/model.hpp

/// The layout of a model's sections, which docs/format.md describes one by one.
inline constexpr std::string_view kTermModelKind = "term-model";
inline constexpr std::uint32_t kTermModelVersion = 1;

/// The entropies of the words to the left and right of a term, in bits.
struct Neighbours {
  float left = 0, right = 0;
};

/// The entropy, in bits, of the words beside a word: -sum p log2 p over the counts of its neighbours (Zhang
/// Hang et al. 2020). 0 if the neighbour is always the same.
[[nodiscard]] double neighbour_entropy(std::span<const std::uint64_t> counts) noexcept;

/// The columns of a model: row i is the term with the i-th smallest id.
struct TermColumns {
  std::span<const std::uint64_t> ids;
  std::span<const float> idf;
  std::span<const Neighbours> neighbours;       ///< empty where unknown
  std::span<const std::uint64_t> partner_ends;  ///< for each row, the end of its partners; empty if unknown
  std::span<const Partner> partners;            ///< the partners of each row, the most similar first
};

/// Read-only and thread-safe; mapped if it comes from `leitong train`.
class TermModel {
 public:
  /// Opens a file of `leitong train`. Every byte is checked once. Fails as SectionFile::open() does.
  static Result<TermModel> open(const std::filesystem::path& path);
  /// Reads a file of lines "word idf", as jieba's idf.txt; without neighbours and partners. Fails with
  /// not_found or corrupt, naming file and line.
  static Result<TermModel> read_idf(const std::filesystem::path& path);
  /// The model of a segmenter's dictionary, usually jieba's own: it has only IDF.
  static TermModel of_words(const SegmentModel& words);
  /// Reads a file of either kind, which its first bytes tell apart.
  static Result<TermModel> load(const std::filesystem::path& path);

  TermModel(TermModel&&) noexcept;
  TermModel& operator=(TermModel&&) noexcept;
  ~TermModel();

  /// The row of a term. O(1) expected.
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t id) const noexcept;

  /// Announces that idf(id) will be called soon.
  void prefetch(std::uint64_t id) const noexcept { __builtin_prefetch(starts_.data() + (id >> shift_)); }

  /// The inverse document frequency; for an unknown term the median of the known ones, as in jieba.
  [[nodiscard]] float idf(std::uint64_t id) const noexcept {
    const auto row = find(id);
    return row ? columns_.idf[*row] : median_idf_;
  }
  [[nodiscard]] float median_idf() const noexcept { return median_idf_; }
  [[nodiscard]] float least_idf() const noexcept { return least_idf_; }
  [[nodiscard]] float greatest_idf() const noexcept { return greatest_idf_; }

  /// True if the model was trained: then it has neighbours and partners.
  [[nodiscard]] bool trained() const noexcept { return !columns_.neighbours.empty(); }
  /// The neighbours of a term; zero for unknown terms.
  [[nodiscard]] Neighbours neighbours(std::uint64_t id) const noexcept;
  [[nodiscard]] std::span<const Partner> partners(std::uint64_t id) const noexcept;
  /// Finds the partners of many terms, which are fetched together. Replaces `partners`.
  void partners(std::span<const std::uint64_t> ids, std::vector<std::span<const Partner>>& partners) const;

  [[nodiscard]] std::size_t size() const noexcept { return columns_.ids.size(); }

  /// A digest of the content of the model, independent of its source. O(size).
  [[nodiscard]] std::uint64_t content_id() const noexcept;

 private:
  TermModel();
  /// Stores pairs of (id, idf). The last pair of a repeated id counts.
  void own(std::vector<std::pair<std::uint64_t, float>> rows);
  void index();
  [[nodiscard]] std::span<const Partner> partners_of_row(std::size_t row) const noexcept;

  TermColumns columns_;
  std::vector<std::uint32_t> starts_;  // first row for each value of the upper bits of ids
  unsigned shift_ = 63;
  float median_idf_ = 0, least_idf_ = 0, greatest_idf_ = 0;
  std::unique_ptr<SectionFile> file_;
  std::vector<std::uint64_t> own_ids_;
  std::vector<float> own_idf_;
};

}  // namespace leitong
