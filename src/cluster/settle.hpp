// What becomes of every document: star clusters over groups of exact copies, and connected components beside
// them.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "cluster/star.hpp"

namespace leitong {

/// How a copy differs from its original (text/signs.hpp). 0: not at all. Copies of one original that have the
/// same number do not differ from each other.
struct CopyForm {
  std::uint32_t text = 0;   ///< of those that are the same text
  std::uint32_t signs = 0;  ///< of those that have the same signs that are text

  bool operator==(const CopyForm&) const = default;
};

/// A document and the first one that has the same units.
struct Copy {
  DocId copy = 0;
  DocId original = 0;
  CopyForm form = {};
};

/// The forms of the documents of groups of copies.
class CopyForms {
 public:
  explicit CopyForms(std::span<const Copy> copies);
  /// Both REQUIRE two documents of one group.
  [[nodiscard]] bool same_text(DocId a, DocId b) const { return of(a).text == of(b).text; }
  [[nodiscard]] bool same_signs(DocId a, DocId b) const { return of(a).signs == of(b).signs; }
  [[nodiscard]] CopyForm of(DocId document) const;

 private:
  std::unordered_map<DocId, CopyForm> forms_;  // of copies that differ from their originals
};

/// The original of every document: itself where it is no copy.
[[nodiscard]] std::vector<DocId> originals(std::uint64_t documents, std::span<const Copy> copies);
/// For every document: is it a copy?
[[nodiscard]] std::vector<bool> copy_marks(std::uint64_t documents, std::span<const Copy> copies);

/// One entry a document.
struct Settlement {
  PodVector<DocId> kept;  ///< itself if it stays, else the kept document it left for
  /// Where losses decide who leaves: the document whose cluster it is in, that is the one that it would leave
  /// for if all that is similar left. Empty where all of it does.
  PodVector<DocId> leaders;
  PodVector<std::uint32_t> pair;  ///< number of the verified pair that removed it; kNoPair if it stays or is
                                  ///< a copy of the kept one
  std::vector<DocId> component;   ///< smallest document of its connected component
  static constexpr std::uint32_t kNoPair = UINT32_MAX;

  [[nodiscard]] bool stays(DocId d) const noexcept { return kept[d] == d; }
  [[nodiscard]] DocId leader(DocId d) const noexcept { return by_losses() ? leaders[d] : kept[d]; }
  /// Do losses decide who leaves?
  [[nodiscard]] bool by_losses() const noexcept { return !leaders.empty(); }
};

/// Copies share the fate of their original, for which the best-ranked of them stands; only then are similar
/// ones compared. `pairs` are between originals. `rank` is a permutation, 0 the best. Documents below
/// `protected_count` are never removed and come before all others.
Result<Settlement> settle(std::uint64_t documents, const PairStore& pairs, std::span<const Copy> copies,
                          std::span<const std::uint32_t> rank, DocId protected_count);

/// Decides again who leaves and for whom, by losses; clusters and components of `settlement` stay. A copy
/// leaves only for one that has the same signs, or with all of its group. Returns what must be asked first:
/// then the pairs are to be told, and this is to be called again.
Result<std::vector<OpenLoss>> settle_losses(const PairStore& pairs, std::span<const Copy> copies,
                                            std::span<const std::uint32_t> rank, DocId protected_count,
                                            const LeaveRule& leaves, Settlement& settlement);

}  // namespace leitong
