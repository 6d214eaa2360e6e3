#include "feature/model_trainer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "feature/term_hash.hpp"
#include "feature/term_model.hpp"

namespace leitong {
namespace {

using Text = std::vector<TrainingWord>;

/// Lower-case letters are terms, others aren't; the id is the letter.
Text text(std::string_view letters) {
  Text words;
  for (const char c : letters) words.push_back({static_cast<std::uint64_t>(c) << 56, c >= 'a' && c <= 'z'});
  return words;
}
constexpr std::uint64_t id(char letter) { return static_cast<std::uint64_t>(letter) << 56; }

class Training : public testing::Test {
 protected:
  ~Training() override { std::filesystem::remove(path_); }

  std::string train(const std::vector<Text>& texts, std::uint64_t memory = 64 << 20) {
    ModelTrainer trainer(memory, context_);
    for (const Text& each : texts) {
      std::uint64_t content = 7;
      for (const TrainingWord& word : each) content = mix64(content ^ word.id);
      trainer.add(content, each);
    }
    std::string bytes;
    const auto figures = trainer.write([&](std::string_view part) -> Result<void> {
      bytes += part;
      return {};
    });
    EXPECT_TRUE(figures.has_value()) << figures.error().message;
    if (figures) figures_ = *figures;
    return bytes;
  }
  TermModel model(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), std::ssize(bytes));
    auto opened = TermModel::load(path_);
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return std::move(*opened);
  }

  const Context context_;
  TrainingFigures figures_;
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("leitong_model_" + std::to_string(getpid()));
};

TEST_F(Training, IdfByHand) {
  const TermModel trained = model(train({text("aab"), text("ac"), text("a."), text("bb")}));
  EXPECT_TRUE(trained.trained());
  EXPECT_EQ(trained.size(), 3u) << "what is no term has no row";
  EXPECT_FLOAT_EQ(trained.idf(id('a')), std::log(4.f / 3));
  EXPECT_FLOAT_EQ(trained.idf(id('b')), std::log(4.f / 2));
  EXPECT_FLOAT_EQ(trained.idf(id('c')), std::log(4.f));
  EXPECT_FLOAT_EQ(trained.idf(id('z')), std::log(2.f)) << "an unknown word gets the median";
  EXPECT_FLOAT_EQ(trained.least_idf(), std::log(4.f / 3));
  EXPECT_FLOAT_EQ(trained.greatest_idf(), std::log(4.f));
}

TEST_F(Training, EntropiesByHand) {
  // Left of x: a, a, b, and a beginning; right of x: always a full stop.
  const TermModel trained = model(train({text("ax."), text("cax."), text("bx."), text("x.")}));
  EXPECT_FLOAT_EQ(trained.neighbours(id('x')).left, 1.5f);
  EXPECT_FLOAT_EQ(trained.neighbours(id('x')).right, 0);
  EXPECT_FLOAT_EQ(trained.neighbours(id('q')).left, 0) << "unknown";
}

TEST_F(Training, CompanionsByHand) {
  // x and y occur together in two documents, with counts 1:1 and 1:2, and y alone in a third; z once with x.
  const TermModel trained =
      model(train({text("xy"), text("xyy"), text("yq"), text("pr"), text("st"), text("xz")}));
  const auto partners = trained.partners(id('x'));
  ASSERT_EQ(partners.size(), 1u) << "z came once only";
  EXPECT_EQ(partners[0].id, id('y'));
  EXPECT_NEAR(partners[0].similarity, (1 + .5) / 4, 1e-4) << "of four documents that hold x or y";
  ASSERT_EQ(trained.partners(id('y')).size(), 1u);
  EXPECT_EQ(trained.partners(id('y'))[0].similarity, partners[0].similarity) << "symmetric";
  EXPECT_TRUE(trained.partners(id('p')).empty());
}

std::vector<Text> random_texts(std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<Text> texts(count);
  for (Text& each : texts)
    for (std::size_t i = 20 + random() % 60; i > 0; --i) {
      const std::uint64_t rank = 1 + random() % (1 + random() % 2000);
      each.push_back({mix64(rank), rank % 7 != 0});
    }
  return texts;
}

TEST_F(Training, TheOrderOfTextsChangesNoByte) {
  auto texts = random_texts(400);
  const std::string bytes = train(texts);
  std::shuffle(texts.begin(), texts.end(), std::mt19937_64(1));
  EXPECT_EQ(train(texts), bytes);
  EXPECT_EQ(figures_.sampled, 400u);
}

TEST_F(Training, LittleMemoryLearnsFromAnEvenSampleInAnyOrder) {
  auto texts = random_texts(3000);
  std::vector<float> expected;
  {
    const TermModel all = model(train(texts));
    for (std::uint64_t rank = 1; rank < 7; ++rank) expected.push_back(all.idf(mix64(rank)));
  }
  const std::string bytes = train(texts, 512 << 10);
  EXPECT_LT(figures_.sampled, 2000u);
  EXPECT_GT(figures_.sampled, 200u);
  EXPECT_EQ(figures_.documents, 3000u);
  const TermModel some = model(bytes);
  for (std::uint64_t rank = 1; rank < 7; ++rank)
    EXPECT_NEAR(some.idf(mix64(rank)), expected[rank - 1], .3) << rank;
  std::reverse(texts.begin(), texts.end());
  EXPECT_EQ(train(texts, 512 << 10), bytes);
}

TEST_F(Training, TextsWithoutTermsTeachNothing) {
  ModelTrainer trainer(1 << 20, context_);
  trainer.add(1, text("..."));
  EXPECT_FALSE(trainer.write([](std::string_view) -> Result<void> { return {}; }).has_value());
}

TEST_F(Training, ADamagedModelIsRefused) {
  std::string bytes = train(random_texts(50));
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(path_, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  const auto opened = TermModel::load(path_);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::corrupt);
}

TEST_F(Training, IdfFilesLoadAndNameTheirBadLines) {
  std::ofstream(path_) << "thunder 8\necho 3\n\nrain 2\nthunder 5\n";
  const auto loaded = TermModel::load(path_);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->size(), 3u);
  EXPECT_EQ(loaded->idf(term_hash(TermHash::xxh3, "thunder")), 5) << "the later line counts";
  EXPECT_EQ(loaded->median_idf(), 3);
  EXPECT_FALSE(loaded->trained());
  std::ofstream(path_) << "thunder 8\necho\n";
  EXPECT_NE(TermModel::load(path_).error().message.find(":2: "), std::string::npos);
  EXPECT_EQ(TermModel::load("/no/such/file").error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace leitong
