#include "spread/steps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "api/text_batches.hpp"
#include "base/try.hpp"
#include "cluster/settle.hpp"
#include "corpus/memory_documents.hpp"
#include "dedup/content_hash.hpp"
#include "dedup/families.hpp"
#include "dedup/find_options.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/finders/rarity_tiers.hpp"
#include "dedup/losses.hpp"
#include "dedup/method.hpp"
#include "dedup/rule_in_force.hpp"
#include "dedup/settling.hpp"
#include "dedup/verify.hpp"
#include "index/rarity_join.hpp"
#include "leitong/settings.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"
#include "spread/steps_kit.hpp"
#include "text/signs.hpp"

namespace leitong::spread {
namespace {

static_assert(kNoFamily == kNoDocument && std::tuple_size_v<decltype(PairEvidence::shared)> == kKeyClasses);

// A seed that differs from that of the content.
constexpr std::uint64_t kCheckSeed = 0x6c65'6974'6f6e'6721;

}  // namespace

Result<Steps> Steps::open(const DedupSettings& settings) {
  LEITONG_ASSIGN(const FindOptions wanted, find_options(settings));
  LEITONG_ASSIGN(const FindOptions options, in_force(wanted));
  if (options.cosine > 0)
    return fail(ErrorCode::unsupported, "vectors are compared all with all, which is not spread");
  const TextGroups& groups = settings.groups;
  if (!groups.within.empty() || !groups.across.empty() || !groups.keep_each.empty())
    return fail(ErrorCode::unsupported, "texts are compared by groups only where all of them are in one run");
  if (options.method != "default" || !options.params.empty() || !options.verify ||
      options.rule.measure == Measure::edit || options.rule.passage_units > 0)
    return fail(
        ErrorCode::unsupported,
        fmt::format("only the method default, with verification and without passages or edit distances, "
                    "can be spread over many machines{}",
                    options.method == wanted.method
                        ? ""
                        : "; this rule asks for candidates of the method " + options.method));
  LEITONG_ASSIGN(const bool templates, ignores_templates(options, options.rule));
  return Steps(std::make_shared<const Impl>(
      Impl{wanted, options.rule, templates ? widened(options.rule) : options.rule, templates}));
}

bool Steps::looks_for_templates() const noexcept { return impl_->templates; }

const Folding& Steps::folding() const noexcept { return impl_->options.folding; }

Result<SchemeId> Steps::scheme(const Context& context) const {
  LEITONG_ASSIGN(const std::unique_ptr<Scheme> scheme,
                 make_scheme("default", {}, resources_of(context), impl_->options.folding));
  return scheme->id();
}

Result<Sketches> Steps::sketch(const Context& context, std::span<const std::string_view> texts) const {
  LEITONG_ASSIGN(const std::unique_ptr<Scheme> scheme,
                 make_scheme("default", {}, resources_of(context), impl_->options.folding));
  struct Space {
    std::unique_ptr<Sketcher::Scratch> scratch;
    PodVector<Unit> units;
    PodVector<std::uint64_t> words;
    std::vector<std::uint64_t> keys;
  };
  const auto work = [&](const TextChunk& chunk, Space& space, Sketches& out) -> Result<void> {
    for (const std::string_view text : chunk.texts) {
      to_units(text, scheme->folding(), space.units);
      space.words.clear();
      scheme->sketch({text, space.units}, *space.scratch, space.words);
      out.content.push_back(content_hash(text, space.units));
      out.check.push_back(content_hash(text, space.units, kCheckSeed));
      out.units.push_back(static_cast<std::uint32_t>(std::min<std::size_t>(space.units.size(), UINT32_MAX)));
      const SketchedKeys made = sketched_keys(space.words);
      out.sets.push_back(made.set.value_or(0));
      space.keys.clear();
      std::uint32_t in_tier[2] = {};
      for (const unsigned tier : {0U, 1U})
        for (const std::uint64_t key : made.keys[tier])
          space.keys.push_back(key >> (64 - kKeyBits) << 1 | tier);
      std::sort(space.keys.begin(), space.keys.end());
      space.keys.erase(std::unique(space.keys.begin(), space.keys.end()), space.keys.end());
      for (const std::uint64_t key : space.keys) ++in_tier[key & 1];
      out.short_keys.push_back(in_tier[0]);
      out.keys.values.insert(out.keys.values.end(), space.keys.begin(), space.keys.end());
      end_list(out.keys);
    }
    return {};
  };
  LEITONG_ASSIGN(std::vector<Sketches> parts, for_chunks<Sketches>(
                                                  context, texts,
                                                  [&] {
                                                    return Space{scheme->new_scratch(), {}, {}, {}};
                                                  },
                                                  work));
  Sketches all;
  std::vector<Lists<std::uint64_t>> keys;
  for (Sketches& part : parts) {
    append(all.content, part.content);
    append(all.check, part.check);
    append(all.units, part.units);
    append(all.short_keys, part.short_keys);
    append(all.sets, part.sets);
    keys.push_back(std::move(part.keys));
  }
  all.keys = joined(std::move(keys));
  return all;
}

Result<Variants> Steps::variants(const Context& context, std::span<const std::string_view> texts) const {
  const bool by_signs = asks_for_losses(impl_->options.remove);
  LEITONG_ASSIGN(const std::vector<Variants> parts,
                 for_chunks<Variants>(
                     context, texts, [] { return std::monostate(); },
                     [&](const TextChunk& chunk, std::monostate&, Variants& out) -> Result<void> {
                       for (const std::string_view text : chunk.texts) {
                         out.form.push_back(same_text_hash(text));
                         out.signs.push_back(by_signs ? signs_hash(text, folding()) : 0);
                       }
                       return {};
                     }));
  Variants all;
  for (const Variants& part : parts) {
    append(all.form, part.form);
    append(all.signs, part.signs);
  }
  return all;
}

TextWeight Steps::weigh(const std::array<std::uint32_t, 2>& all,
                        const std::array<KeyTally, 2>& tallies) const {
  TextWeight weight;
  std::uint8_t hot = 0;
  for (const unsigned tier : {0U, 1U}) {
    const KeySum sum = sum_keys(all[tier], tallies[tier], frame_of(impl_->templates, false));
    weight.rarity[tier] = sum.rarity;
    weight.last_class[tier] = sum.last_class;
    weight.frame = std::max(weight.frame, sum.frame_share);
    hot = std::max(hot, sum.hot_share);
  }
  weight.common = is_hot_share(hot);
  return weight;
}

std::optional<WorthComparing> Steps::judge(const PairEvidence& pair) const {
  const KeyTiers tiers = winnowed_tiers();
  const unsigned shorter = pair.units[0] <= pair.units[1] ? 0 : 1, longer = 1 - shorter;
  const unsigned tier = tiers.tier_of(pair.units[longer]);
  SharedKeys shared{pair.units[shorter], pair.units[longer], pair.weights[shorter].rarity[tier],
                    pair.weights[longer].rarity[tier]};
  const unsigned last = std::max(pair.weights[0].last_class[tier], pair.weights[1].last_class[tier]);
  for (unsigned c = 0; c <= last; ++c) {
    shared.weight += pair.shared[c];
    shared.rare |= c < kFrameClass && pair.shared[c] > 0;
  }
  shared.stars = pair.stars;
  shared.rarest = pair.shared[0];
  return judge_shared(
      tiers, shared, [&](std::uint32_t m, std::uint32_t n) { return impl_->wide.worth_verifying(m, n); },
      [&] {
        return CommonKeys{pair.weights[0].common != 0 && pair.weights[1].common != 0,
                          pair.weights[longer].frame, pair.weights[shorter].frame};
      });
}

Result<std::vector<ComparedPair>> Steps::compare(const Context& context,
                                                 std::span<const std::string_view> texts,
                                                 std::vector<Candidate> pairs) const {
  std::sort(pairs.begin(), pairs.end(), by_documents);
  return on_threads(context, [&]() -> Result<std::vector<ComparedPair>> {
    Part part(context, texts, impl_->options.folding);
    LEITONG_TRY(part.count_units(texts));
    PairStore accepted(texts.size(), part.run), aside(texts.size(), part.run);
    Verifier verifier(part.source, part.table, accepted,
                      {.rule = impl_->rule, .aside = impl_->templates ? &aside : nullptr}, part.run);
    std::vector<VerifiedPair> found;
    const auto take = [&](const VerifiedPair& pair) -> Result<void> {
      found.push_back(pair);
      return {};
    };
    LEITONG_TRY(verifier.decide(pairs, take, take));
    std::sort(found.begin(), found.end(), goes_before);
    std::vector<ComparedPair> compared;
    compared.reserve(found.size());
    for (const VerifiedPair& pair : found) compared.push_back(to_compared(pair));
    return compared;
  });
}

Result<std::vector<ComparedPair>> Steps::complete(const Context& context, const Components& part) const {
  return on_threads(context, [&]() -> Result<std::vector<ComparedPair>> {
    Part here(context, part.texts, impl_->options.folding);
    LEITONG_TRY(here.count_units(part.texts));
    PairStore pairs(part.texts.size(), here.run), aside(part.texts.size(), here.run);
    LEITONG_TRY(add_pairs(part.pairs, pairs, &aside));
    Verifier verifier(here.source, here.table, pairs,
                      {.rule = impl_->rule, .aside = impl_->templates ? &aside : nullptr}, here.run);
    if (impl_->templates) LEITONG_TRY(verifier.know(pairs));
    LEITONG_TRY(compare_within_families(
        {part.family.begin(), part.family.end()}, pairs, here.table, verifier,
        [&](DocId d) { return part.common[d] != 0; }, impl_->rule));
    LEITONG_TRY(aside.sort());
    std::vector<ComparedPair> all;
    for (const PairStore* store : {&pairs, &aside})
      LEITONG_TRY(store->for_each([&](const VerifiedPair& pair) { all.push_back(to_compared(pair)); }));
    return all;
  });
}

namespace {

// Records pairs that were accepted before each round, so that those of a round can be found afterwards.
class Rounds {
 public:
  Rounds(const Components& part, Settled& settled) : part_(part), settled_(settled) {}

  /// `tell`: whether tell() will be called, with the documents that leave.
  template <class Tell>
  Result<bool> take(const PairResult& found, int round, bool grew, Tell tell) {
    settled_.grew.push_back(grew ? 1 : 0);
    if (!part_.every_round) return grew;
    if (grew)
      LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& pair) {
        first_.try_emplace({pair.a, pair.b}, static_cast<std::uint16_t>(round));
      }));
    LEITONG_TRY(tell());
    return true;
  }

  // Records what became of every text.
  Result<void> tell(const PairResult& found) {
    const Settlement& s = found.settlement;
    const std::size_t begin = settled_.kept.size(), texts = part_.texts.size();
    settled_.kept.insert(settled_.kept.end(), s.kept.begin(), s.kept.end());
    settled_.measures.resize(begin + texts, Measure::identical);
    settled_.scores.resize(begin + texts, 1.0F);
    std::uint32_t number = 0;
    return found.pairs->for_each([&](const VerifiedPair& pair) {
      for (const DocId d : {pair.a, pair.b}) {
        if (s.pair[d] != number) continue;
        settled_.measures[begin + d] = pair.measure;
        settled_.scores[begin + d] = pair.score;
      }
      ++number;
    });
  }

  Result<void> list(const PairStore& pairs) {
    return pairs.for_each([&](const VerifiedPair& pair) {
      ComparedPair& out = settled_.pairs.emplace_back(to_compared(pair));
      if (part_.every_round) out.round = first_.at({pair.a, pair.b});
    });
  }

 private:
  const Components& part_;
  Settled& settled_;
  std::map<std::pair<DocId, DocId>, std::uint16_t> first_;  // the round before which each pair was found
};

}  // namespace

Result<Settled> Steps::settle(const Context& context, const Components& part) const {
  return on_threads(context, [&]() -> Result<Settled> {
    const std::size_t texts = part.texts.size();
    Part here(context, part.texts, impl_->options.folding);
    LEITONG_TRY(here.count_units(part.texts));
    PairResult found;
    found.table.units.append(here.table.units);
    found.table.content.append(here.table.content);
    found.pairs = std::make_unique<PairStore>(texts, here.run);
    if (impl_->templates) found.aside = std::make_unique<PairStore>(texts, here.run);
    LEITONG_TRY(add_pairs(part.pairs, *found.pairs, found.aside.get()));
    found.common.assign(part.common.begin(), part.common.end());
    Verifier verifier(here.source, here.table, *found.pairs,
                      {.rule = impl_->rule, .aside = found.aside.get()}, here.run);
    std::optional<TemplateStage> second;
    if (impl_->templates) {
      LEITONG_TRY(verifier.know(*found.pairs));
      second.emplace(
          TemplateStage::Input{
              .source = here.source, .table = here.table, .rule = impl_->rule, .corpus = part.corpus},
          here.run);
      const auto marks_of =
          [&](const std::function<Result<void>(DocId, const ShingleMark&)>& each) -> Result<void> {
        for (const ShingleOfText& s : part.shingles)
          LEITONG_TRY(each(s.text, {s.shingle, s.families, 0, s.is_template != 0}));
        return {};
      };
      LEITONG_TRY(
          second->take_over({{part.in_question.begin(), part.in_question.end()}, marks_of}, *found.aside));
      LEITONG_TRY(decide_again(*second, verifier, here.run, found));
    }
    Precedence precedence{{part.rank.begin(), part.rank.end()}, 0};
    Settled settled;
    Rounds rounds(part, settled);
    Result<void> failure;
    LossReader losses({here.source, found.table, second ? &*second : nullptr}, here.run);
    const auto tell = [&]() -> Result<void> {
      LEITONG_TRY(settle_removals(impl_->options.remove, precedence, losses, found));
      LEITONG_TRY(rounds.tell(found));
      if (Settlement& settlement = found.settlement; !settlement.leaders.empty()) {
        settlement.kept = std::move(settlement.leaders);  // further rounds depend on what is similar
        settlement.leaders = {};
        settlement.losses_decide = false;
      }
      return {};
    };
    LEITONG_TRY(settle_found(found, verifier, precedence, {.by_rule = true}, [&](int round, bool grew) {
      auto go_on = rounds.take(found, round, grew, tell);
      if (go_on) return *go_on;
      failure = tl::unexpected(std::move(go_on).error());
      return false;
    }));
    LEITONG_TRY(std::move(failure));
    if (!part.every_round) LEITONG_TRY(tell());
    LEITONG_TRY(rounds.list(*found.pairs));
    return settled;
  });
}

}  // namespace leitong::spread
