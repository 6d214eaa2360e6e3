#include "cluster/expand.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/try.hpp"

namespace leitong {
namespace {

// The copies of each original that has any, as a range of the sorted list.
using Groups = std::unordered_map<DocId, std::span<const Copy>>;

Groups group(std::span<const Copy> copies) {
  Groups groups;
  for (std::size_t i = 0; i < copies.size();) {
    std::size_t j = i;
    while (j < copies.size() && copies[j].original == copies[i].original) ++j;
    groups.emplace(copies[i].original, copies.subspan(i, j - i));
    i = j;
  }
  return groups;
}

}  // namespace

Result<void> expand(const PairStore& pairs, std::span<const Copy> copies, PairStore& expanded, bool apart) {
  const Groups groups = group(copies);
  auto add = [&](DocId a, DocId b, VerifiedPair pair) {
    std::tie(pair.a, pair.b) = std::minmax(a, b);
    return expanded.add(pair);
  };
  auto add_loss = [&](DocId leaves, DocId stays, const std::optional<Loss>& loss) {
    return loss ? expanded.add_loss(leaves, stays, *loss) : Result<void>();
  };
  auto add_copies = [&](const Copy& a, const Copy& b) -> Result<void> {
    LEITONG_TRY(add(a.copy, b.copy, copies_of_one(0, 0, a.form.text == b.form.text)));
    if (a.form.signs == b.form.signs) return {};
    constexpr Loss kOtherSigns{.other_signs = true};
    LEITONG_TRY(add_loss(a.copy, b.copy, kOtherSigns));
    return add_loss(b.copy, a.copy, kOtherSigns);
  };
  // Calls each(document) for the original and, if there are few, its copies.
  auto for_each_like = [&](DocId original, auto each) -> Result<void> {
    LEITONG_TRY(each(original));
    const auto found = groups.find(original);
    if (found == groups.end() || found->second.size() >= kMaxExpanded) return {};
    for (const Copy& c : found->second) LEITONG_TRY(each(c.copy));
    return {};
  };
  for (const auto& [original, group] : groups) {
    if (apart) break;
    const bool all = group.size() < kMaxExpanded;
    for (std::size_t i = 0; i < group.size(); ++i) {
      LEITONG_TRY(add_copies({original, original}, group[i]));
      for (std::size_t j = i + 1; all && j < group.size(); ++j) LEITONG_TRY(add_copies(group[i], group[j]));
    }
    if (all) continue;
    std::unordered_map<std::uint32_t, const Copy*> first_with;  // the first copy for each number of signs
    for (const Copy& copy : group)
      if (copy.form.signs != 0)
        if (const auto [first, is_new] = first_with.try_emplace(copy.form.signs, &copy); !is_new)
          LEITONG_TRY(add_copies(*first->second, copy));
  }
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair, const PairLosses& losses) {
    return for_each_like(pair.a, [&](DocId a) {
      return for_each_like(pair.b, [&](DocId b) -> Result<void> {
        LEITONG_TRY(add(a, b, pair));
        LEITONG_TRY(add_loss(a, b, losses.a));
        return add_loss(b, a, losses.b);
      });
    });
  }));
  return expanded.sort();
}

}  // namespace leitong
