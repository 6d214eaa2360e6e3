// Truth and results as files: which ids belong together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/stop.hpp"
#include "leitong/evaluate.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Numbers ids 0, 1, .. in the order of their first appearance.
class IdNumbers {
 public:
  /// Returns the number of an id, and gives a new id a new number.
  std::uint32_t number(std::string_view id);
  [[nodiscard]] bool knows(std::string_view id) const { return numbers_.contains(id); }
  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }
  /// The id of each number.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> ids(numbers_.size());
    for (const auto& [id, number] : numbers_) ids[number] = id;
    return ids;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

/// Rows `id TAB cluster`. Documents in no row are alone. A header line `id TAB cluster` is accepted. An id in
/// two rows is an error.
struct ClusterFile {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  ///< document, number of the name of its cluster
};
Result<ClusterFile> read_clusters(const std::string& path, IdNumbers& ids, StopToken stop = {});

/// The labels of `documents` documents; those without a row get labels of their own.
[[nodiscard]] std::vector<Label> labels_of(const ClusterFile& file, std::size_t documents);

/// The content of a file of truth: clusters, or judged pairs (rows `idA TAB idB TAB 1|0`).
struct Gold {
  bool judged = false;
  ClusterFile clusters;           ///< unless the pairs are judged
  std::vector<JudgedPair> pairs;  ///< if the pairs are judged

  /// The number of pairs that belong together by the truth.
  [[nodiscard]] std::uint64_t same_pairs() const;
};
/// Reads a file of either kind, which the number of columns tells apart.
Result<Gold> read_gold(const std::string& path, IdNumbers& ids, StopToken stop = {});

/// The number of a document that does not count.
inline constexpr std::uint32_t kNotCounted = UINT32_MAX;

/// The truth about certain documents. What it says about others is left out and counted, since no method
/// could have found them.
struct GoldOfDocuments {
  Gold gold;
  std::vector<std::uint32_t> number;  ///< for each document its number in `gold`, or kNotCounted
  std::size_t numbers = 0;            ///< distinct ids that count
  std::uint64_t absent = 0;           ///< ids of the truth that belong to none of the documents that count
  std::uint64_t listed_absent = 0;    ///< ids of the list that belong to no document
};
/// read_gold() for the documents with these ids, or for those of them that the file `list` names, one id a
/// line. Fails with invalid_argument if the truth says nothing about them, since a measurement against it
/// would be empty.
Result<GoldOfDocuments> read_gold_of(const std::string& path, std::span<const std::string> ids,
                                     const std::string& list = {}, StopToken stop = {});

/// Reads claimed pairs: a file of `leitong pairs` (cluster/pairs_file.hpp), or rows whose first two columns
/// are ids. A header line `id_a TAB id_b ..` is accepted.
Result<std::vector<DocumentPair>> read_claimed_pairs(const std::string& path, IdNumbers& ids,
                                                     StopToken stop = {});

/// One id a line.
Result<void> read_ids(const std::string& path, IdNumbers& ids, StopToken stop = {});

}  // namespace leitong
