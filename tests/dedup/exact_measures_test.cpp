// Compares the methods "shingle" and "edit" with an exhaustive comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "dedup/method.hpp"
#include "dedup/recording_sink.hpp"
#include "feature/ngrams.hpp"
#include "feature/shingles.hpp"
#include "io/run_context.hpp"
#include "io/work_folder.hpp"
#include "scheme/resources.hpp"
#include "similarity/edit.hpp"
#include "similarity/intersect.hpp"

namespace leitong {
namespace {

using Text = std::vector<Unit>;
/// Texts of a small alphabet. Some of them are edited copies of earlier ones; short texts and a repetitive
/// one are among them.
std::vector<Text> texts() {
  std::mt19937 random(7);
  std::vector<Text> all = {{}, {1}, {1, 2}, {2, 1}, {1, 2, 3}, Text(40, 5), Text(37, 5)};
  for (int i = 0; i < 60; ++i) {
    Text text(5 + random() % 80);
    for (Unit& unit : text) unit = 0x4e00 + random() % 30;
    if (i % 2 == 1) {
      text = all.back();
      for (std::size_t edits = random() % (1 + text.size() / 3); edits > 0 && !text.empty(); --edits) {
        const auto at = text.begin() + static_cast<std::ptrdiff_t>(random() % text.size());
        if (random() % 3 == 0)
          text.erase(at);
        else if (random() % 2 == 0)
          text.insert(at, 0x4e00 + random() % 30);
        else
          *at = 0x4e00 + random() % 30;
      }
    }
    all.push_back(text);
  }
  return all;
}

PairScores found_by(std::string_view name, const std::vector<std::string>& params,
                    const std::vector<Text>& all) {
  const Rule rule;
  DocumentTable table;
  const Context context;
  RunContext run(context);
  SchemeResources resources;
  auto method = make_method(name, params, resources, {rule, table, run, false});
  EXPECT_TRUE(method.has_value()) << method.error().message;
  const auto scratch = method->scheme->new_scratch();
  for (DocId d = 0; d < all.size(); ++d) {
    table.units.push_back(static_cast<std::uint32_t>(all[d].size()));
    table.content.push_back(d * 77);
    PodVector<std::uint64_t> words;
    method->scheme->sketch({"", all[d]}, *scratch, words);
    EXPECT_TRUE(method->finder->add(d, words).has_value());
  }
  RecordingSink sink;
  EXPECT_TRUE(method->finder->find(sink).has_value());
  return sink.pairs();
}

template <class Measure>
PairScores by_comparing_all(const std::vector<Text>& all, double threshold, const Measure& measure) {
  PairScores pairs;
  for (DocId a = 0; a < all.size(); ++a)
    for (DocId b = a + 1; b < all.size(); ++b) {
      if (all[a].empty() || all[b].empty()) continue;  // an empty text resembles no other
      const double value = measure(all[a], all[b]);
      if (value >= threshold) pairs[{a, b}] = static_cast<float>(value);
    }
  return pairs;
}

struct Sets {
  PodVector<std::uint32_t> a, b, scratch;
  Sets(const Text& x, const Text& y, std::size_t k) {
    if (k == kShingleUnits) {
      shingle_set(x, a, scratch);
      shingle_set(y, b, scratch);
    } else {
      ngram_set(x, k, a);
      ngram_set(y, k, b);
    }
  }
};

TEST(ExactMeasures, ShingleFindsEveryPairOfSuchResemblance) {
  const auto all = texts();
  for (const std::size_t k : {2, 5}) {
    const auto expected = by_comparing_all(all, .2, [k](const Text& x, const Text& y) {
      const Sets sets(x, y, k);
      return resemblance(sets.a, sets.b);
    });
    EXPECT_GT(expected.size(), 10u);
    EXPECT_EQ(found_by("shingle", {"k=" + std::to_string(k)}, all), expected) << k;
  }
}

TEST(ExactMeasures, ShingleFindsEveryPairOfSuchContainment) {
  const auto all = texts();
  const auto expected = by_comparing_all(all, .6, [](const Text& x, const Text& y) {
    const Sets sets(x, y, 3);
    return sets.a.size() <= sets.b.size() ? containment(sets.a, sets.b) : containment(sets.b, sets.a);
  });
  EXPECT_GT(expected.size(), 10u);
  EXPECT_EQ(found_by("shingle", {"k=3", "measure=containment", "threshold=0.6"}, all), expected);
}

TEST(ExactMeasures, EditFindsEveryPairOfSuchSimilarity) {
  const auto all = texts();
  for (const std::string threshold : {"0.5", "0.8", "0.95", "1"}) {
    const double least = std::stod(threshold);
    const auto expected =
        by_comparing_all(all, least, [](const Text& x, const Text& y) { return edit_similarity(x, y); });
    EXPECT_GE(expected.size(), 1u);
    EXPECT_EQ(found_by("edit", {"threshold=" + threshold}, all), expected) << threshold;
  }
}

}  // namespace
}  // namespace leitong
