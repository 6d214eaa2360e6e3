// The texts of a run whose documents are compared by groups.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/candidates.hpp"
#include "base/pair.hpp"
#include "base/try.hpp"
#include "cluster/pair_store.hpp"
#include "cluster/settle.hpp"
#include "dedup/field_groups.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A run searches and decides all texts without regard to groups, since what is a template, and what is one
/// work, depends on the whole corpus. Afterwards only the pairs of documents count that may be compared.
/// Documents of one text (copies) are divided into parts. The documents of a part may be compared with the
/// same others, so one of them stands for the part.
class GroupedTexts {
 public:
  /// Of one text, every pair of this number of parts is a pair. If there are more parts, each is paired only
  /// with the kMostParts best ones: that decides the same, since at most two parts of one text stay.
  static constexpr std::size_t kMostParts = 64;

  /// `copies` are confirmed and sorted by (original, copy); `rank` is a permutation, 0 the best. `family` is
  /// the component of each text, without regard to groups.
  GroupedTexts(FieldGroups groups, std::span<const Copy> copies, std::span<const std::uint32_t> rank,
               std::vector<DocId> family);

  [[nodiscard]] bool may_compare(DocId a, DocId b) const noexcept { return groups_.may_compare(a, b); }
  /// The first document that has the text.
  [[nodiscard]] DocId text_of(DocId document) const noexcept { return text_of_[document]; }
  [[nodiscard]] DocId family(DocId document) const noexcept { return family_[text_of_[document]]; }
  /// A number that is equal for documents that can be in one cluster.
  [[nodiscard]] std::uint32_t division(DocId document) const noexcept {
    return groups_.within.empty() ? 0 : groups_.within[document];
  }
  /// The copies within the parts, by (original, copy). Where documents of one value are never compared, they
  /// are not compared with each other either (PairResult::copies_apart).
  [[nodiscard]] const std::vector<Copy>& copies() const noexcept { return copies_; }
  [[nodiscard]] bool copies_apart() const noexcept { return !groups_.across.empty(); }

  /// Calls each(pair) for the pairs of documents that a pair of two texts stands for.
  template <class Each>
  Result<void> for_each_pair(const VerifiedPair& of_texts, Each each) const {
    const std::span<const DocId> as = parts(of_texts.a), bs = parts(of_texts.b);
    for (std::size_t i = 0; i < as.size(); ++i)
      for (std::size_t j = 0; j < (i < kMostParts ? bs.size() : std::min(bs.size(), kMostParts)); ++j) {
        if (!may_compare(as[i], bs[j])) continue;
        VerifiedPair pair = of_texts;
        pair.a = std::min(as[i], bs[j]);
        pair.b = std::max(as[i], bs[j]);
        LEITONG_TRY(each(pair));
      }
    return {};
  }
  /// Of these pairs one; nothing if there is none.
  [[nodiscard]] std::optional<Candidate> stands_for(DocId a, DocId b) const;
  /// Calls each(pair, same_signs) for the pairs of documents of one text.
  Result<void> for_each_pair_of_copies(
      const std::function<Result<void>(const VerifiedPair&, bool same_signs)>& each) const;

 private:
  /// The first documents of the parts, the best part first.
  [[nodiscard]] std::span<const DocId> parts(DocId text) const;

  FieldGroups groups_;
  std::vector<DocId> text_of_, family_;
  std::vector<DocId> itself_;                            // 0, 1, 2, ..: a text without copies is one part
  std::unordered_map<DocId, std::vector<DocId>> parts_;  // of the texts that have copies
  std::vector<Copy> copies_;
  CopyForms forms_;
};

}  // namespace leitong
