// "default": winnowed long-shingle keys in two tiers of length, joined by rarity.
#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "dedup/method.hpp"
#include "feature/winnow.hpp"
#include "index/rarity_join.hpp"

namespace leitong {
namespace {

// Edits of people come in bursts: one long shingle that survives says as much as two or three short ones.
// Short texts get dense keys, long ones sparse keys; documents of 64..255 units bring both.
constexpr std::uint32_t kShortBelow = 256, kLongFrom = 64;
constexpr std::size_t kShortUnits = 6, kShortWindow = 4, kLongUnits = 12;

constexpr std::uint32_t long_window(std::uint32_t units) {
  if (units < 512) return 16;
  if (units < 2'048) return 32;
  if (units < 8'192) return 64;
  if (units < 32'768) return 128;
  return 256;
}

// Winnowing chooses 2 of every window + 1 shingles (Schleimer et al. 2003, section 3.2).
double expected_keys(std::uint32_t a, std::uint32_t b) {
  return 2.0 * a / ((b < kShortBelow ? kShortWindow : long_window(b)) + 1);
}
double comparable_share(std::uint32_t a, std::uint32_t b) {
  return b < kShortBelow ? 1.0 : (long_window(a) + 1.0) / (long_window(b) + 1.0);
}

class DefaultMethod final : public Method {
 public:
  explicit DefaultMethod(const MethodContext& context)
      : rule_(context.rule),
        join_({kShortBelow, expected_keys, comparable_share}, context.table, context.memory, context.work) {}

  struct Space final : Scratch {
    WinnowScratch winnow;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The first word is the number of keys of the short tier; they follow, then those of the long tier.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    WinnowScratch& space = static_cast<Space&>(scratch).winnow;
    const std::size_t units = document.units.size(), header = words.size();
    if (units < kShortUnits) return;
    words.push_back(0);
    if (units < kShortBelow) winnow(document.units, kShortUnits, kShortWindow, space, words);
    words[header] = words.size() - header - 1;
    if (units >= kLongFrom)
      winnow(document.units, kLongUnits,
             long_window(static_cast<std::uint32_t>(std::min<std::size_t>(units, UINT32_MAX))), space, words);
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    return join_.add(document, {words.subspan(1, words[0]), words.subspan(1 + words[0])});
  }

  Result<void> find(CandidateSink& sink) override { return join_.find(sink, reachable()); }

  Result<void> find_strays(CandidateSink& sink, std::span<const DocId> family, unsigned round) override {
    return join_.find_strays(sink, reachable(), family, round);
  }

  [[nodiscard]] bool is_common(DocId document) const override { return join_.is_hot(document); }

  [[nodiscard]] MethodFigures figures() const override {
    const RarityJoin::Figures& f = join_.figures();
    return {{"keys", f.keys},
            {"shared_keys", f.shared_keys},
            {"hot_keys", f.hot_keys},
            {"hot_entries", f.hot_entries},
            {"raw_pairs", f.raw_pairs},
            {"star_pairs", f.star_pairs},
            {"distinct_pairs", f.distinct_pairs},
            {"hot_unmatched", f.hot_unmatched}};
  }

 private:
  [[nodiscard]] RarityJoin::Reachable reachable() const {
    return [this](std::uint32_t a, std::uint32_t b) { return rule_.worth_verifying(a, b); };
  }

  const Rule& rule_;
  RarityJoin join_;
};

MadeMethod make_default(const MethodContext& context, const Params&) {
  return std::make_unique<DefaultMethod>(context);
}

}  // namespace

MethodInfo default_method() {
  return {"default",
          "winnowed long shingles joined by rarity, verified by Jaccard or containment",
          "Schleimer, Wilkerson, Aiken 2003 (winnowing); Broder 1997 (resemblance, containment)",
          {},
          "",
          "6 characters in a row (12 letters or digits)",
          make_default};
}

}  // namespace leitong
