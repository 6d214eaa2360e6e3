#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "io/run_context.hpp"
#include "spread/components.hpp"
#include "spread/contents.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {
namespace {

/// Texts that repeat the same, each with the least of them.
Result<void> add_repetitive(const PartRun& run, std::vector<LikelyPair>& likely) {
  LEITONG_ASSIGN(std::vector<SetRow> sets, gathered_all<SetRow>(run.plan, "sketch", "sets"));
  std::ranges::sort(sets, {}, [](const SetRow& row) { return std::pair(row.set, row.text); });
  TextNumber least = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (i == 0 || sets[i].set != sets[i - 1].set) least = sets[i].text;
    const bool is_first = i == 0 || sets[i].text != sets[i - 1].text || sets[i].set != sets[i - 1].set;
    if (is_first && sets[i].text != least && range_of_pairs(sets[i].text, run.plan.parts) == run.part)
      likely.push_back({.text = sets[i].text, .leader = least, .worth = {.score = 1}});
  }
  return {};
}

/// The best evidence for each pair, by (leader, text).
void keep_best(std::vector<LikelyPair>& likely) {
  std::ranges::sort(likely, {}, [](const LikelyPair& pair) { return std::pair(pair.leader, pair.text); });
  std::size_t kept = 0;
  for (const LikelyPair& pair : likely) {
    LikelyPair* const last = kept > 0 ? &likely[kept - 1] : nullptr;
    if (last == nullptr || last->text != pair.text || last->leader != pair.leader) {
      likely[kept++] = pair;
      continue;
    }
    WorthComparing& best = last->worth;
    best.score = std::max(best.score, pair.worth.score);
    best.template_only = best.template_only && pair.worth.template_only;
    best.frame = std::max(best.frame, pair.worth.frame);
  }
  likely.resize(kept);
}

/// Compares some pairs, whose texts are in memory.
Result<void> compare(const PartRun& run, std::span<const LikelyPair> likely, Contents& contents,
                     std::vector<PairOfTexts>& found) {
  std::vector<TextNumber> texts;
  for (const LikelyPair& pair : likely) texts.insert(texts.end(), {pair.text, pair.leader});
  sort_unique(texts);
  std::vector<Candidate> pairs;
  for (const LikelyPair& pair : likely) {
    const std::uint32_t a = find_text(texts, pair.leader), b = find_text(texts, pair.text);
    pairs.push_back({.a = std::min(a, b),
                     .b = std::max(a, b),
                     .score = pair.worth.score,
                     .template_only = pair.worth.template_only,
                     .frame = pair.worth.frame});
  }
  LEITONG_ASSIGN(const TextBlock block, contents.read(texts));
  LEITONG_ASSIGN(const std::vector<ComparedPair> compared,
                 run.steps.compare(run.context, block.texts, std::move(pairs)));
  const std::vector<PairOfTexts> some = by_texts(texts, compared);
  found.insert(found.end(), some.begin(), some.end());
  return {};
}

}  // namespace

Result<void> verify(const PartRun& run) {
  constexpr std::size_t kPairs = 20'000;
  const std::uint64_t memory = run.context.settings().memory;
  // Units of texts that are in memory at once; a text and its features take some 16 bytes each.
  const std::uint64_t most_units = memory == 0 ? 1 << 25 : RunContext(run.context).memory.for_buffers() / 16;
  LEITONG_ASSIGN(const PodVector<KeysOfPair> pairs,
                 gathered_packed<KeysOfPair>(run.plan, "join", "pairs", run.part));
  LEITONG_ASSIGN(const Worth worth, Worth::open(run.plan));
  LEITONG_ASSIGN(std::vector<LikelyPair> likely, run.steps.judge_range(pairs, worth.parts));
  LEITONG_TRY(add_repetitive(run, likely));
  keep_best(likely);
  Contents contents(run.plan, run.context);
  std::vector<PairOfTexts> found;
  for (std::size_t begin = 0, end; begin < likely.size(); begin = end) {
    std::uint64_t units = 0;
    for (end = begin; end < likely.size() && end - begin < kPairs; ++end) {
      LEITONG_ASSIGN(const ContentRow* const a, contents.find(likely[end].text));
      LEITONG_ASSIGN(const ContentRow* const b, contents.find(likely[end].leader));
      if (end > begin && units + a->units + b->units > most_units) break;
      units += a->units + b->units;
    }
    LEITONG_TRY(compare(run, std::span(likely).subspan(begin, end - begin), contents, found));
  }
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("verify", run.part), run.context));
  LEITONG_TRY(file.put("pairs", found));
  return file.finish();
}

}  // namespace leitong::spread
