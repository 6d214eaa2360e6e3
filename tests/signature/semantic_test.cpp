#include "signature/semantic.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "base/hash.hpp"
#include "feature/term_hash.hpp"

namespace leitong {
namespace {

std::uint64_t id(std::string_view word) { return term_hash(TermHash::xxh3, word); }

class Semantic : public testing::Test {
 protected:
  ~Semantic() override { std::filesystem::remove(path_); }
  const std::filesystem::path& write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
    return path_;
  }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("leitong_thesaurus_" + std::to_string(getpid()));
};

TEST_F(Semantic, WordsOfOneGroupDifferInAsManyBitsAsTheAngleSays) {
  constexpr int kWords = 400;
  for (const double alpha : {1.0, 2.0}) {
    double same = 0, other = 0;
    for (std::uint64_t word = 0; word < kWords; ++word) {
      const std::uint64_t group = mix64(word / 2 + 9000);
      same += std::popcount(semantic_signature(2 * word, group, alpha, 1) ^
                            semantic_signature(2 * word + 1, group, alpha, 1));
      other += std::popcount(semantic_signature(2 * word, group, alpha, 1) ^
                             semantic_signature(2 * word + 1, group + 1, alpha, 1));
    }
    const double expected = std::acos(alpha * alpha / (alpha * alpha + 1)) / std::numbers::pi;
    EXPECT_NEAR(same / kWords / 64, expected, .012) << alpha;
    EXPECT_NEAR(other / kWords / 64, .5, .012);
  }
}

TEST_F(Semantic, ReadsCilinAndTabbedGroups) {
  const auto cilin = Thesaurus::read(write("Aa01A01= 人 士 人物\nAa01A02# 人类 生人\nAa01A03@ 人流\n"));
  ASSERT_TRUE(cilin.has_value()) << cilin.error().message;
  EXPECT_EQ(cilin->size(), 3u) << "only = means synonyms";
  EXPECT_EQ(cilin->group(id("人")), cilin->group(id("人物")));
  EXPECT_EQ(cilin->group(id("人类")), std::nullopt);
  const auto tabbed = Thesaurus::read(write("big\tsize\r\nlarge\tsize\nred\tcolour\n"));
  ASSERT_TRUE(tabbed.has_value());
  EXPECT_EQ(tabbed->group(id("big")), tabbed->group(id("large")));
  EXPECT_NE(tabbed->group(id("big")), tabbed->group(id("red")));
}

// The system opens this file, and then refuses to read memory that is not mapped.
TEST_F(Semantic, GroupsThatCanNotBeReadToTheEndAreAnError) {
  const auto groups = Thesaurus::read("/proc/self/mem");
  ASSERT_FALSE(groups.has_value());
  EXPECT_EQ(groups.error().code, ErrorCode::io) << groups.error().message;
}

TEST_F(Semantic, TheFirstLineDistinguishesVectorsFromGroups) {
  EXPECT_EQ(Thesaurus::load(write("2 2\nup 1 1\ndown -1 1\n"))->size(), 2u);
  EXPECT_EQ(Thesaurus::load(write("Aa01A01= up over\n"))->size(), 2u);
  EXPECT_EQ(Thesaurus::load(write("7\tnumber\n"))->size(), 1u);
  EXPECT_EQ(Thesaurus::load("/no/such/file").error().code, ErrorCode::not_found);
}

TEST_F(Semantic, BadLinesAreNamed) {
  const auto bad = Thesaurus::read(write("big\tsize\nnonsense here\n"));
  ASSERT_FALSE(bad.has_value());
  EXPECT_NE(bad.error().message.find(":2: "), std::string::npos);
  EXPECT_FALSE(Thesaurus::read("/no/such/file").has_value());
  EXPECT_FALSE(Thesaurus::read_vectors(write("no header\n")).has_value());
  EXPECT_FALSE(Thesaurus::read_vectors(write("2 3\nword 1 2 3\n")).has_value()) << "cut short";
}

TEST_F(Semantic, VectorsAsTextAndBinaryGiveTheSameGroups) {
  const std::string text = "3 4\nup 1 0.5 -0.25 2\nover 1 0.5 -0.25 2.125\nblue -3 0.5 8 -1\n";
  const auto from_text = Thesaurus::read_vectors(write(text));
  ASSERT_TRUE(from_text.has_value()) << from_text.error().message;
  const float rows[3][4] = {{1, .5f, -.25f, 2}, {1, .5f, -.25f, 2.125f}, {-3, .5f, 8, -1}};
  std::string bytes = "3 4\n";
  const char* const words[] = {"up", "over", "blue"};
  for (int i = 0; i < 3; ++i)
    bytes += std::string(words[i]) + " " + std::string(reinterpret_cast<const char*>(rows[i]), 16) + "\n";
  const auto from_bytes = Thesaurus::read_vectors(write(bytes));
  ASSERT_TRUE(from_bytes.has_value()) << from_bytes.error().message;
  for (const char* word : words) EXPECT_EQ(from_text->group(id(word)), from_bytes->group(id(word))) << word;
  EXPECT_NE(from_text->group(id("up")), from_text->group(id("blue")));
}

}  // namespace
}  // namespace leitong
