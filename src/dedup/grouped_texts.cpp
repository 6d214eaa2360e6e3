#include "dedup/grouped_texts.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "base/try.hpp"

namespace leitong {
namespace {

/// The form of a copy relative to another one of its group than the original.
CopyForm relative(const CopyForm& form, const CopyForm& to) {
  return {form.text == to.text ? 0 : form.text + 1, form.signs == to.signs ? 0 : form.signs + 1};
}

}  // namespace

GroupedTexts::GroupedTexts(FieldGroups groups, std::span<const Copy> copies,
                           std::span<const std::uint32_t> rank, std::vector<DocId> family)
    : groups_(std::move(groups)),
      text_of_(originals(rank.size(), copies)),
      family_(std::move(family)),
      itself_(rank.size()),
      forms_(copies) {
  std::iota(itself_.begin(), itself_.end(), DocId{0});
  struct Part {
    DocId first;
    std::uint32_t rank;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0, end = 0; i < copies.size(); i = end) {
    const DocId text = copies[i].original;
    while (end < copies.size() && copies[end].original == text) ++end;
    std::vector<DocId> members{text};
    for (const Copy& copy : copies.subspan(i, end - i)) members.push_back(copy.copy);
    const auto key = [&](DocId d) {
      // Apart from each other, documents of different signs are parts of their own: they need not leave
      // together.
      return std::tuple(groups_.within.empty() ? 0U : groups_.within[d],
                        groups_.across.empty() ? 0U : groups_.across[d],
                        copies_apart() ? forms_.of(d).signs : 0U, d);
    };
    std::ranges::sort(members, {}, key);
    const auto together = [&](DocId x, DocId y) {
      return groups_.alike(x, y) && (!copies_apart() || forms_.same_signs(x, y));
    };
    parts.clear();
    for (const DocId d : members) {
      if (parts.empty() || !together(parts.back().first, d)) {
        parts.push_back({d, rank[d]});
        continue;
      }
      const DocId first = parts.back().first;
      parts.back().rank = std::min(parts.back().rank, rank[d]);
      copies_.push_back({d, first, relative(forms_.of(d), forms_.of(first))});
    }
    std::ranges::sort(parts, {}, &Part::rank);
    std::vector<DocId>& of_text = parts_[text];
    for (const Part& part : parts) of_text.push_back(part.first);
  }
  std::ranges::sort(copies_, {}, [](const Copy& copy) { return std::tuple(copy.original, copy.copy); });
}

std::span<const DocId> GroupedTexts::parts(DocId text) const {
  const auto found = parts_.find(text);
  return found == parts_.end() ? std::span<const DocId>(&itself_[text], 1) : found->second;
}

std::optional<Candidate> GroupedTexts::stands_for(DocId a, DocId b) const {
  for (const DocId x : parts(a))
    for (const DocId y : parts(b))
      if (may_compare(x, y)) return Candidate{std::min(x, y), std::max(x, y)};
  return std::nullopt;
}

Result<void> GroupedTexts::for_each_pair_of_copies(
    const std::function<Result<void>(const VerifiedPair&, bool same_signs)>& each) const {
  for (const auto& [text, of_text] : parts_)
    for (std::size_t i = 0; i < std::min(of_text.size(), kMostParts); ++i)
      for (std::size_t j = i + 1; j < of_text.size(); ++j) {
        const DocId a = std::min(of_text[i], of_text[j]), b = std::max(of_text[i], of_text[j]);
        if (may_compare(a, b))
          LEITONG_TRY(each(copies_of_one(a, b, forms_.same_text(a, b)), forms_.same_signs(a, b)));
      }
  return {};
}

}  // namespace leitong
