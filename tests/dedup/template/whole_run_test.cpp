// The second decision in whole runs: search, verification, decision and settling.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/context.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

struct Page {
  std::string text;
  std::uint32_t work = 0, site = 0;
};
using Pages = std::vector<Page>;
using PairSet = std::set<std::pair<std::string, std::string>>;

/// Pages in the frames of their sites; every fourth is an edited copy of a page of another site.
Pages pages_of_sites(std::uint64_t seed, std::uint32_t sites, std::uint32_t pages) {
  testing::Random random(seed);
  Pages all;
  std::vector<std::string> works;
  for (std::uint32_t site = 0; site < sites; ++site) {
    const std::string head = testing::random_text(random, 60), foot = testing::random_text(random, 90);
    const std::size_t earlier = works.size();
    for (std::uint32_t page = 0; page < pages; ++page) {
      auto work = static_cast<std::uint32_t>(works.size());
      std::string text;
      if (earlier > 0 && page % 4 == 0) {
        work = static_cast<std::uint32_t>(random.below(earlier));
        text = testing::edited(works[work], random, 60);
      } else {
        text = testing::random_text(random, 60 + random.below(90));
        works.push_back(text);
      }
      all.push_back({head + text + foot, work, site});
    }
  }
  return all;
}

PairSet found_in(const Pages& pages, const FindOptions& options = {}, unsigned threads = 2,
                 std::uint64_t memory = 0) {
  std::vector<std::string_view> views;
  for (const Page& page : pages) views.push_back(page.text);
  MemoryDocuments documents(views);
  const Context context({.threads = threads, .memory = memory});
  PairSet pairs;
  on_threads(context, [&] {
    RunContext run(context);
    const auto found = find_pairs(documents, options, longest_first, run);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(found->pairs->for_each(
        [&](const VerifiedPair& p) { pairs.insert(std::minmax(pages[p.a].text, pages[p.b].text)); }));
    EXPECT_GE(100 * found->audit.direct, 97 * found->audit.pairs) << "held to the same rule";
  });
  return pairs;
}

PairSet true_pairs(const Pages& pages) {
  PairSet pairs;
  for (std::size_t a = 0; a < pages.size(); ++a)
    for (std::size_t b = a + 1; b < pages.size(); ++b)
      if (pages[a].work == pages[b].work) pairs.insert(std::minmax(pages[a].text, pages[b].text));
  return pairs;
}

std::size_t common(const PairSet& x, const PairSet& y) {
  return static_cast<std::size_t>(std::ranges::count_if(x, [&](const auto& p) { return y.contains(p); }));
}

TEST(TemplateRun, SeparatesCopiesInOtherFramesFromPagesInOneFrame) {
  const Pages pages = pages_of_sites(1, 12, 40);
  const PairSet truth = true_pairs(pages), found = found_in(pages);
  EXPECT_GT(truth.size(), 100u);
  EXPECT_EQ(common(found, truth), found.size()) << "nothing but copies";
  EXPECT_GE(100 * common(found, truth), 97 * truth.size());
  const PairSet old = found_in(pages, {.audit = false, .templates = TemplateText::counted});
  EXPECT_LT(2 * common(old, truth), truth.size()) << "the frames hide most of them from the rule alone";
  EXPECT_GT(old.size(), common(old, truth)) << "and make pairs of pages that only share them";
}

// A short text, and a page that has it in a frame of six times its length: they have no key in common that
// the search could use.
TEST(TemplateRun, MissedCopiesInFramesCountAgainstTheRecallAndAllPairsFindsThem) {
  constexpr std::size_t kSites = 4, kPages = 12;
  testing::Random random(4);
  std::vector<std::string> texts;
  for (std::size_t site = 0; site < kSites; ++site) {
    const std::string head = testing::random_text(random, 150), foot = testing::random_text(random, 150);
    for (std::size_t page = 0; page < kPages; ++page) {
      const std::string text = testing::random_text(random, 55);
      texts.push_back(head + text + foot);
      texts.push_back(text);
    }
  }
  const auto audit_of = [&](const std::string& method) {
    const auto views = testing::views(texts);
    MemoryDocuments documents(views);
    const Context context({.threads = 1});
    RunContext run(context);
    auto found = find_pairs(documents, {.method = method}, longest_first, run);
    EXPECT_TRUE(found);
    return found->audit;
  };
  EXPECT_EQ(audit_of("default").pairs, kSites * kPages);
  EXPECT_EQ(audit_of("default").direct, 0U);
  EXPECT_EQ(audit_of("all-pairs").pairs, kSites * kPages);
  EXPECT_EQ(audit_of("all-pairs").direct, kSites * kPages);
}

TEST(TemplateRun, IsTheSameForAnyThreadsMemoryAndOrder) {
  Pages pages = pages_of_sites(2, 10, 30);
  const PairSet found = found_in(pages, {}, 1);
  EXPECT_EQ(found_in(pages, {}, 4), found);
  EXPECT_EQ(found_in(pages, {}, 2, MemoryBudget::least(pages.size())), found);
  std::ranges::reverse(pages);
  EXPECT_EQ(found_in(pages), found);
  testing::Random random(3);
  for (std::size_t i = pages.size(); i > 1; --i) std::swap(pages[i - 1], pages[random.below(i)]);
  EXPECT_EQ(found_in(pages), found);
}

// A decision must not depend on the other documents that happen to be in the corpus.
TEST(TemplateRun, LosesAndWinsNoTrueCopyInHalfOfTheCorpus) {
  for (std::uint64_t seed = 10; seed < 13; ++seed) {
    const Pages pages = pages_of_sites(seed, 10, 60);
    const PairSet whole = found_in(pages);
    testing::Random random(seed);
    Pages half;
    for (const Page& page : pages)
      if (random.below(2) == 0) half.push_back(page);
    const PairSet truth = true_pairs(half), found = found_in(half);
    ASSERT_GT(truth.size(), 20u);
    for (const auto& pair : truth) EXPECT_EQ(found.contains(pair), whole.contains(pair));
    EXPECT_EQ(common(found, truth), found.size());
  }
}

TEST(TemplateRun, SmallSitesAreSolvedOnlyWhereTheyAreKnown) {
  const Pages pages = pages_of_sites(4, 60, 5);
  const PairSet truth = true_pairs(pages);
  FindOptions options;
  const PairSet without = found_in(pages, options);
  EXPECT_GT(without.size(), common(without, truth)) << "five families are no template";
  options.sites = [&]() -> Result<Sites> {
    Sites sites;
    for (const Page& page : pages) sites.push_back(page.site);
    return sites;
  };
  const PairSet with = found_in(pages, options);
  EXPECT_EQ(common(with, truth), with.size());
  EXPECT_GE(100 * common(with, truth), 95 * truth.size());
}

TEST(TemplateRun, ARequestedPairIsDecidedEvenIfTheSearchMissesIt) {
  const Pages pages = pages_of_sites(5, 3, 20);
  std::vector<std::string_view> views;
  for (const Page& page : pages) views.push_back(page.text);
  MemoryDocuments documents(views);
  const Context context({.threads = 1});
  RunContext run(context);
  FindOptions options{.audit = false};
  options.asked = {{0, 1}};  // two pages of one site
  const auto found = find_pairs(documents, options, longest_first, run);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->asked.size(), 1u);
  EXPECT_FALSE(found->asked[0].accepted);
  EXPECT_GT(found->asked[0].pair.own.template_share, .9F);
  EXPECT_GE(found->asked[0].pair.own.families, 8u);
}

TEST(TemplateRun, ARuleOfOneMeasureOrAnUnverifiedRunHasNoSecondDecision) {
  const Pages pages = pages_of_sites(6, 2, 4);
  std::vector<std::string_view> views;
  for (const Page& page : pages) views.push_back(page.text);
  const Context context({.threads = 1});
  for (const bool verify : {true, false}) {
    MemoryDocuments documents(views);
    RunContext run(context);
    FindOptions options{.verify = verify, .templates = TemplateText::ignored};
    if (verify) {
      options.rule.measure = Measure::jaccard;
      options.rule.threshold = .5;
    }
    const auto found = find_pairs(documents, options, longest_first, run);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::invalid_argument);
  }
}

/// Articles that many pages carry in surroundings of their own, which are `percent` of their length, before
/// and after them together. Each copy is on a site of its own.
Pages reprints(std::uint64_t seed, std::size_t percent) {
  constexpr std::uint32_t kArticles = 12;
  testing::Random random(seed);
  Pages pages;
  for (std::uint32_t work = 0; work < kArticles; ++work) {
    const std::size_t length = 300 + random.below(1'500);
    const std::string article = testing::random_text(random, length);
    for (std::size_t copies = 8 + random.below(13); copies > 0; --copies) {
      const std::size_t around = length * percent / 100, before = around * (30 + random.below(41)) / 100;
      const auto site = static_cast<std::uint32_t>(pages.size());
      pages.push_back({testing::random_text(random, before) + testing::edited(article, random, 100) +
                           testing::random_text(random, around - before),
                       work, site});
    }
  }
  return pages;
}

/// The part of the pairs of copies whose texts are both in one component.
double linked(const Pages& pages, FindOptions options) {
  std::vector<std::string_view> views;
  for (const Page& page : pages) views.push_back(page.text);
  MemoryDocuments documents(views);
  const Context context({.threads = 2});
  std::size_t all = 0, together = 0;
  on_threads(context, [&] {
    RunContext run(context);
    const auto found = find_pairs(documents, options, longest_first, run);
    ASSERT_TRUE(found) << found.error().message;
    const auto& component = found->settlement.component;
    for (std::size_t a = 0; a < pages.size(); ++a)
      for (std::size_t b = a + 1; b < pages.size(); ++b) {
        if (pages[a].work != pages[b].work) {
          EXPECT_NE(component[a], component[b]);
          continue;
        }
        ++all;
        together += component[a] == component[b];
      }
  });
  return static_cast<double>(together) / static_cast<double>(all);
}

TEST(TemplateRun, ReprintsInSurroundingsOfTheirOwnStayFamilies) {
  const std::tuple<std::size_t, double, double> cases[] = {{15, .99, .99}, {20, .99, .99}, {30, .95, .95}};
  for (const auto& [percent, without, with] : cases) {
    const Pages pages = reprints(percent, percent);
    EXPECT_GE(linked(pages, {}), without) << percent;
    FindOptions options;
    options.sites = [&]() -> Result<Sites> {
      Sites sites;
      for (const Page& page : pages) sites.push_back(page.site);
      return sites;
    };
    EXPECT_GE(linked(pages, options), with) << percent << ", sites known";
  }
}

/// Copies of one text, each with up to three passages rewritten and a few single edits.
std::vector<std::string> revised_copies(testing::Random& random, std::size_t copies, std::size_t length) {
  const std::string base = testing::random_text(random, length);
  constexpr std::size_t kBytes = 3;  // of a character
  std::vector<std::string> all;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    std::string text = base;
    for (std::uint64_t passages = 1 + random.below(3); passages > 0; --passages) {
      const std::size_t old = 4 + random.below(length * 12 / 100),
                        at = random.below(text.size() / kBytes - old);
      text.replace(at * kBytes, old * kBytes, testing::random_text(random, random.below(old)));
    }
    all.push_back(testing::edited(text, random, 25 + random.below(75)));
  }
  return all;
}

TEST(TemplateRun, AFamilyOfRevisedCopiesIsNoTemplateOfMany) {
  // Common keys lead each copy to a few others only, so the family is found in parts.
  for (const std::uint64_t seed : {1, 2, 3}) {
    testing::Random random(seed);
    constexpr std::size_t kCopies = 300;
    std::vector<std::string> texts = revised_copies(random, kCopies, 300);
    for (int i = 0; i < 60; ++i) texts.push_back(testing::random_text(random, 100 + random.below(400)));
    const auto views = testing::views(texts);
    MemoryDocuments documents(views);
    const Context context({.threads = 2});
    on_threads(context, [&] {
      RunContext run(context);
      const auto found = find_pairs(documents, {}, longest_first, run);
      ASSERT_TRUE(found) << found.error().message;
      std::map<DocId, std::size_t> size;
      for (DocId d = 0; d < kCopies; ++d) ++size[found->settlement.component[d]];
      std::size_t largest = 0;
      for (const auto& [component, members] : size) largest = std::max(largest, members);
      EXPECT_GE(largest, kCopies * 90 / 100) << "seed " << seed;
    });
  }
}

}  // namespace
}  // namespace leitong
