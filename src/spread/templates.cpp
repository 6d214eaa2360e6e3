#include <algorithm>
#include <numeric>

#include "base/try.hpp"
#include "spread/by_range.hpp"
#include "spread/components.hpp"
#include "spread/contents.hpp"
#include "spread/shingle_filter.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {
namespace {

constexpr std::size_t kAtOnce = 4096;  // texts

/// The texts of pairs of all component ranges, ascending.
struct Kin {
  std::vector<TextNumber> texts, families;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint32_t> range, place;  // of each: its range, and its place in it

  /// `families`: the stage that tells them, or empty for those of the works.
  static Result<Kin> read(const Plan& plan, std::string_view families) {
    struct Row {
      KinRow of;
      std::uint32_t range, place;
    };
    std::vector<Row> rows;
    for (std::uint32_t range = 0; range < plan.parts; ++range) {
      LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file("complete", range)));
      LEITONG_ASSIGN(const auto kin, file.all<KinRow>("kin"));
      for (std::uint32_t i = 0; i < kin.size(); ++i) rows.push_back({kin[i], range, i});
      if (families.empty()) continue;
      LEITONG_ASSIGN(const PartFile other, PartFile::open(plan.file(families, range)));
      LEITONG_ASSIGN(const auto family, other.all<TextNumber>("families"));
      for (std::size_t i = 0; i < kin.size(); ++i) rows[rows.size() - kin.size() + i].of.family = family[i];
    }
    std::ranges::sort(rows, {}, [](const Row& row) { return row.of.text; });
    Kin made;
    for (const Row& row : rows) {
      made.texts.push_back(row.of.text);
      made.families.push_back(row.of.family);
      made.flags.push_back(static_cast<std::uint8_t>(row.of.flags));
      made.range.push_back(row.range);
      made.place.push_back(row.place);
    }
    return made;
  }

  /// What the steps are to know: the flags that they have.
  [[nodiscard]] std::vector<std::uint8_t> step_flags() const {
    std::vector<std::uint8_t> made(flags);
    for (std::uint8_t& flag : made) flag &= kAsked | kWantsCommon;
    return made;
  }
};

}  // namespace

Result<void> shingles(const PartRun& run) {
  TextColumns<std::uint32_t> found(run.plan.parts);
  LEITONG_ASSIGN(const PartFile given, PartFile::open(run.plan.file("families", 0)));
  LEITONG_ASSIGN(const auto bits, given.all<std::uint32_t>("filter bits"));
  LEITONG_ASSIGN(const std::vector<std::uint8_t> filter, read_filter(run.plan, bits[0]));
  Texts texts(run.plan, run.context);
  for (const std::uint32_t input : run.plan.inputs_of(run.part)) {
    if (filter.empty()) break;
    LEITONG_ASSIGN(const std::uint64_t records, texts.records(input));
    for (std::uint64_t begin = 0; begin < records; begin += kAtOnce) {
      std::vector<RecordPlace> places(std::min<std::uint64_t>(kAtOnce, records - begin));
      std::iota(places.begin(), places.end(), record_place(input, static_cast<std::uint32_t>(begin)));
      LEITONG_ASSIGN(const TextBlock block, texts.read(places));
      LEITONG_ASSIGN(const WantedShingles wanted,
                     wanted_shingles(run.context, block.texts, filter, run.plan.parts, run.steps.folding()));
      found.add(wanted.shingles, wanted.content, UINT8_MAX,
                [](std::uint32_t, std::uint32_t count) { return static_cast<std::uint8_t>(count); });
    }
  }
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("shingles", run.part), run.context));
  LEITONG_TRY(found.put(file, "shingles"));
  return file.finish();
}

Result<void> count(const PartRun& run) {
  LEITONG_ASSIGN(const auto texts, gathered<TextNumber>(run.plan, "shingles", "texts", run.part));
  LEITONG_ASSIGN(const auto counts, gathered<std::uint8_t>(run.plan, "shingles", "counts", run.part));
  LEITONG_ASSIGN(const auto values, gathered<std::uint32_t>(run.plan, "shingles", "shingles", run.part));
  LEITONG_ASSIGN(const Kin kin, Kin::read(run.plan, {}));
  LEITONG_ASSIGN(const CountedShingles counted,
                 count_range({texts, counts, values}, {kin.texts, kin.families, kin.step_flags()}));
  // Only pairs between families may join them, and only texts with templates.
  Ranged<TemplateRow> templates(run.plan.parts);
  for (const ShingleOfText& mark : counted.marks)
    if (mark.is_template != 0 && (kin.flags[mark.text] & kBetween) != 0)
      templates[kin.range[mark.text]].push_back({kin.place[mark.text], mark.shingle});
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("count", run.part), run.context));
  LEITONG_TRY(file.put("held", counted.held));
  LEITONG_TRY(file.put("members", counted.members));
  LEITONG_TRY(file.put("templates", templates));
  return file.finish();
}

Result<void> bare(const PartRun& run) {
  LEITONG_ASSIGN(const PartFile given, PartFile::open(run.plan.file("complete", run.part)));
  LEITONG_ASSIGN(const auto kin, given.all<KinRow>("kin"));
  LEITONG_ASSIGN(const auto pairs, given.all<PairOfTexts>("pairs"));
  LEITONG_ASSIGN(std::vector<TemplateRow> templates,
                 gathered<TemplateRow>(run.plan, "count", "templates", run.part));
  std::ranges::sort(templates, {}, [](const TemplateRow& row) { return std::pair(row.text, row.shingle); });
  std::vector<TextNumber> texts;
  for (const KinRow& row : kin) texts.push_back(row.text);
  std::vector<bool> has_templates(kin.size()), wanted(kin.size()), is_bare(kin.size());
  for (const TemplateRow& row : templates) has_templates[row.text] = true;
  const auto may_join = [&](const PairOfTexts& pair, DocId a, DocId b) {
    return pair.standing != PairStanding::aside && kin[a].family != kin[b].family && has_templates[a] &&
           has_templates[b];
  };
  for (const PairOfTexts& pair : pairs)
    if (const DocId a = find_text(texts, pair.a), b = find_text(texts, pair.b); may_join(pair, a, b))
      wanted[a] = wanted[b] = true;
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < kin.size(); ++i)
    if (wanted[i]) asked.push_back(i);

  Contents contents(run.plan, run.context);
  LEITONG_ASSIGN(const std::uint64_t corpus, records_of(run.plan));
  for (std::size_t begin = 0; begin < asked.size(); begin += kAtOnce) {
    const auto some = std::span(asked).subspan(begin, std::min(kAtOnce, asked.size() - begin));
    std::vector<TextNumber> numbers;
    Lists<std::uint32_t> lists;
    for (const std::uint32_t i : some) {
      numbers.push_back(texts[i]);
      for (const auto& row : std::ranges::equal_range(templates, i, {}, &TemplateRow::text))
        lists.values.push_back(row.shingle);
      lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
    }
    LEITONG_ASSIGN(const TextBlock block, contents.read(numbers));
    LEITONG_ASSIGN(const std::vector<std::uint8_t> found,
                   bare_texts(run.context, block.texts, lists, corpus, run.steps.folding()));
    for (std::size_t i = 0; i < some.size(); ++i) is_bare[some[i]] = found[i] != 0;
  }
  const Kinship joined = connected(texts, pairs, [&](const PairOfTexts& pair) {
    const DocId a = find_text(texts, pair.a), b = find_text(texts, pair.b);
    return pair.standing == PairStanding::same_work || (may_join(pair, a, b) && is_bare[a] && is_bare[b]);
  });
  std::vector<TextNumber> families;
  for (DocId i = 0; i < kin.size(); ++i) families.push_back(texts[joined.family(i)]);
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("bare", run.part), run.context));
  LEITONG_TRY(file.put("families", families));
  return file.finish();
}

Result<void> mark(const PartRun& run) {
  LEITONG_ASSIGN(const PartFile given, PartFile::open(run.plan.file("count", run.part)));
  LEITONG_ASSIGN(const auto held, given.all<HeldShingle>("held"));
  LEITONG_ASSIGN(const auto members, given.all<std::uint32_t>("members"));
  LEITONG_ASSIGN(const Kin kin, Kin::read(run.plan, "bare"));
  LEITONG_ASSIGN(const std::vector<ShingleOfText> found,
                 mark_range(held, members, {kin.texts, kin.families, kin.step_flags()}));
  Ranged<MarkRow> marks(run.plan.parts);
  for (const ShingleOfText& mark : found)
    marks[kin.range[mark.text]].push_back({.text = kin.place[mark.text],
                                           .shingle = mark.shingle,
                                           .families = mark.families << 1 | (mark.is_template != 0 ? 1 : 0)});
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("mark", run.part), run.context));
  LEITONG_TRY(file.put("marks", marks));
  return file.finish();
}

}  // namespace leitong::spread
