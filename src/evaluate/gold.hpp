// Truth and results as files: who belongs together, by id.
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

/// Ids <-> numbers 0, 1, .. in the order of their first appearance.
class IdNumbers {
 public:
  /// The number of an id, a new one if it is new.
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

/// Rows `id TAB cluster`; documents in no row are alone. A header line `id TAB cluster` is understood. An id
/// in two rows is an error.
struct ClusterFile {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  ///< document, number of the cluster's name
};
Result<ClusterFile> read_clusters(const std::string& path, IdNumbers& ids, StopToken stop = {});

/// Labels of `documents` documents; those that no row names get labels of their own.
[[nodiscard]] std::vector<Label> labels_of(const ClusterFile& file, std::size_t documents);

/// What a file of truth holds: clusters, or judged pairs (rows `idA TAB idB TAB 1|0`).
struct Gold {
  bool judged = false;
  ClusterFile clusters;           ///< unless judged
  std::vector<JudgedPair> pairs;  ///< if judged

  /// Pairs that belong together by the truth.
  [[nodiscard]] std::uint64_t same_pairs() const;
};
/// Tells the two kinds by the number of columns.
Result<Gold> read_gold(const std::string& path, IdNumbers& ids, StopToken stop = {});

/// Number of a document that doesn't count.
inline constexpr std::uint32_t kNotCounted = UINT32_MAX;

/// The truth about certain documents. What it says of others is left out and counted, since nobody could have
/// found them.
struct GoldOfDocuments {
  Gold gold;
  std::vector<std::uint32_t> number;  ///< of each document, as `gold` numbers it, or kNotCounted
  std::size_t numbers = 0;            ///< distinct ids that count
  std::uint64_t absent = 0;           ///< ids of the truth that none of the documents has that count
  std::uint64_t listed_absent = 0;    ///< ids of the list that no document has
};
/// read_gold() of the documents with these ids, or of those of them that the file `list` names, one id a
/// line. Fails with invalid_argument if nothing of the truth is about them: then whatever is measured against
/// it would say nothing.
Result<GoldOfDocuments> read_gold_of(const std::string& path, std::span<const std::string> ids,
                                     const std::string& list = {}, StopToken stop = {});

/// Claimed pairs: a file of `leitong pairs` (cluster/pairs_file.hpp), or rows of which the first two columns
/// are ids. A header line `id_a TAB id_b ..` is understood.
Result<std::vector<DocumentPair>> read_claimed_pairs(const std::string& path, IdNumbers& ids,
                                                     StopToken stop = {});

/// One id a line.
Result<void> read_ids(const std::string& path, IdNumbers& ids, StopToken stop = {});

}  // namespace leitong
