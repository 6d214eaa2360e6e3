#include "dedup/template/stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cluster/stored.hpp"
#include "corpus/memory_documents.hpp"
#include "feature/shingles.hpp"
#include "made_up_texts.hpp"
#include "similarity/own_runs.hpp"

namespace leitong {
namespace {

using Shingles = std::set<std::uint32_t>;

struct Corpus {
  std::vector<std::string> texts;
  std::vector<std::uint32_t> sites;
};

// Pages of some sites, each in the frame of its site; some are copies of pages of other sites, some are bare.
Corpus corpus_of_sites(std::uint64_t seed) {
  testing::Random random(seed);
  Corpus corpus;
  std::vector<std::string> contents;
  const std::string licence = testing::random_text(random, 60);
  for (std::uint32_t site = 0; site < 6; ++site) {
    const std::string head = testing::random_text(random, 30 + random.below(60)),
                      foot = testing::random_text(random, 20 + random.below(80));
    const std::uint64_t pages = 5 + random.below(20);
    for (std::uint64_t page = 0; page < pages; ++page) {
      // Long texts are counted in another way.
      const std::uint64_t more = site % 3 == 2 && seed % 3 == 0 ? 600 : 0;
      std::string content = testing::random_text(random, 3 + random.below(120) + more);
      if (!contents.empty() && random.below(4) == 0)
        content = testing::edited(contents[random.below(contents.size())], random, 12 + random.below(60));
      contents.push_back(content);
      corpus.texts.push_back(head + content + foot + (site % 2 == 0 ? licence : ""));
      corpus.sites.push_back(site);
    }
  }
  return corpus;
}

std::vector<std::uint32_t> ordered_of(const std::string& text) {
  PodVector<Unit> units;
  PodVector<std::uint32_t> hashes;
  to_units(text, units);
  shingle_hashes(units, hashes);
  return {hashes.begin(), hashes.end()};
}

std::size_t common(const Shingles& a, const Shingles& b) {
  return static_cast<std::size_t>(std::ranges::count_if(a, [&](std::uint32_t s) { return b.contains(s); }));
}

// All that is known about a corpus, which may be a part of a larger one, and the second decision by its
// definition: everything is counted.
class Twin {
 public:
  Twin(const Corpus& corpus, bool with_sites, std::uint64_t documents = 0)
      : corpus_(corpus),
        with_sites_(with_sites),
        documents_(documents == 0 ? corpus.texts.size() : documents) {
    for (const std::string& text : corpus.texts) {
      ordered_.push_back(ordered_of(text));
      sets_.emplace_back(ordered_.back().begin(), ordered_.back().end());
    }
    for (DocId a = 0; a < sets_.size(); ++a)
      for (DocId b = a + 1; b < sets_.size(); ++b) compare(a, b);
  }

  std::vector<VerifiedPair> pairs, aside;
  Shingles templates;  // of documents in question, after decide()

  // (a, b, measure) of the accepted pairs.
  std::set<std::tuple<DocId, DocId, Measure>> decide() {
    std::vector<DocId> family(sets_.size());
    for (DocId d = 0; d < family.size(); ++d) family[d] = d;
    const auto join = [](std::vector<DocId>& of, DocId a, DocId b) {
      const DocId from = std::max(of[a], of[b]), to = std::min(of[a], of[b]);
      std::ranges::replace(of, from, to);
    };
    for (const VerifiedPair& p : pairs)
      if (p.standing == PairStanding::same_work) join(family, p.a, p.b);
    std::vector<DocId> component = family;
    for (const auto* list : {&pairs, &aside})
      for (const VerifiedPair& p : *list) join(component, p.a, p.b);
    std::set<DocId> in_question;
    for (const VerifiedPair& p : pairs)
      if (family[p.a] != family[p.b]) in_question.insert(component[p.a]);
    for (const VerifiedPair& p : aside) in_question.insert(component[p.a]);

    learn(family);
    const std::vector<DocId> first = family;
    for (const VerifiedPair& p : pairs)
      if (in_question.contains(component[p.a]) && first[p.a] != first[p.b] && is_bare(p.a) && is_bare(p.b))
        join(family, p.a, p.b);
    learn(family);
    for (DocId d = 0; d < family.size(); ++d)
      if (in_question.contains(component[d])) templates.insert(templates_[d].begin(), templates_[d].end());

    std::set<std::tuple<DocId, DocId, Measure>> accepted;
    for (const auto* list : {&pairs, &aside})
      for (const VerifiedPair& p : *list) {
        if (!in_question.contains(component[p.a])) {
          accepted.insert({p.a, p.b, p.measure});
          continue;
        }
        SharedText shared;
        for (const std::uint32_t s : sets_[p.a]) {
          if (!sets_[p.b].contains(s)) continue;
          ++shared.all;
          shared.own += !templates_[p.a].contains(s) && !templates_[p.b].contains(s);
          shared.rare += holders_[s].size() <= TemplateRule::kRareFamilies;
        }
        const SecondDecision d =
            decide_again(Rule(), p, text(p.a), text(p.b), shared, documents_ >= TemplateRule::kRareDocuments);
        if (d.accepted) accepted.insert({p.a, p.b, d.pair.measure});
      }
    return accepted;
  }

 private:
  void compare(DocId a, DocId b) {
    const std::size_t shared = common(sets_[a], sets_[b]), na = sets_[a].size(), nb = sets_[b].size();
    if (auto accepted = Rule().decide({a, b}, shared, na, nb)) {
      const std::vector<std::uint32_t> x(sets_[a].begin(), sets_[a].end()),
          y(sets_[b].begin(), sets_[b].end());
      const OwnRuns own_a = own_runs(ordered_[a], HashLookup(y)),
                    own_b = own_runs(ordered_[b], HashLookup(x));
      const bool reprint = with_sites_
                               ? corpus_.sites[a] != corpus_.sites[b] && is_reprint_of_sites(own_a, own_b)
                               : is_reprint(own_a, own_b);
      if (is_same_work(own_a, own_b) || reprint) accepted->standing = PairStanding::same_work;
      pairs.push_back(*accepted);
    } else if (worth_deciding_again(shared, na, nb, UINT8_MAX)) {
      aside.push_back(measured({a, b}, shared, na, nb));
      aside.back().standing = PairStanding::aside;
    }
  }

  void learn(const std::vector<DocId>& family) {
    holders_.clear();
    std::map<std::uint32_t, std::size_t> documents;
    std::map<std::uint32_t, std::map<std::uint32_t, std::pair<std::set<DocId>, std::size_t>>> on_site;
    std::map<std::uint32_t, std::set<DocId>> of_site;
    for (DocId d = 0; d < sets_.size(); ++d) {
      of_site[corpus_.sites[d]].insert(family[d]);
      for (const std::uint32_t s : sets_[d]) {
        holders_[s].insert(family[d]);
        ++documents[s];
        auto& [families, count] = on_site[s][corpus_.sites[d]];
        families.insert(family[d]);
        ++count;
      }
    }
    templates_.assign(sets_.size(), {});
    for (DocId d = 0; d < sets_.size(); ++d)
      for (const std::uint32_t s : sets_[d]) {
        const auto& [families, count] = on_site[s][corpus_.sites[d]];
        if (is_template(holders_[s].size(), documents[s]) ||
            (with_sites_ && is_site_template(families.size(), count, of_site[corpus_.sites[d]].size())))
          templates_[d].insert(s);
      }
    for (DocId d = 0; d < sets_.size(); ++d) templates_[d] = in_runs(d);
  }

  // The templates of a text that lie in a run.
  Shingles in_runs(DocId d) const {
    Shingles found;
    const auto& ordered = ordered_[d];
    for (std::size_t i = 0, end; i < ordered.size(); i = end + 1) {
      for (end = i; end < ordered.size() && templates_[d].contains(ordered[end]);) ++end;
      const auto least = least_template_run(documents_);
      const bool at_end = i == 0 || end == ordered.size();
      if (end > i && end - i >= (at_end ? least.at_end : least.inside))
        found.insert(ordered.data() + i, ordered.data() + end);
    }
    return found;
  }

  OwnText text(DocId d) const {
    OwnText text{sets_[d].size(), sets_[d].size() - templates_[d].size(), 0};
    std::size_t run = 0;
    for (std::size_t i = 0; i <= ordered_[d].size(); ++i) {
      if (i < ordered_[d].size() && !templates_[d].contains(ordered_[d][i])) {
        ++run;
        continue;
      }
      if (run >= TemplateRule::kTextRun) text.in_runs += run;
      run = 0;
    }
    return text;
  }
  bool is_bare(DocId d) const { return !templates_[d].empty() && text(d).is_bare(); }

  const Corpus& corpus_;
  bool with_sites_;
  std::uint64_t documents_;
  std::vector<std::vector<std::uint32_t>> ordered_;
  std::vector<Shingles> sets_;
  std::map<std::uint32_t, std::set<DocId>> holders_;
  std::vector<Shingles> templates_;
};

DocumentTable table_of(const Corpus& corpus) {
  DocumentTable table;
  for (const std::string& text : corpus.texts) {
    table.units.push_back(static_cast<std::uint32_t>(ordered_of(text).size() + kShingleUnits - 1));
    table.content.push_back(table.content.size());
  }
  return table;
}

// Compares the decisions of a stage with those of its twin over some corpora, and checks what it did.
void expect_as_twin(std::uint64_t corpus_size, std::size_t& refused, std::size_t& won) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Corpus corpus = corpus_of_sites(seed);
    const auto views = testing::views(corpus.texts);
    const MemoryDocuments documents(views);
    const DocumentTable table = table_of(corpus);
    for (const bool with_sites : {false, true}) {
      Twin twin(corpus, with_sites, corpus_size);
      const auto expected = twin.decide();
      for (const std::uint64_t limit : {std::uint64_t{0}, MemoryBudget::least(0)}) {
        testing::Stored pairs(table.units.size(), twin.pairs, limit),
            aside(table.units.size(), twin.aside, limit);
        const Rule rule;
        TemplateStage stage({.source = documents,
                             .table = table,
                             .rule = rule,
                             .sites = with_sites ? &corpus.sites : nullptr,
                             .corpus = corpus_size},
                            pairs.run());
        ASSERT_TRUE(stage.learn(pairs, aside, {}));
        std::set<std::tuple<DocId, DocId, Measure>> accepted;
        ASSERT_TRUE(stage.decide_all(
            pairs, aside,
            [&](const VerifiedPair& p) -> Result<void> {
              EXPECT_TRUE(accepted.insert({p.a, p.b, p.measure}).second);
              EXPECT_LE(std::max(p.own.jaccard, p.own.containment), 1);
              return {};
            },
            [](const VerifiedPair&, double closeness) { EXPECT_LT(closeness, 1); }));
        EXPECT_EQ(accepted, expected) << "seed " << seed << (with_sites ? ", sites" : "");
        if (corpus_size == 0) EXPECT_EQ(stage.figures().templates, twin.templates.size());
        refused += stage.figures().refused;
        won += stage.figures().won;
      }
    }
  }
}

TEST(TemplateStage, DecidesWhatCountingEverythingDecides) {
  std::size_t refused = 0, won = 0;
  expect_as_twin(0, refused, won);
  // The corpora must hold pairs of both kinds.
  EXPECT_GT(refused, 1'000u);
  EXPECT_GT(won, 100u);
}

TEST(TemplateStage, LooksForTemplatesInRunsWhereTheCorpusIsLarge) {
  std::size_t refused = 0, won = 0;
  for (const std::uint64_t documents : {1'000'000, 100'000'000}) expect_as_twin(documents, refused, won);
  EXPECT_GT(refused, 1'000u);
  EXPECT_GT(won, 100u);
}

// Two pages share a frame with others that are in no pair. Returns whether the frame is a template.
bool is_template_with(DocId others, bool two_are_one_work) {
  testing::Random random(1);
  const std::string frame = testing::random_text(random, 80);
  Corpus corpus;
  for (DocId d = 0; d < 2 + others; ++d)
    corpus.texts.push_back(frame + testing::random_text(random, d < 2 ? 40 : 900));
  std::vector<Shingles> sets;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto ordered = ordered_of(corpus.texts[i]);
    sets.emplace_back(ordered.begin(), ordered.end());
  }
  const Rule rule;
  const auto framed = rule.decide({0, 1}, common(sets[0], sets[1]), sets[0].size(), sets[1].size());
  EXPECT_TRUE(framed);
  std::vector<VerifiedPair> found = {*framed};
  if (two_are_one_work) found.push_back({2, 3, .9F, .95F, .9F, Measure::jaccard, PairStanding::same_work});
  const auto views = testing::views(corpus.texts);
  const MemoryDocuments documents(views);
  const DocumentTable table = table_of(corpus);
  testing::Stored pairs(table.units.size(), found), aside(table.units.size(), {});
  TemplateStage stage({documents, table, rule, {}}, pairs.run());
  EXPECT_TRUE(stage.learn(pairs, aside, {}));
  bool is_accepted = false;
  EXPECT_TRUE(stage.decide_all(
      pairs, aside,
      [&](const VerifiedPair& p) -> Result<void> {
        is_accepted |= p.a == 0;
        return {};
      },
      [](const VerifiedPair&, double) {}));
  EXPECT_EQ(stage.figures().asked_documents, 2U);
  EXPECT_EQ(stage.figures().templates > 0, !is_accepted);
  return !is_accepted;
}

TEST(TemplateStage, CountsFamiliesWithoutARequestedDocument) {
  constexpr DocId kOthers = TemplateRule::kFamilies - 2;
  EXPECT_FALSE(is_template_with(kOthers - 1, false));
  EXPECT_TRUE(is_template_with(kOthers, false));
  EXPECT_FALSE(is_template_with(kOthers, true)) << "two documents of one family count once";
  EXPECT_TRUE(is_template_with(kOthers + 1, true));
}

// A source that must not be read.
class Unreadable final : public DocumentSource {
 public:
  [[nodiscard]] std::unique_ptr<ReadScratch> new_scratch() const override { return nullptr; }
  Result<std::unique_ptr<RecordBatch>> next_batch() override { return nullptr; }
  void parse(RecordBatch&, ReadScratch&, const EachDocument&) const override {}
  Result<void> commit(RecordBatch&) override { return {}; }
  [[nodiscard]] std::uint64_t size() const noexcept override { return 2; }
  [[nodiscard]] std::uint64_t bytes_read() const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t total_bytes() const noexcept override { return 0; }
  Result<DocumentText> read(DocId, ReadScratch&) const override {
    return fail(ErrorCode::io, "nobody should ask");
  }
};

TEST(TemplateStage, ReadsNothingWhereNoPairIsInQuestion) {
  const Unreadable documents;
  DocumentTable table;
  for (int i = 0; i < 2; ++i) {
    table.units.push_back(400);
    table.content.push_back(static_cast<std::uint64_t>(i));
  }
  VerifiedPair pair{0, 1, .8F, .9F, .8F, Measure::jaccard, PairStanding::same_work};
  testing::Stored pairs(2, {pair}), aside(2, {});
  const Rule rule;
  TemplateStage stage({documents, table, rule, {}}, pairs.run());
  ASSERT_TRUE(stage.learn(pairs, aside, {}));
  std::size_t accepted = 0;
  ASSERT_TRUE(stage.decide_all(
      pairs, aside,
      [&](const VerifiedPair&) -> Result<void> {
        ++accepted;
        return {};
      },
      [](const VerifiedPair&, double) {}));
  EXPECT_EQ(accepted, 1u);
}

TEST(TemplateStage, WhatIsAuditedChangesNothing) {
  const Corpus corpus = corpus_of_sites(3);
  Twin twin(corpus, false);
  const auto views = testing::views(corpus.texts);
  const MemoryDocuments documents(views);
  const DocumentTable table = table_of(corpus);
  // The run has found every second pair only; the others are audited.
  std::vector<VerifiedPair> half, also;
  for (std::size_t i = 0; i < twin.pairs.size(); ++i) (i % 2 == 0 ? half : also).push_back(twin.pairs[i]);
  std::vector<std::vector<DocId>> results;
  for (const bool audit : {false, true}) {
    testing::Stored pairs(table.units.size(), half), aside(table.units.size(), {});
    const Rule rule;
    TemplateStage stage({documents, table, rule, {}}, pairs.run());
    ASSERT_TRUE(stage.learn(pairs, aside, audit ? std::span(also) : std::span<VerifiedPair>()));
    std::vector<DocId> accepted;
    ASSERT_TRUE(stage.decide_all(
        pairs, aside,
        [&](const VerifiedPair& p) -> Result<void> {
          accepted.insert(accepted.end(), {p.a, p.b});
          return {};
        },
        [](const VerifiedPair&, double) {}));
    results.push_back(accepted);
  }
  EXPECT_EQ(results[0], results[1]);
}

// What five texts share is no rare passage of two of them, whether or not it was requested before the
// counting.
TEST(TemplateStage, APairThatIsFoundLateIsNotAcceptedByTextThatWasNotCounted) {
  testing::Random random(11);
  const std::string shared = testing::random_text(random, 200);
  Corpus corpus;
  for (int i = 0; i < 5; ++i) corpus.texts.push_back(shared + testing::random_text(random, 200));
  const auto views = testing::views(corpus.texts);
  const MemoryDocuments documents(views);
  const DocumentTable table = table_of(corpus);
  const auto pair = [](DocId a, DocId b, float jaccard) {
    return VerifiedPair{a, b, jaccard, jaccard, .5F, Measure::jaccard, PairStanding::aside};
  };
  const std::vector<VerifiedPair> late{pair(0, 2, .33F)};
  for (const bool audit : {false, true}) {
    // The second pair is too dissimilar for rare passages, so document 2 is in question but its common text
    // is not.
    testing::Stored pairs(5, {}), aside(5, {pair(0, 1, .33F), pair(1, 2, .25F)});
    const Rule rule;
    TemplateStage stage({.source = documents,
                         .table = table,
                         .rule = rule,
                         .copies = {},
                         .corpus = TemplateRule::kRareDocuments},
                        pairs.run());
    ASSERT_TRUE(stage.learn(pairs, aside, audit ? std::span(late) : std::span<const VerifiedPair>()));
    std::size_t accepted = 0;
    ASSERT_TRUE(stage.decide(
        late,
        [&](const VerifiedPair&) -> Result<void> {
          ++accepted;
          return {};
        },
        [](const VerifiedPair&, double) {}));
    EXPECT_EQ(accepted, 0U) << "with an audit: " << audit;
  }
}

}  // namespace
}  // namespace leitong
