#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/try.hpp"
#include "dedup/families.hpp"
#include "spread/components.hpp"
#include "spread/contents.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {
namespace {

/// A text in the order in which texts stay.
struct RankedRow {
  TextNumber text, component;
  std::uint32_t place;  // among the KinRows
  bool is_common, in_question;
};

Result<std::vector<RankedRow>> ranked(const PartRun& run, std::span<const KinRow> kin, Contents& contents) {
  struct Row {
    RankedRow of;
    std::uint32_t shortness;
    RecordPlace record;
  };
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < kin.size(); ++i) {
    LEITONG_ASSIGN(const ContentRow* const content, contents.find(kin[i].text));
    const bool longest = run.plan.settings.keep.by == Keep::longest;
    rows.push_back(
        {{kin[i].text, kin[i].component, i, (kin[i].flags & kCommon) != 0, (kin[i].flags & kAsked) != 0},
         longest ? UINT32_MAX - content->units : 0,
         content->place});
  }
  std::ranges::sort(rows, {},
                    [](const Row& row) { return std::tuple(row.of.component, row.shortness, row.record); });
  std::vector<RankedRow> order;
  for (const Row& row : rows) order.push_back(row.of);
  return order;
}

/// Are the texts of these rows in a family of so many common texts that every round is told?
bool has_large_family(std::span<const RankedRow> rows) {
  std::map<TextNumber, std::size_t> common;
  for (const RankedRow& row : rows)
    if (row.is_common && ++common[row.component] > kSmallFamily) return true;
  return false;
}

/// What a part decides.
struct Decisions {
  Ranged<LeftRow> left;  // by ranges of the texts that leave
  std::vector<PairOfTexts> pairs;
  std::vector<std::uint8_t> grew;  // of each round: a component grew before it

  void add(std::span<const TextNumber> texts, const Settled& settled, bool every_round) {
    if (grew.size() < settled.grew.size()) grew.resize(settled.grew.size());
    for (std::size_t round = 0; round < settled.grew.size(); ++round) grew[round] |= settled.grew[round];
    const auto ranges = static_cast<std::uint32_t>(left.size());
    for (std::size_t i = 0; i < settled.kept.size(); ++i) {
      const std::size_t text = i % texts.size(), kept = settled.kept[i];
      if (kept == text) continue;
      left[range_of(texts[text], ranges)].push_back(
          {.text = texts[text],
           .kept = texts[kept],
           .score = settled.scores[i],
           .round = every_round ? static_cast<std::int16_t>(i / texts.size()) : kEveryRound,
           .measure = settled.measures[i]});
    }
    const std::vector<PairOfTexts> some = by_texts(texts, settled.pairs);
    pairs.insert(pairs.end(), some.begin(), some.end());
  }
};

}  // namespace

Result<void> settle(const PartRun& run) {
  LEITONG_ASSIGN(const PartFile given, PartFile::open(run.plan.file("complete", run.part)));
  LEITONG_ASSIGN(const auto kin, given.all<KinRow>("kin"));
  LEITONG_ASSIGN(const auto pairs, given.all<PairOfTexts>("pairs"));
  std::vector<MarkRow> marks;
  if (run.steps.looks_for_templates()) {
    LEITONG_ASSIGN(marks, gathered<MarkRow>(run.plan, "mark", "marks", run.part));
  }
  const auto order = [](const MarkRow& row) {
    return std::pair(row.text, static_cast<std::int32_t>(row.shingle));
  };
  std::ranges::sort(marks, {}, order);
  Contents contents(run.plan, run.context);
  LEITONG_ASSIGN(const std::vector<RankedRow> rows, ranked(run, kin, contents));
  LEITONG_ASSIGN(const std::uint64_t corpus, records_of(run.plan));
  Decisions decisions{.left = Ranged<LeftRow>(run.plan.parts), .pairs = {}, .grew = {}};
  const auto work = [&](const Block<RankedRow>& block) -> Result<void> {
    std::vector<TextNumber> texts;
    std::vector<std::uint8_t> common, in_question;
    std::vector<ShingleOfText> shingles;
    for (const RankedRow& row : block.rows) {
      for (const MarkRow& mark : std::ranges::equal_range(marks, row.place, {}, &MarkRow::text))
        shingles.push_back({.text = static_cast<std::uint32_t>(texts.size()),
                            .shingle = mark.shingle,
                            .families = mark.families >> 1,
                            .is_template = mark.families & 1});
      texts.push_back(row.text);
      common.push_back(row.is_common);
      in_question.push_back(row.in_question);
    }
    std::vector<std::uint32_t> rank(texts.size());
    std::iota(rank.begin(), rank.end(), 0U);
    LEITONG_ASSIGN(const std::vector<ComparedPair> known, by_positions(texts, block.pairs));
    LEITONG_ASSIGN(const TextBlock read, contents.read(texts));
    const bool every_round = has_large_family(block.rows);
    LEITONG_ASSIGN(const Settled settled, run.steps.settle(run.context, {.texts = read.texts,
                                                                         .common = common,
                                                                         .pairs = known,
                                                                         .rank = rank,
                                                                         .in_question = in_question,
                                                                         .shingles = shingles,
                                                                         .corpus = corpus,
                                                                         .every_round = every_round}));
    decisions.add(texts, settled, every_round);
    return {};
  };
  LEITONG_TRY(each_block(std::span<const RankedRow>(rows), pairs, work));
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("settle", run.part), run.context));
  LEITONG_TRY(file.put("left", decisions.left));
  LEITONG_TRY(file.put("pairs", decisions.pairs));
  LEITONG_TRY(file.put("grew", decisions.grew));
  return file.finish();
}

}  // namespace leitong::spread
