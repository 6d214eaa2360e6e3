// Groups of equal runs against the slow twin that compares every run with every other one.
#include "trim/run_groups.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "leitong/context.hpp"

namespace leitong {
namespace {

using Text = std::vector<Unit>;

/// Texts that copy from one another, with edits, so that segments of one key are equal in part.
std::vector<Text> edited_texts(std::mt19937& random) {
  const auto number = [&](std::size_t below) { return random() % below; };
  std::vector<Text> texts;
  for (int t = 0; t < 8; ++t) {
    Text text;
    while (text.size() < 200 + number(300)) {
      if (!texts.empty() && number(4) > 0) {
        const Text& from = texts[number(texts.size())];
        const std::size_t begin = number(from.size()), size = number(from.size() - begin);
        for (std::size_t i = begin; i < begin + size; ++i)
          text.push_back(number(60) == 0 ? static_cast<Unit>(0x5000 + number(9)) : from[i]);
      } else {
        for (std::size_t i = number(80); i > 0; --i) text.push_back(static_cast<Unit>(0x4E00 + number(40)));
      }
    }
    texts.push_back(text);
  }
  return texts;
}

struct Place {
  DocId document;
  std::uint32_t at;
  auto operator<=>(const Place&) const = default;
};

TEST(RunGroups, AreTheRunsThatAreEqual) {
  std::mt19937 random(5);
  const Context context(ContextSettings{});
  for (int round = 0; round < 60; ++round) {
    const std::size_t least = RunKeys::kLeastRun + random() % 60;
    const std::uint64_t least_documents = 1 + random() % 3;
    const std::vector<Text> texts = edited_texts(random);
    RunContext run(context);
    PartGroups groups(run);
    RunGroups runs(run, groups);
    RunKeys keys(least);
    KeyFilter every(1);
    for (std::uint64_t bit = 0; bit < (1u << 16); ++bit) every.add(bit);
    RunGroups::Writer writer(runs);
    PodVector<RunSegment> segments;
    for (DocId d = 0; d < texts.size(); ++d) {
      keys.segments_in(texts[d], every, segments);
      for (const RunSegment& segment : segments) ASSERT_TRUE(writer.add(segment, d));
    }
    ASSERT_TRUE(writer.flush());
    ASSERT_TRUE(runs.compare(texts.size()));
    RunGroups::HashWriter hash_writer(runs);
    std::vector<RunGroups::Wanted> wanted;
    PodVector<PartHash> hashes;
    for (unsigned block = 0; block < PartGroups::blocks(); ++block) {
      ASSERT_TRUE(runs.take_wanted(block, wanted));
      for (const RunGroups::Wanted& segment : wanted) {
        keys.hash_runs(texts[segment.document], segment.at, segment.count, hashes);
        ASSERT_TRUE(hash_writer.add(segment, hashes));
      }
    }
    ASSERT_TRUE(hash_writer.flush());
    ASSERT_TRUE(runs.group(least_documents));

    std::map<Text, std::set<Place>> twin;
    for (DocId d = 0; d < texts.size(); ++d)
      for (std::uint32_t i = 0; i + least <= texts[d].size(); ++i)
        twin[Text(texts[d].begin() + i, texts[d].begin() + static_cast<long>(i + least))].insert({d, i});
    std::map<Place, std::pair<std::uint64_t, bool>> expected;  // documents and first
    std::size_t expected_groups = 0;
    for (const auto& [text, places] : twin) {
      std::set<DocId> holders;
      for (const Place& place : places) holders.insert(place.document);
      if (places.size() < 2 || holders.size() < least_documents) continue;
      ++expected_groups;
      for (const Place& place : places) expected[place] = {holders.size(), place == *places.begin()};
    }
    EXPECT_EQ(groups.groups(), expected_groups);
    std::map<Place, std::pair<std::uint64_t, bool>> found;
    std::map<std::uint64_t, Text> text_of;
    std::vector<RepeatedPart> parts;
    for (unsigned block = 0; block < PartGroups::blocks(); ++block) {
      ASSERT_TRUE(groups.take(block, parts));
      Place before{0, 0};
      for (const RepeatedPart& part : parts) {
        ASSERT_GE((Place{part.document, part.at}), before);
        before = {part.document, part.at};
        for (std::uint32_t i = 0; i < part.count; ++i) {
          const Place place{part.document, part.at + i};
          ASSERT_TRUE(found.try_emplace(place, part.documents, part.first).second);
          ASSERT_LT(part.group + i, groups.groups());
          const auto begin = texts[place.document].begin() + place.at;
          const Text text(begin, begin + static_cast<long>(least));
          ASSERT_EQ(text_of.try_emplace(part.group + i, text).first->second, text);
        }
      }
    }
    ASSERT_EQ(found, expected) << "round " << round << ", least " << least;
    EXPECT_EQ(text_of.size(), expected_groups);
  }
}

}  // namespace
}  // namespace leitong
