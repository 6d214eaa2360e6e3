#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "cluster/kinship.hpp"
#include "dedup/families.hpp"
#include "dedup/finders/rarity_tiers.hpp"
#include "dedup/pair_finder.hpp"
#include "dedup/verify.hpp"
#include "index/rarity_join.hpp"
#include "spread/steps.hpp"
#include "spread/steps_kit.hpp"

namespace leitong::spread {
namespace {

// The finder of the default method, from where hot keys and the weights of their texts are known.
class HotKeyFinder final : public RarityJoinFinder {
 public:
  using RarityJoinFinder::RarityJoinFinder;

  Result<void> take_over(const Linking& of) {
    std::vector<RarityJoin::Weights> weights(of.content.size());
    for (std::size_t i = 0; i < of.common.size(); ++i)
      weights[of.common[i]] = {of.weights[i].rarity, kHotShareFrom, of.weights[i].frame};
    std::vector<std::pair<std::uint64_t, DocId>> entries(of.hot_keys.size());
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {of.hot_keys[i], of.holders[i]};
    std::sort(entries.begin(), entries.end());
    std::vector<DocId> documents(entries.size());
    std::vector<RarityJoin::HotKey> keys;
    for (std::size_t begin = 0, end; begin < entries.size(); begin = end) {
      for (end = begin; end < entries.size() && entries[end].first == entries[begin].first; ++end)
        documents[end] = entries[end].second;
      keys.push_back({static_cast<unsigned>(entries[begin].first & 1),
                      std::span(documents).subspan(begin, end - begin)});
    }
    return join_.take_over(weights, keys);
  }

  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink& sink) override { return join_.lead_unmatched(sink, reachable()); }
};

// For each text the first one of its component, if that has a family, or several common texts of one work.
std::vector<std::uint32_t> to_complete(const Linking& of, std::span<const DocId> family,
                                       std::span<const ComparedPair> pairs, const Kinship* works) {
  Kinship components(family.size());
  for (const ComparedPair& pair : pairs) components.join(pair.a, pair.b);
  std::vector<std::uint32_t> of_text = components.take();
  std::vector<bool> wanted(of_text.size()), has_common(of_text.size());  // of components, of works
  for (DocId d = 0; d < family.size(); ++d)
    if (family[d] != kNoDocument) wanted[of_text[d]] = true;
  if (works != nullptr)
    for (const DocId d : of.common) {
      const DocId work = works->family(d);
      if (has_common[work]) wanted[of_text[d]] = true;
      has_common[work] = true;
    }
  for (std::uint32_t& component : of_text)
    if (!wanted[component]) component = kNoFamily;
  return of_text;
}

}  // namespace

Result<Linked> Steps::link(const Context& context, const Linking& of) const {
  return on_threads(context, [&]() -> Result<Linked> {
    const std::size_t count = of.content.size();
    std::vector<std::string_view> texts(count);  // only common ones are read
    for (std::size_t i = 0; i < of.common.size(); ++i) texts[of.common[i]] = of.texts[i];
    Part here(context, texts, impl_->options.folding);
    LEITONG_TRY(here.count_units(texts));
    std::ranges::copy(of.content, here.table.content.begin());
    PairStore pairs(count, here.run), aside(count, here.run);
    PairStore* const put_aside = impl_->templates ? &aside : nullptr;
    LEITONG_TRY(add_pairs(of.pairs, pairs, put_aside));
    Linked linked;
    linked.component.assign(count, kNoFamily);
    linked.family.assign(count, kNoFamily);
    Verifier verifier(here.source, here.table, pairs, {.rule = impl_->rule, .aside = put_aside}, here.run);
    if (!of.common.empty()) {
      LEITONG_TRY(verifier.know(pairs));
      HotKeyFinder finder(impl_->wide, here.table, here.run, frame_of(impl_->templates, false));
      LEITONG_TRY(finder.take_over(of));
      LEITONG_TRY(finder.find(verifier));
      LEITONG_TRY(pairs.sort());
      LEITONG_ASSIGN(linked.family, link_families(pairs, here.table, verifier, finder));
    }
    LEITONG_TRY(aside.sort());
    for (const PairStore* store : {&pairs, &aside})
      LEITONG_TRY(
          store->for_each([&](const VerifiedPair& pair) { linked.pairs.push_back(to_compared(pair)); }));
    if (!of.common.empty()) linked.component = to_complete(of, linked.family, linked.pairs, verifier.works());
    return linked;
  });
}

}  // namespace leitong::spread
