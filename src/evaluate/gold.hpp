// Truth and results as files: who belongs together, by id.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evaluate/metrics.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Ids <-> numbers 0, 1, .. in the order of their first appearance.
class IdNumbers {
 public:
  /// The number of an id, a new one if it is new.
  std::uint32_t number(std::string_view id);
  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

/// Rows `id TAB cluster`; documents in no row are alone. A header line `id TAB cluster` is understood. An id
/// in two rows is an error.
struct ClusterFile {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  ///< document, number of the cluster's name
};
Result<ClusterFile> read_clusters(const std::string& path, IdNumbers& ids);

/// Labels of `documents` documents; those that no row names get labels of their own.
[[nodiscard]] std::vector<Label> labels_of(const ClusterFile& file, std::size_t documents);

/// What a file of truth holds: clusters, or judged pairs (rows `idA TAB idB TAB 1|0`).
struct Gold {
  bool judged = false;
  ClusterFile clusters;           ///< unless judged
  std::vector<JudgedPair> pairs;  ///< if judged
};
/// Tells the two kinds by the number of columns.
Result<Gold> read_gold(const std::string& path, IdNumbers& ids);

/// Truth about certain documents.
struct GoldOfDocuments {
  Gold gold;
  std::vector<std::uint32_t> number;  ///< of each document, as `gold` numbers it
  std::size_t numbers = 0;            ///< so many ids are known in all, those of the file included
};
/// read_gold(), and the numbers of documents with these ids. Fails with invalid_argument if the file names
/// none of them: then whatever is measured against it would say nothing.
Result<GoldOfDocuments> read_gold_of(const std::string& path, std::span<const std::string> ids);

/// Claimed pairs: a file of `leitong pairs` (cluster/pairs_file.hpp), or rows of which the first two columns
/// are ids. A header line `id_a TAB id_b ..` is understood.
Result<std::vector<DocumentPair>> read_claimed_pairs(const std::string& path, IdNumbers& ids);

/// One id a line.
Result<void> read_ids(const std::string& path, IdNumbers& ids);

}  // namespace leitong
