// --memory is a bound: each corpus is run under the kernel's limit on a process's own memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/process.hpp"
#include "made_up_texts.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using leitong::testing::edited;
using leitong::testing::Random;
using leitong::testing::random_text;

std::string jsonl(const std::vector<std::string>& texts) {
  std::string lines;
  for (std::size_t i = 0; i < texts.size(); ++i)
    lines += R"({"id":")" + std::to_string(i) + R"(","text":")" + texts[i] + "\"}\n";
  return lines;
}

/// Articles, each in eight versions of two thirds of its sentences in different orders: all that a text holds
/// is a template of eight works.
std::vector<std::string> shuffled_articles(std::size_t articles) {
  Random random(1);
  std::vector<std::string> texts;
  for (std::size_t article = 0; article < articles; ++article) {
    std::vector<std::string> sentences;
    for (int i = 0; i < 60; ++i) sentences.push_back(random_text(random, 30 + random.below(20)));
    for (int copy = 0; copy < 8; ++copy) {
      for (std::size_t i = sentences.size(); i > 1; --i)
        std::swap(sentences[i - 1], sentences[random.below(i)]);
      texts.emplace_back();
      for (int i = 0; i < 40; ++i) texts.back() += sentences[i];
    }
  }
  return texts;
}

/// Families of edited copies in which all texts are compared with each other.
std::vector<std::string> families(std::size_t count, std::size_t copies) {
  Random random(2);
  std::vector<std::string> texts;
  for (std::size_t family = 0; family < count; ++family) {
    const std::string text = random_text(random, 150);
    for (std::size_t copy = 0; copy < copies; ++copy) texts.push_back(edited(text, random, 25));
  }
  return texts;
}

/// Pages that mostly consist of the frame of their site.
std::vector<std::string> framed_pages(std::size_t sites, std::size_t pages) {
  Random random(3);
  std::vector<std::string> texts;
  for (std::size_t site = 0; site < sites; ++site) {
    const std::string head = random_text(random, 400), foot = random_text(random, 400);
    for (std::size_t page = 0; page < pages; ++page) texts.push_back(head + random_text(random, 300) + foot);
  }
  return texts;
}

/// A run with `megabytes`, where the kernel allows only 64 MB more, decides as a run with unlimited memory
/// does.
void expect_bound(const std::vector<std::string>& texts, unsigned megabytes) {
  const TempFolder folder;
  const std::string input = folder.write("texts.jsonl", jsonl(texts));
  const unsigned most = (megabytes + 64) * 1024;
  const Outcome bound =
      run_program({"bash", "-c",
                   "ulimit -d " + std::to_string(most) + "; exec " LEITONG_BINARY " dedup " + input +
                       " --threads 2 --memory " + std::to_string(megabytes) + "M -o " + (folder / "kept") +
                       " --pairs " + (folder / "pairs")});
  ASSERT_EQ(bound.code, 0) << bound.err;
  const Outcome free = leitong({"dedup", input, "-o", folder / "kept-2", "--pairs", folder / "pairs-2"});
  ASSERT_EQ(free.code, 0) << free.err;
  EXPECT_EQ(read_file(folder / "kept"), read_file(folder / "kept-2"));
  EXPECT_EQ(read_file(folder / "pairs"), read_file(folder / "pairs-2"));
}

TEST(MemoryBudgetOfACommand, HoldsTextsThatAreTemplateAltogether) {
  expect_bound(shuffled_articles(1'000), 160);
}

TEST(MemoryBudgetOfACommand, HoldsFamiliesOfManyPairs) { expect_bound(families(2, 800), 80); }

TEST(MemoryBudgetOfACommand, HoldsFramesOfSites) { expect_bound(framed_pages(40, 200), 80); }

}  // namespace
}  // namespace leitong::test
