// Decides what becomes of every document: star clusters over groups of exact copies, and connected
// components.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "cluster/star.hpp"

namespace leitong {

/// How a copy differs from its original (text/signs.hpp). 0 means that it does not differ. Copies of one
/// original with equal numbers do not differ from each other.
struct CopyForm {
  std::uint32_t text = 0;   ///< equal for copies that are the same text
  std::uint32_t signs = 0;  ///< equal for copies with the same signs that are text

  bool operator==(const CopyForm&) const = default;
};

/// A document, and the first one with the same units.
struct Copy {
  DocId copy = 0;
  DocId original = 0;
  CopyForm form = {};
};

/// The forms of the documents in groups of copies.
class CopyForms {
 public:
  explicit CopyForms(std::span<const Copy> copies);
  /// Both functions REQUIRE two documents of one group.
  [[nodiscard]] bool same_text(DocId a, DocId b) const { return of(a).text == of(b).text; }
  [[nodiscard]] bool same_signs(DocId a, DocId b) const { return of(a).signs == of(b).signs; }
  [[nodiscard]] CopyForm of(DocId document) const;

 private:
  std::unordered_map<DocId, CopyForm> forms_;  // forms of copies that differ from their originals
};

/// The original of every document: itself if it is no copy.
[[nodiscard]] std::vector<DocId> originals(std::uint64_t documents, std::span<const Copy> copies);
[[nodiscard]] std::vector<bool> copy_marks(std::uint64_t documents, std::span<const Copy> copies);

/// One entry for each document.
struct Settlement {
  PodVector<DocId> kept;  ///< itself if it stays, else the kept document for which it left
  /// If documents stay beside similar ones: the leader of the cluster, for which the document would leave if
  /// every similar one left. Empty otherwise.
  PodVector<DocId> leaders;
  bool losses_decide = false;  ///< losses decide which documents leave
  /// Number of the verified pair that removed it; kNoPair if it stays or is a copy of the kept one.
  PodVector<std::uint32_t> pair;
  std::vector<DocId> component;  ///< smallest document of its connected component
  static constexpr std::uint32_t kNoPair = UINT32_MAX;

  [[nodiscard]] bool stays(DocId d) const noexcept { return kept[d] == d; }
  [[nodiscard]] DocId leader(DocId d) const noexcept { return leaders.empty() ? kept[d] : leaders[d]; }
  [[nodiscard]] bool by_losses() const noexcept { return losses_decide; }
};

/// Copies stay or leave together with their original. The copy with the best rank represents the group when
/// similar groups are compared. `pairs` are between originals. `rank` is a permutation, 0 the best. Documents
/// below `protected_count` are never removed and come before all others. `apart`: copies are not compared
/// with each other. They still depend on their original, which is similar to the same documents: all of them
/// stay, or all leave for the same document.
Result<Settlement> settle(std::uint64_t documents, const PairStore& pairs, std::span<const Copy> copies,
                          std::span<const std::uint32_t> rank, DocId protected_count, bool apart = false);

/// Finds losses, and tells each with its OpenLoss::pair.
using LearnLoss = std::function<void(std::uint32_t, const Loss&)>;
using ReadLosses = std::function<Result<void>(std::span<const OpenLoss>, const LearnLoss&)>;

/// Decides again, by losses, which documents leave and for which others; clusters and components of
/// `settlement` do not change. A copy leaves only for one with the same signs, or with its whole group.
/// `read` finds losses that are not stored with the pairs; without it they count as too much.
Result<void> settle_losses(const PairStore& pairs, std::span<const Copy> copies,
                           std::span<const std::uint32_t> rank, DocId protected_count,
                           const LossLimits& limits, const ReadLosses& read, Settlement& settlement,
                           bool apart = false);

/// Lets documents stay so that in each cluster one stays for every number of `value` that its documents have.
/// If all documents with a number leave, the best of them stays. Returns the documents that stay for this
/// reason, ascending. O(documents).
std::vector<DocId> keep_one_of_each(std::span<const std::uint32_t> value, std::span<const std::uint32_t> rank,
                                    Settlement& settlement);

}  // namespace leitong
