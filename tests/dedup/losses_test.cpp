// Which documents leave by each limit, and which stay beside similar ones, so that nothing is lost.
#include "dedup/losses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/memory_documents.hpp"
#include "dedup/find_pairs.hpp"
#include "io/run_context.hpp"
#include "made_up_texts.hpp"

namespace leitong {
namespace {

using testing::edited;
using testing::Random;
using testing::random_text;

struct Answer {
  std::vector<DocId> kept, leader;
  std::size_t pairs = 0;

  [[nodiscard]] bool all_stay() const {
    for (DocId d = 0; d < kept.size(); ++d)
      if (kept[d] != d) return false;
    return true;
  }
  /// True if all are in one cluster, whichever of them stays.
  [[nodiscard]] bool are_one_cluster() const {
    return std::ranges::all_of(leader, [&](DocId d) { return d == leader[0]; });
  }
};

Answer decided(const std::vector<std::string>& texts, Remove limits = Remove::careful, unsigned threads = 1,
               std::uint64_t memory = 0, const PrecedenceFn& precedence = longest_first) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  MemoryDocuments source(views);
  const Context context({.threads = threads});
  RunContext run(context, memory);
  FindOptions options;
  options.remove = limits_of({limits});
  const auto found = on_threads(context, [&] { return find_pairs(source, options, precedence, run); });
  EXPECT_TRUE(found) << found.error().message;
  Answer answer;
  if (!found) return answer;
  const Settlement& settlement = found->settlement;
  answer.kept.assign(settlement.kept.begin(), settlement.kept.end());
  for (DocId d = 0; d < texts.size(); ++d) answer.leader.push_back(settlement.leader(d));
  answer.pairs = found->pairs->size();
  return answer;
}

/// Rules for ferries, in the form in which two towns may have derived them from one template.
std::string rules_of(const std::string& town, const std::string& river) {
  return town + "渡口管理办法\n第一条 为了加强" + town +
         "的渡口管理，保护人民生命财产安全，根据有关法律，制定本办法。\n"
         "第二条 " +
         town + "境内" + river +
         "及其支流上的渡口，适用本办法。\n"
         "第三条 设置渡口应当选在水流平缓、岸坡稳定、视野开阔的地方，并有足够的停靠长度。\n"
         "第四条 渡船应当经过检验，并在船身两侧标明核定的人数和载重线。\n"
         "第五条 渡工应当年满十八周岁，熟悉水性，经过培训，并取得合格的证书。\n"
         "第六条 遇有大风、大雾、洪水等情形，渡船应当停止航行。\n"
         "第七条 " +
         town +
         "交通部门应当每年检查渡口一次，检查结果向社会公布。\n"
         "第八条 违反本办法的，由" +
         town + "交通部门责令改正，并处以罚款。\n";
}

TEST(Losses, ALongTextStaysForASentenceOfItsOwnByTheNamedDefaultAlone) {
  Random random(41);
  const std::string work = random_text(random, 6'000), sentence = random_text(random, 40);
  const std::string shorter = work.substr(0, 3 * 2'000) + sentence + work.substr(3 * 2'000, 3 * 3'900);
  EXPECT_TRUE(decided({shorter, work}).all_stay());
  EXPECT_FALSE(decided({shorter, work}, Remove::wide).all_stay());
  const std::string with_less =
      work.substr(0, 3 * 2'000) + sentence.substr(0, 3 * 20) + work.substr(3 * 2'000, 3 * 3'900);
  EXPECT_FALSE(decided({with_less, work}).all_stay());
}

TEST(Losses, RulesOfOneTownStayBesideThoseOfAnother) {
  const std::vector<std::string> towns = {rules_of("江州市", "清江"), rules_of("河阳市", "洛水"),
                                          rules_of("北川县", "涪江")};
  EXPECT_FALSE(decided(towns, Remove::similar).all_stay());
  const Answer careful = decided(towns);
  EXPECT_TRUE(careful.all_stay()) << "each is the law of another town";
  EXPECT_TRUE(careful.are_one_cluster()) << "and they are similar as before";
}

TEST(Losses, ACopyOfTheRulesOfOneTownLeaves) {
  std::string copy = rules_of("江州市", "清江");
  copy.replace(copy.find("向社会"), std::string_view("向社会").size(), "向公众");
  EXPECT_EQ(decided({rules_of("江州市", "清江"), copy}).kept, (std::vector<DocId>{0, 0}));
}

TEST(Losses, ALawStaysBesideItsRevision) {
  const std::string before = rules_of("江州市", "清江");
  const std::string after =
      before +
      "第九条 渡口设有标志、灯光和救生设备的，可以在夜间开放。\n第十条 渡运收费的标准由物价部门核定。\n";
  std::string old = before;
  const std::string_view article = "第六条 遇有大风、大雾、洪水等情形，渡船应当停止航行。\n";
  old.replace(
      old.find(article), article.size(),
      "第六条 每日日落之后至次日日出之前，以及能见距离不足五百米之时，所有渡船不得离岸，违者扣留其船。\n");
  EXPECT_TRUE(decided({after, old}).all_stay()) << "an article of the old law stands nowhere in the new one";
  EXPECT_TRUE(decided({after, old}).are_one_cluster());
  EXPECT_EQ(decided({after, before}).kept, (std::vector<DocId>{0, 0})) << "the new law holds all of this one";
}

TEST(Losses, TextsThatAnOmnibusDecisionHoldsWhollyLeaveAndOthersStay) {
  Random random(3);
  const std::string rules = rules_of("江州市", "清江");
  std::string omnibus = "关于修改若干办法的决定\n";
  for (int part = 0; part < 3; ++part) omnibus += random_text(random, 500) + "\n";
  omnibus += rules;
  EXPECT_EQ(decided({omnibus, rules}).kept, (std::vector<DocId>{0, 0}));
  std::string more =
      rules + "第九条 本办法由江州市交通部门解释，自公布之日起三十日后施行，旧的规定同时废止。";
  EXPECT_TRUE(decided({omnibus, more}).all_stay());
}

TEST(Losses, ALongerTextDoesNotLeaveForAShorterOneThatIsPreferred) {
  const std::string rules = rules_of("江州市", "清江");
  const std::string longer =
      rules + "第九条 渡口设有标志、灯光和救生设备的，可以在夜间开放。收费由物价部门核定。\n";
  const PrecedenceFn first = [](const DocumentTable&, const std::vector<bool>&) -> Result<Precedence> {
    return Precedence{{0, 1}, 0};
  };
  EXPECT_TRUE(decided({rules, longer}, Remove::careful, 1, 0, first).all_stay());
  EXPECT_EQ(decided({rules, longer}, Remove::similar, 1, 0, first).kept, (std::vector<DocId>{0, 0}));
}

TEST(Losses, OfVersionsEachLeavesOnlyForOneThatHoldsIt) {
  Random random(5);
  std::vector<std::string> versions = {random_text(random, 600)};
  for (int i = 0; i < 6; ++i) versions.push_back(versions.back() + random_text(random, 80));
  const Answer answer = decided(versions);
  for (DocId d = 0; d < 6; ++d) EXPECT_NE(answer.kept[d], d) << "a later version holds all of it";
  EXPECT_EQ(answer.kept[6], 6u);
}

/// Families of lightly and heavily edited texts, and of parts of others.
std::vector<std::string> families(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const std::string text = random_text(random, 200 + random.below(800));
    texts.push_back(text);
    for (std::uint64_t i = random.below(8); i-- > 0;) {
      const std::string copy = edited(text, random, 6 + random.below(60));
      texts.push_back(random.below(3) == 0 ? copy + random_text(random, random.below(200)) : copy);
    }
  }
  return texts;
}

TEST(Losses, AreTheSameForAnyNumberOfThreadsAndAnyMemory) {
  const std::vector<std::string> texts = families(7, 400);
  const Answer expected = decided(texts);
  EXPECT_FALSE(expected.all_stay());
  EXPECT_NE(expected.kept, decided(texts, Remove::similar).kept);
  EXPECT_EQ(decided(texts, Remove::careful, 4).kept, expected.kept);
  EXPECT_EQ(decided(texts, Remove::careful, 2, MemoryBudget::least(texts.size())).kept, expected.kept);
}

TEST(Losses, LessLeavesWhereLessMayBeLostAndClustersStay) {
  const std::vector<std::string> texts = families(11, 400);
  std::size_t removed = texts.size();
  const Answer similar = decided(texts, Remove::similar);
  for (const Remove limits : {Remove::similar, Remove::wide, Remove::careful, Remove::lossless}) {
    const Answer answer = decided(texts, limits);
    const auto left = static_cast<std::size_t>(
        std::ranges::count_if(answer.kept, [&, d = DocId{0}](DocId kept) mutable { return kept != d++; }));
    EXPECT_LE(left, removed) << static_cast<int>(limits);
    removed = left;
    EXPECT_EQ(answer.leader, similar.kept) << static_cast<int>(limits);
    EXPECT_EQ(answer.pairs, similar.pairs) << static_cast<int>(limits);
  }
}

}  // namespace
}  // namespace leitong
