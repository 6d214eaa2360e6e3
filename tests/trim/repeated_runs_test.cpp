// Runs that repeat have keys that repeat: winnowing against the slow twin that looks at every run.
#include "trim/repeated_runs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

namespace leitong {
namespace {

using Text = std::vector<Unit>;

/// Texts of few letters, which repeat one another and themselves.
std::vector<Text> random_texts(std::mt19937& random) {
  const auto number = [&](std::size_t below) { return random() % below; };
  std::vector<Text> texts;
  for (int t = 0; t < 6; ++t) {
    Text text;
    while (text.size() < 60 + number(200)) {
      if (!texts.empty() && number(3) > 0) {
        const Text& from = texts[number(texts.size())];
        const std::size_t begin = number(from.size()), size = number(from.size() - begin);
        text.insert(text.end(), from.begin() + static_cast<long>(begin),
                    from.begin() + static_cast<long>(begin + size));
      } else if (number(2) == 0 && !text.empty()) {
        const std::size_t period = 1 + number(std::min<std::size_t>(text.size(), 30));
        for (std::size_t i = number(150); i > 0; --i) text.push_back(text[text.size() - period]);
      } else {
        for (std::size_t i = number(40); i > 0; --i) text.push_back(static_cast<Unit>(0x4E00 + number(50)));
      }
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(RepeatedRuns, EveryRunThatRepeatsIsAskedAbout) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t least = RunKeys::kLeastRun + random() % 50;
    const std::vector<Text> texts = random_texts(random);
    RunKeys keys(least);
    PodVector<std::uint64_t> all;
    for (const Text& text : texts) keys.append_keys(text, all);
    std::map<std::uint64_t, int> times;
    for (const std::uint64_t key : all) ++times[key];
    KeyFilter repeated(all.size());
    for (const auto& [key, count] : times)
      if (count > 1) repeated.add(key);
    std::map<Text, int> runs;
    for (const Text& text : texts)
      for (std::size_t i = 0; i + least <= text.size(); ++i)
        ++runs[Text(text.begin() + static_cast<long>(i), text.begin() + static_cast<long>(i + least))];
    PodVector<RunSegment> segments;
    for (const Text& text : texts) {
      keys.segments_in(text, repeated, segments);
      std::set<std::uint32_t> asked;
      for (const RunSegment& segment : segments) {
        ASSERT_GE(segment.count, 1U);
        ASSERT_LE(segment.count, RunKeys::kMostRuns);
        for (std::uint32_t i = 0; i < segment.count; ++i) ASSERT_TRUE(asked.insert(segment.at + i).second);
      }
      for (std::uint32_t i = 0; i + least <= text.size(); ++i)
        if (runs.at(Text(text.begin() + i, text.begin() + static_cast<long>(i + least))) > 1) {
          ASSERT_TRUE(asked.contains(i)) << "round " << round << ", unit " << i << ", least " << least;
        }
    }
  }
}

TEST(RepeatedRuns, EqualRunsLieInSegmentsOfOneKeyAndHaveEqualHashes) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    const std::size_t least = RunKeys::kLeastRun + random() % 50;
    RunKeys keys(least);
    KeyFilter every(1);
    for (std::uint64_t bit = 0; bit < (1u << 16); ++bit) every.add(bit);
    std::map<Text, std::pair<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>> known;
    PodVector<RunSegment> segments;
    PodVector<PartHash> hashes;
    for (const Text& text : random_texts(random)) {
      keys.segments_in(text, every, segments);
      std::size_t next = 0;
      for (const RunSegment& segment : segments) {
        ASSERT_EQ(segment.at, next);  // every run is in one
        next += segment.count;
        keys.hash_runs(text, segment.at, segment.count, hashes);
        ASSERT_EQ(hashes.size(), segment.count);
        for (std::size_t i = 0; i < segment.count; ++i) {
          const auto begin = text.begin() + static_cast<long>(segment.at + i);
          const std::pair hash(hashes[i].high, hashes[i].low);
          const auto [run, is_new] =
              known.try_emplace(Text(begin, begin + static_cast<long>(least)), segment.key, hash);
          ASSERT_EQ(run->second, std::pair(segment.key, hash)) << "round " << round;
        }
      }
      ASSERT_EQ(next, text.size() - least + 1);
    }
  }
}

TEST(RepeatedRuns, FewKeysAreKept) {
  std::mt19937 random(2);
  Text text(100'000);
  for (Unit& unit : text) unit = static_cast<Unit>(random());
  RunKeys keys(100);
  PodVector<std::uint64_t> all;
  keys.append_keys(text, all);
  EXPECT_LT(all.size(), text.size() / 30);
  KeyFilter none(all.size());
  PodVector<RunSegment> found;
  keys.segments_in(text, none, found);
  EXPECT_TRUE(found.empty());
}

TEST(RepeatedRuns, ShortTextsHaveNone) {
  RunKeys keys(8);
  PodVector<std::uint64_t> all;
  keys.append_keys(Text(7, 0x4E00), all);
  EXPECT_TRUE(all.empty());
  keys.append_keys(Text(8, 0x4E00), all);
  EXPECT_FALSE(all.empty());
}

}  // namespace
}  // namespace leitong
