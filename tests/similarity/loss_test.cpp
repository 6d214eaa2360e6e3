#include "similarity/loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "feature/shingles.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {
namespace {

using Units = std::vector<Unit>;

/// A text with its shingles; those in `templates` are template.
struct Text {
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
  PodVector<std::uint8_t> in_template;

  explicit Text(const Units& all, const Units& templates = {}) {
    units.append(all);
    make(templates);
  }
  explicit Text(std::string_view text, std::string_view templates = {}) {
    to_units(text, units);
    PodVector<Unit> marked;
    to_units(templates, marked);
    make({marked.begin(), marked.end()});
  }
  void make(const Units& templates) {
    shingle_hashes(units, shingles);
    PodVector<std::uint32_t> marked;
    shingle_hashes(templates, marked);
    std::sort(marked.begin(), marked.end());
    mark_template_units(shingles, marked, units.size(), in_template);
  }
  [[nodiscard]] LossText view() const {
    return {units, shingles, in_template, own_units(units.size(), in_template)};
  }
};

LossFound found_of(const Text& text, const Text& other) {
  ShinglePlaces places(other.shingles);
  return LossFinder().find(text.view(), other.view(), places);
}
Loss loss_of(const Text& text, const Text& other) { return found_of(text, other).loss; }

constexpr std::string_view kFerry =
    "渡船清晨六點開第一班，霧大的日子改到八點，乘客請在北岸的石階旁排隊等候，不要站在跳板上。";

TEST(LossFinder, StretchesAreWhatTheLossCounts) {
  std::mt19937 random(5);
  const auto unit = [&] { return static_cast<Unit>(random() % 400); };
  for (int round = 0; round < 200; ++round) {
    Units text(200 + random() % 300);
    std::generate(text.begin(), text.end(), unit);
    Units other = text;
    for (unsigned edit = random() % 6; edit > 0; --edit) {
      const auto at = static_cast<std::ptrdiff_t>(random() % (other.size() - 40));
      const auto end = at + static_cast<std::ptrdiff_t>(random() % 40);
      if (random() % 2 == 0)
        other.erase(other.begin() + at, other.begin() + end);
      else
        for (auto i = at; i < end; i += 3) other[static_cast<std::size_t>(i)] = unit();
    }
    const Text here(text, {text.begin(), text.begin() + 30}), there(other);
    ShinglePlaces places(there.shingles);
    LossFinder finder;
    const Loss loss = finder.find(here.view(), there.view(), places).loss;
    std::uint32_t lost = 0, reworded = 0, longest = 0, end = 0;
    for (const LostStretch& stretch : finder.stretches()) {
      ASSERT_LT(stretch.begin, stretch.end);
      ASSERT_GE(stretch.begin, end) << "in order, and none twice";
      end = stretch.end;
      (stretch.reworded ? reworded : lost) += stretch.end - stretch.begin;
      if (!stretch.reworded) longest = std::max(longest, stretch.end - stretch.begin);
      if (!stretch.reworded && stretch.begin == loss.longest_at) {
        EXPECT_EQ(stretch.end - stretch.begin, loss.longest);
      }
    }
    EXPECT_EQ(lost, loss.lost);
    EXPECT_EQ(reworded, loss.reworded);
    EXPECT_EQ(longest, loss.longest);
  }
}

TEST(Loss, IsZeroForATextThatTheOtherOneHolds) {
  const Text ferry(kFerry), more("从前有一条河。" + std::string(kFerry) + "这是船家的规矩，人人都知道。");
  EXPECT_EQ(loss_of(ferry, more), (Loss{.own = 40}));
  EXPECT_EQ(loss_of(ferry, ferry).share(), 0);
}

TEST(Loss, IsDirected) {
  const Text ferry(kFerry), more(std::string(kFerry) + "回来的人带着一筐新摘的莲蓬和一条鱼，慢慢走上石阶");
  EXPECT_EQ(loss_of(ferry, more).lost, 0u);
  const Loss loss = loss_of(more, ferry);
  EXPECT_EQ(loss.lost, 23u);
  EXPECT_EQ(loss.longest, 23u);
  EXPECT_EQ(loss.longest_at, 40u);
  EXPECT_EQ(loss.in_stretches, 0u) << "a stretch is long from 24 units on";
  EXPECT_DOUBLE_EQ(loss.share(), 23. / 63);
}

TEST(Loss, OfAStretchOf24UnitsIsThatOfAPassage) {
  const Text ferry(kFerry), more(std::string(kFerry) + "回来的人带着一筐新摘的莲蓬和两条鱼，慢慢地走上石阶");
  EXPECT_EQ(loss_of(more, ferry).in_stretches, 24u);
  EXPECT_FALSE(allows({.loss = .5, .run = .02}, loss_of(more, ferry)));
}

TEST(Loss, WhatWasMovedIsThere) {
  const std::string a = "渡船清晨六點開第一班，", b = "霧大的日子改到八點，",
                    c = "乘客請在北岸的石階旁排隊等候。";
  EXPECT_EQ(loss_of(Text(a + b + c), Text(c + a + b)).lost, 0u);
}

TEST(Loss, AReplacedLetterIsRewordedAndNotLost) {
  std::string other(kFerry);
  other.replace(other.find("石"), std::string_view("石").size(), "木");
  const Loss loss = loss_of(Text(kFerry), Text(other));
  EXPECT_EQ(loss.lost, 0u);
  EXPECT_EQ(loss.reworded, 1u);
  EXPECT_DOUBLE_EQ(loss.share(), .3 / 40);
}

TEST(Loss, LettersBetweenTwoEditsAreThereThoughNoSharedShingleCoversThem) {
  std::string other(kFerry);
  for (const auto& [from, to] : {std::pair("石", "木"), {"旁", "边"}})
    other.replace(other.find(from), std::string_view(from).size(), to);
  const Loss loss = loss_of(Text(kFerry), Text(other));
  EXPECT_EQ(loss.reworded, 2u) << "石階旁: the letter between the two stands in its place";
  EXPECT_EQ(loss.lost, 0u);
}

TEST(Loss, AnInsertedLetterIsLostOnItsSideAndCostsTheOtherSideNothing) {
  std::string other(kFerry);
  other.insert(other.find("石"), "老");
  EXPECT_EQ(loss_of(Text(kFerry), Text(other)).share(), 0);
  EXPECT_EQ(loss_of(Text(other), Text(kFerry)).lost, 1u);
}

TEST(Loss, WhatIsWhollyOtherInOnePlaceIsLost) {
  const std::string begin = "渡船清晨六點開第一班霧大的日子改到八點", end = "乘客請在北岸的石階旁排隊等候";
  const Loss loss =
      loss_of(Text(begin + "每人两文钱小孩不收" + end), Text(begin + "本渡口由王家三代经营" + end));
  EXPECT_EQ(loss.lost, 9u);
  EXPECT_EQ(loss.longest, 9u);
  EXPECT_EQ(loss.longest_at, 19u);
}

TEST(Loss, TemplatesAreNeitherOwnNorLost) {
  const std::string frame = "首页新闻论坛相册留言联系我们版权所有";
  const Text page(frame + std::string(kFerry), frame), plain(kFerry);
  const Loss loss = loss_of(page, plain);
  EXPECT_EQ(loss.own, 40u);
  EXPECT_EQ(loss.lost, 0u);
}

TEST(Loss, OwnTextIsATenthAtLeast) {
  const std::string frame = "首页新闻论坛相册留言联系我们版权所有";
  EXPECT_EQ(loss_of(Text(frame, frame), Text(kFerry)).own, 2u);
}

TEST(Loss, OfShortAndEmptyTexts) {
  EXPECT_EQ(loss_of(Text("渡"), Text("渡")).lost, 0u);
  EXPECT_EQ(loss_of(Text("渡口"), Text("渡船")).reworded, 1u);
  EXPECT_EQ(loss_of(Text(""), Text(kFerry)).share(), 0);
  EXPECT_EQ(loss_of(Text("渡口"), Text("")).lost, 2u);
}

TEST(Loss, ANameThatChangesFromTheTitleOnIsReported) {
  const std::string rest = "的渡口由本市交通部门每年检查一次，检查结果在年底以前公布，不合格的渡口停止使用。";
  const Text one("江州市渡口管理办法。江州市" + rest), other("河阳市渡口管理办法。河阳市" + rest);
  const LossFound found = found_of(one, other);
  EXPECT_EQ(found.name_changes, 2u);
  EXPECT_EQ(found.first_lacking, 0u);
  EXPECT_EQ(found.first_lacking_other, 0u);
}

TEST(Loss, ANameThatChangesAfterAnEqualTitleIsReported) {
  const std::string rest = "的渡口由本市交通部门每年检查一次，检查结果在年底以前公布，不合格的渡口停止使用。";
  const LossFound found = found_of(Text("全省渡口检查通知。江州市的桥梁和江州市" + rest),
                                   Text("全省渡口检查通知。河阳市的桥梁和河阳市" + rest));
  EXPECT_EQ(found.name_changes, 2u);
  EXPECT_EQ(found.first_lacking, 8u) << "the title is title_units() of each text, and has eight";
  EXPECT_EQ(found.first_lacking_other, 8u);
}

// ---- the definition, step by step, without hashes

bool covers(const Units& text, std::size_t shingle, const Units& other) {
  const std::size_t size = std::min(kShingleUnits, text.size());
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(shingle);
  if (text.size() < kShingleUnits) return text == other;
  return std::search(other.begin(), other.end(), begin, begin + static_cast<std::ptrdiff_t>(size)) !=
         other.end();
}

std::vector<bool> slow_cover(const Units& text, const Units& other) {
  std::vector<bool> covered(text.size());
  for (std::size_t i = 0; i < std::max<std::size_t>(text.size(), kShingleUnits) - kShingleUnits + 1; ++i)
    if (!text.empty() && covers(text, i, other))
      for (std::size_t at = i; at < std::min(i + kShingleUnits, text.size()); ++at) covered[at] = true;
  return covered;
}

/// The one place of a shingle of `text` in `other`; -1: none or several.
int slow_place(const Units& text, std::size_t shingle, const Units& other) {
  int place = -1;
  for (std::size_t at = 0; at + kShingleUnits <= other.size(); ++at) {
    if (!std::equal(text.begin() + static_cast<std::ptrdiff_t>(shingle),
                    text.begin() + static_cast<std::ptrdiff_t>(shingle + kShingleUnits),
                    other.begin() + static_cast<std::ptrdiff_t>(at)))
      continue;
    if (place >= 0) return -1;
    place = static_cast<int>(at);
  }
  return place;
}

Loss slow_loss(const Units& text, const Units& other) {
  const int n = static_cast<int>(text.size()), m = static_cast<int>(other.size()), k = kShingleUnits;
  const std::vector<bool> covered = slow_cover(text, other);
  std::vector<bool> there = covered, reworded(text.size());
  int aligned = 0;
  for (int begin = 0; begin < n; ++begin) {
    if (covered[begin]) continue;
    int end = begin;
    while (end < n && !covered[end]) ++end;
    int a0 = 0, b0 = 0, a1 = n, b1 = m;
    for (int i = begin - k; i >= 0; --i)
      if (const int place = slow_place(text, i, other); place >= 0) {
        a0 = i + k, b0 = place + k;
        break;
      }
    while (a0 < begin && b0 < m && text[a0] == other[b0]) ++a0, ++b0;
    for (int i = end; i + k <= n; ++i)
      if (const int place = slow_place(text, i, other); place >= b0) {
        a1 = i, b1 = place;
        break;
      }
    while (a1 > end && b1 > b0 && text[a1 - 1] == other[b1 - 1]) --a1, --b1;
    if (begin >= aligned && b1 > b0) {
      std::vector<std::vector<int>> d(a1 - a0 + 1, std::vector<int>(b1 - b0 + 1));
      for (int i = 0; i <= a1 - a0; ++i)
        for (int j = 0; j <= b1 - b0; ++j)
          d[i][j] = i == 0   ? j
                    : j == 0 ? i
                             : std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                         d[i - 1][j - 1] + (text[a0 + i - 1] != other[b0 + j - 1])});
      const int length = std::max(a1 - a0, b1 - b0);
      if (length <= 4 || 1 - double(d.back().back()) / length >= .34) {
        int i = a1 - a0, j = b1 - b0;
        std::vector<bool> equal(a1 - a0);
        while (i > 0 && j > 0) {
          if (text[a0 + i - 1] == other[b0 + j - 1] && d[i][j] == d[i - 1][j - 1])
            equal[--i] = true, --j;
          else if (d[i][j] == d[i - 1][j - 1] + 1)
            --i, --j;
          else if (d[i][j] == d[i - 1][j] + 1)
            --i;
          else
            --j;
        }
        for (int at = a0; at < a1; ++at) there[at] = equal[at - a0], reworded[at] = !equal[at - a0];
      }
      aligned = std::max(aligned, a1);
    }
    begin = end - 1;
  }
  Loss loss{.own = static_cast<std::uint32_t>(std::max(n, 1))};
  for (int i = 0; i < n; ++i) {
    loss.reworded += reworded[i];
    std::uint32_t run = 0;
    while (i < n && !there[i] && !reworded[i]) ++run, ++i;
    loss.lost += run;
    if (run >= kLongStretch) loss.in_stretches += run;
    if (run > loss.longest) loss.longest = run, loss.longest_at = i - run;
    if (run > 0 && i < n) loss.reworded += reworded[i];
  }
  return loss;
}

TEST(Loss, IsItsDefinitionOnRandomTexts) {
  std::mt19937 random(23);
  for (int round = 0; round < 3000; ++round) {
    const Unit letters = 2 + random() % 300;  // few letters: many repetitions, and texts that hardly match
    Units text(random() % 200), other;
    for (Unit& unit : text) unit = 0x5000 + random() % letters;
    if (round % 2 == 0) {  // the end of the text occurs twice
      const Units last(text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() + 1)), text.end());
      text.insert(text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() + 1)), last.begin(),
                  last.end());
    }
    other = text;
    for (std::size_t edits = random() % 12; edits-- > 0 && !other.empty();) {
      const std::size_t at = random() % other.size(), length = random() % 30;
      const auto begin = other.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = other.begin() + static_cast<std::ptrdiff_t>(std::min(at + length, other.size()));
      switch (random() % 5) {
        case 0:
          *begin = 0x5000 + random() % letters;
          break;
        case 1:
          other.erase(begin);
          break;
        case 2:
          other.insert(begin, 0x5000 + random() % letters);
          break;
        case 3:
          other.erase(begin, end);
          break;
        default:
          std::rotate(begin, end, other.end());
          break;
      }
    }
    if (random() % 2 == 0) std::swap(text, other);
    ASSERT_EQ(loss_of(Text(text), Text(other)), slow_loss(text, other)) << "round " << round;
  }
}

TEST(Loss, NumbersInThePlaceOfWhichOthersStandAreCounted) {
  const Text note("第3期公告：環城路自8時起封閉，繞行9公里，預計12日恢復通行，請各單位提前安排好出行路線。");
  const Text next("第4期公告：環城路自6時起封閉，繞行9公里，預計17日恢復通行，請各單位提前安排好出行路線。");
  const Loss loss = loss_of(note, next);
  EXPECT_EQ(loss.numbers, 3u);
  EXPECT_EQ(loss.reworded, 3u);
  EXPECT_EQ(loss.lost, 0u);
  EXPECT_EQ(loss_of(note, note).numbers, 0u);
  EXPECT_EQ(loss_of(Text("請在北岸的石階旁排隊等候"), Text("請在南岸的石階旁排隊等候")).numbers, 0u);
  EXPECT_FALSE(allows({}, loss));
  EXPECT_TRUE(allows({.number = 0}, loss)) << "as any reworded text";
}

TEST(LossLimits, CountANumberThatDiffersAsEightLostUnits) {
  EXPECT_TRUE(allows({}, {.own = 160, .numbers = 1}));
  EXPECT_FALSE(allows({}, {.own = 159, .numbers = 1}));
  EXPECT_TRUE(allows(everything_similar(), {.own = 8, .numbers = 8}));
}

TEST(LossLimits, LimitBothFiguresTheNameAndTheSigns) {
  const LossLimits careful;
  EXPECT_TRUE(allows(careful, {.own = 100, .lost = 5}));
  EXPECT_FALSE(allows(careful, {.own = 100, .lost = 5, .reworded = 1}));
  EXPECT_TRUE(allows(careful, {.own = 4000, .lost = 40, .in_stretches = 40}));
  EXPECT_FALSE(allows(careful, {.own = 4000, .lost = 41, .in_stretches = 41}));
  EXPECT_FALSE(allows(careful, {.own = 100, .renamed = true}));
  EXPECT_FALSE(allows(careful, {.own = 100, .other_signs = true}));
  EXPECT_TRUE(allows(everything_similar(), {.own = 1, .lost = 1, .renamed = true}));
}

TEST(LossLimits, KeepATextThatHasASentenceOfItsOwnHoweverLongItIs) {
  const LossLimits careful;
  EXPECT_TRUE(allows(careful, {.own = 50'000, .lost = 32, .in_stretches = 32, .longest = 32}));
  EXPECT_FALSE(allows(careful, {.own = 50'000, .lost = 33, .in_stretches = 33, .longest = 33}));
  EXPECT_TRUE(
      allows(everything_similar(), {.own = 50'000, .lost = 999, .in_stretches = 999, .longest = 999}));
}

}  // namespace
}  // namespace leitong
