#include <algorithm>
#include <iterator>

#include "base/try.hpp"
#include "spread/components.hpp"
#include "spread/contents.hpp"
#include "spread/shingle_filter.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {
namespace {

/// The texts that are made of what many texts hold, ascending.
Result<std::vector<TextWorth>> common_texts(const Plan& plan) {
  std::vector<TextWorth> common;
  LEITONG_ASSIGN(const Worth worth, Worth::open(plan));
  for (const auto& part : worth.parts)
    std::ranges::copy_if(part, std::back_inserter(common),
                         [](const TextWorth& text) { return text.weight.common != 0; });
  return common;
}

/// The texts of pairs and the common ones, with the links between them.
struct LinkedTexts {
  std::vector<TextNumber> texts;  // ascending
  Linked linked;
};

Result<LinkedTexts> link(const PartRun& run, const std::vector<TextWorth>& common, Contents& contents) {
  LEITONG_ASSIGN(const std::vector<PairOfTexts> pairs,
                 gathered_all<PairOfTexts>(run.plan, "verify", "pairs"));
  LEITONG_ASSIGN(std::vector<HotRow> hot, gathered_all<HotRow>(run.plan, "join", "hot"));
  LinkedTexts made;
  made.texts = texts_of(pairs);
  std::vector<TextNumber> wanted;
  for (const TextWorth& text : common) wanted.push_back(text.text);
  made.texts.insert(made.texts.end(), wanted.begin(), wanted.end());
  sort_unique(made.texts);
  std::vector<std::uint64_t> content;
  for (const TextNumber text : made.texts) content.push_back(content_of(text));
  LEITONG_ASSIGN(const std::vector<ComparedPair> known, by_positions(made.texts, pairs));
  std::vector<std::uint32_t> places;
  std::vector<TextWeight> weights;
  for (const TextWorth& text : common) {
    places.push_back(find_text(made.texts, text.text));
    weights.push_back(text.weight);
  }
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> holders;
  for (const HotRow& row : hot) {
    if (!std::ranges::binary_search(wanted, row.text)) continue;
    keys.push_back(row.key);
    holders.push_back(find_text(made.texts, row.text));
  }
  hot = {};
  LEITONG_ASSIGN(const TextBlock block, contents.read(wanted));
  LEITONG_ASSIGN(made.linked, run.steps.link(run.context, {.content = content,
                                                           .pairs = known,
                                                           .common = places,
                                                           .texts = block.texts,
                                                           .weights = weights,
                                                           .hot_keys = keys,
                                                           .holders = holders}));
  return made;
}

/// The texts of pairs with their components and works, and what is asked about them.
std::vector<KinRow> kin_of(std::span<const PairOfTexts> pairs, bool templates) {
  const std::vector<TextNumber> texts = texts_of(pairs);
  const Kinship components = connected(texts, pairs, [](const PairOfTexts&) { return true; });
  const Kinship works = connected(texts, pairs, [&](const PairOfTexts& pair) {
    return templates && pair.standing == PairStanding::same_work;
  });
  std::vector<KinRow> kin;
  for (DocId i = 0; i < texts.size(); ++i)
    kin.push_back(
        {.text = texts[i], .component = texts[components.family(i)], .family = texts[works.family(i)]});
  if (!templates) return kin;
  std::vector<bool> is_asked(texts.size());  // by the first text of the component
  for (const PairOfTexts& pair : pairs) {
    const DocId a = find_text(texts, pair.a), b = find_text(texts, pair.b);
    const bool aside = pair.standing == PairStanding::aside, between = !works.together(a, b);
    if (aside || (between && pair.standing != PairStanding::settled)) is_asked[components.family(a)] = true;
    // The least Jaccard value is a float; so is what it is compared with.
    const bool rare = aside && pair.jaccard >= static_cast<float>(TemplateRule::kRareJaccard);
    for (const DocId end : {a, b})
      kin[end].flags |= (rare ? kWantsCommon : 0) | (between && !aside ? kBetween : 0);
  }
  for (DocId i = 0; i < texts.size(); ++i)
    kin[i].flags = is_asked[components.family(i)] ? kin[i].flags | kAsked : kin[i].flags & kBetween;
  return kin;
}

}  // namespace

Result<void> families(const PartRun& run) {
  LEITONG_ASSIGN(const std::vector<TextWorth> common, common_texts(run.plan));
  Contents contents(run.plan, run.context);
  LEITONG_ASSIGN(const LinkedTexts made, link(run, common, contents));
  const std::vector<TextNumber>& texts = made.texts;
  std::vector<PairOfTexts> pairs = by_texts(texts, made.linked.pairs);
  keep_best(pairs);

  Kinship components = connected(texts, pairs, [](const PairOfTexts&) { return true; });
  for (std::uint32_t i = 0; i < texts.size(); ++i)
    if (made.linked.component[i] != kNoFamily) components.join(i, made.linked.component[i]);
  const auto component = [&](DocId text) { return texts[components.family(text)]; };
  const std::uint32_t parts = run.plan.parts;
  Ranged<PairOfTexts> pairs_of(parts);
  for (const PairOfTexts& pair : pairs)
    pairs_of[range_of(component(find_text(texts, pair.a)), parts)].push_back(pair);
  Ranged<MemberRow> members(parts);
  std::vector<TextNumber> common_of;
  for (const TextWorth& text : common) common_of.push_back(text.text);
  for (DocId i = 0; i < texts.size(); ++i) {
    if (made.linked.component[i] == kNoFamily) continue;
    const std::uint32_t family = made.linked.family[i];
    members[range_of(component(i), parts)].push_back(
        {.text = texts[i],
         .component = component(i),
         .family = family == kNoFamily ? 0 : texts[family],
         .has_family = family != kNoFamily,
         .is_common = std::ranges::binary_search(common_of, texts[i])});
  }
  for (std::vector<MemberRow>& range : members)
    std::ranges::sort(range, {}, [](const MemberRow& row) { return std::pair(row.component, row.text); });
  // Nearly all texts that will be asked about: a filter of another size only lets more or less through.
  std::uint64_t units = 0;
  for (const KinRow& row : kin_of(pairs, run.steps.looks_for_templates())) {
    if ((row.flags & kAsked) == 0) continue;
    LEITONG_ASSIGN(const ContentRow* const content, contents.find(row.text));
    units += content->units;
  }
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("families", 0), run.context));
  LEITONG_TRY(file.put("pairs", pairs_of));
  LEITONG_TRY(file.put("members", members));
  LEITONG_TRY(file.put("filter bits", std::vector<std::uint32_t>{filter_bits(units)}));
  return file.finish();
}

namespace {

/// Compares the members of families with each other. Adds all pairs of their components.
Result<void> complete_members(const PartRun& run, std::span<const MemberRow> members, Contents& contents,
                              std::vector<PairOfTexts>& pairs) {
  std::vector<PairOfTexts> found;
  LEITONG_TRY(each_block(members, pairs, [&](const Block<MemberRow>& block) -> Result<void> {
    std::vector<TextNumber> texts, numbers;
    std::vector<std::uint8_t> common;
    for (const MemberRow& row : block.rows) {
      texts.push_back(row.text);
      common.push_back(row.is_common != 0);
      if (row.has_family != 0) numbers.push_back(row.family);
    }
    sort_unique(numbers);
    std::vector<std::uint32_t> family;
    for (const MemberRow& row : block.rows)
      family.push_back(row.has_family == 0 ? kNoFamily : find_text(numbers, row.family));
    LEITONG_ASSIGN(const std::vector<ComparedPair> known, by_positions(texts, block.pairs));
    LEITONG_ASSIGN(const TextBlock read, contents.read(texts));
    LEITONG_ASSIGN(
        const std::vector<ComparedPair> all,
        run.steps.complete(run.context,
                           {.texts = read.texts, .common = common, .pairs = known, .family = family}));
    const std::vector<PairOfTexts> some = by_texts(texts, all);
    found.insert(found.end(), some.begin(), some.end());
    return {};
  }));
  pairs.insert(pairs.end(), found.begin(), found.end());
  keep_best(pairs);
  return {};
}

}  // namespace

Result<void> complete(const PartRun& run) {
  LEITONG_ASSIGN(const PartFile given, PartFile::open(run.plan.file("families", 0)));
  LEITONG_ASSIGN(const auto members, given.range<MemberRow>("members", run.part));
  LEITONG_ASSIGN(const auto linked, given.range<PairOfTexts>("pairs", run.part));
  LEITONG_ASSIGN(const auto bits, given.all<std::uint32_t>("filter bits"));
  std::vector<PairOfTexts> pairs(linked.begin(), linked.end());
  Contents contents(run.plan, run.context);
  LEITONG_TRY(complete_members(run, members, contents, pairs));
  std::vector<KinRow> kin = kin_of(pairs, run.steps.looks_for_templates());
  LEITONG_ASSIGN(const std::vector<TextWorth> common, common_texts(run.plan));
  std::vector<TextNumber> asked;
  for (KinRow& row : kin) {
    if (find_text(common, row.text, &TextWorth::text) < common.size()) row.flags |= kCommon;
    if ((row.flags & kAsked) != 0) asked.push_back(row.text);
  }
  LEITONG_ASSIGN(std::vector<std::uint32_t> filter, filter_of(run, asked, bits[0], contents));
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("complete", run.part), run.context));
  LEITONG_TRY(file.put("pairs", pairs));
  LEITONG_TRY(file.put("kin", kin));
  PackedRanges<std::uint32_t> packed_filter(1);
  LEITONG_TRY(packed_filter.append(0, filter));
  LEITONG_TRY(file.put("filter", packed_filter));
  return file.finish();
}

}  // namespace leitong::spread
