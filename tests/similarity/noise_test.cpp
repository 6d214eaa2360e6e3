#include "similarity/noise.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "feature/shingles.hpp"
#include "similarity/intersect.hpp"

namespace leitong {
namespace {

// Words of two to nine letters.
std::vector<std::string> words(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  std::vector<std::string> result(count);
  for (std::string& word : result)
    for (std::size_t i = 2 + random() % 8; i > 0; --i) word += static_cast<char>('a' + random() % 26);
  return result;
}

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

// One letter in a hundred times `percent` is read as another one, or as two.
std::string misread(std::string text, unsigned percent) {
  std::mt19937 random(7);
  std::string result;
  for (const char c : text) {
    result += c != ' ' && random() % 100 < percent ? static_cast<char>('a' + random() % 26) : c;
    if (c != ' ' && random() % 400 < percent) result += 'i';
  }
  return result;
}

struct Text {
  explicit Text(const std::string& text) {
    PodVector<std::uint32_t> scratch;
    to_units(text, units);
    shingle_set(units, set, scratch);
    shingle_hashes(units, ordered);
  }
  PodVector<Unit> units;
  PodVector<std::uint32_t> set, ordered;
};

struct Compared {
  double likeness = 0;
  bool by_rule = false;
};

Compared compared(const std::string& a, const std::string& b) {
  const Text x(a), y(b);
  const std::size_t shared = intersection_size(x.set, y.set);
  const double likeness = noisy_likeness(x.units, x.set, y.units, y.set, shared);
  EXPECT_EQ(likeness, noisy_likeness(y.units, y.set, x.units, x.set, shared)) << "symmetric";
  return {likeness, Rule().decide({}, shared, x.set.size(), y.set.size()).has_value()};
}

// What the letters decide is the same without the cheap check before it.
TEST(Noise, TextsThatMayHaveNoLettersHaveNoNoise) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string text;  // Latin words, and characters that are units
    const unsigned words_of_ten = random() % 11;
    for (int i = 0; i < 300; ++i) text += random() % 10 < words_of_ten ? words(random(), 1)[0] + " " : "漢字";
    const Text a(text), b(misread(text, 3));
    if (!may_have_letters(a.units)) {
      EXPECT_EQ(letters_alike(a.units, b.units), 0) << words_of_ten;
    }
  }
  EXPECT_FALSE(may_have_letters(Text("渡船清晨六點開第一班").units));
  EXPECT_TRUE(may_have_letters(Text("the ferry leaves at six in the morning").units));
}

TEST(Noise, IsSeenWhereLettersAreWrongAllOverTheText) {
  const std::string text = text_of(words(1, 500));
  const Compared light = compared(text, misread(text, 8));
  EXPECT_FALSE(light.by_rule);
  EXPECT_NEAR(light.likeness, .90, .03);
  const Compared heavy = compared(text, misread(text, 10));
  EXPECT_FALSE(heavy.by_rule);
  EXPECT_NEAR(heavy.likeness, .88, .03);
  EXPECT_EQ(compared(text, misread(text, 35)).likeness, 0) << "hardly a shingle is left";
}

TEST(Noise, IsNoRewriting) {
  const std::vector<std::string> work = words(1, 500), other = words(2, 500);
  for (const std::size_t run : {1, 2, 5, 12, 40}) {
    for (const std::size_t one_in : {2, 3, 4}) {
      std::vector<std::string> rewritten = work;
      for (std::size_t i = 0; i < work.size(); ++i)
        if (i / run % one_in == 0) rewritten[i] = other[i];
      EXPECT_EQ(compared(text_of(work), text_of(rewritten)).likeness, 0)
          << "runs of " << run << ", one in " << one_in;
    }
  }
}

TEST(Noise, IsNotAFormThatIsFilledInAgain) {
  // The same words, with other numbers between them.
  const std::vector<std::string> form = words(3, 300);
  const auto filled = [&](std::uint32_t seed) {
    std::mt19937 random(seed);
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i)
      text += form[i] + (i % 2 == 0 ? " " : " " + std::to_string(100 + random() % 900) + " ");
    return text;
  };
  const Compared two = compared(filled(1), filled(2));
  EXPECT_FALSE(two.by_rule);
  EXPECT_EQ(two.likeness, 0);
}

TEST(Noise, NeedsOneLengthAndOneOrder) {
  const std::vector<std::string> work = words(1, 500);
  const std::string text = text_of(work), noisy = misread(text, 10);
  EXPECT_EQ(compared(text, noisy.substr(0, noisy.size() * 85 / 100)).likeness, 0) << "a part is missing";
  const std::size_t half = noisy.find(' ', noisy.size() / 2);
  EXPECT_EQ(compared(text, noisy.substr(half) + noisy.substr(0, half)).likeness, 0)
      << "the halves changed places";
}

TEST(Noise, OfShortTextsAndOfCharactersThatAreUnitsIsNotSeen) {
  const std::string few = text_of(words(1, 12));
  EXPECT_EQ(compared(few, misread(few, 10)).likeness, 0);
  std::mt19937 random(1);
  std::string text, noisy;
  const auto character = [&] {
    const auto code = 0x4E00 + random() % 3'000;
    return std::string{static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                       static_cast<char>(0x80 | (code & 0x3F))};
  };
  for (int i = 0; i < 1'000; ++i) {
    const std::string one = character();
    text += one;
    noisy += random() % 100 < 18 ? character() : one;
  }
  const Compared two = compared(text, noisy);
  EXPECT_FALSE(two.by_rule);
  EXPECT_EQ(two.likeness, 0);
}

TEST(Noise, IsAllowedOnlyByTheDefaultRule) {
  EXPECT_TRUE(allows_noise(Rule()));
  EXPECT_FALSE(allows_noise(strict_rule()));
  EXPECT_FALSE(allows_noise(reuse_rule()));
  Rule jaccard;
  jaccard.measure = Measure::jaccard;
  jaccard.threshold = .2;
  EXPECT_FALSE(allows_noise(jaccard));
}

TEST(SharedEvenly, RequiresTwoOfThreeStretches) {
  const Text work(text_of(words(1, 1'000)));
  const std::size_t size = work.ordered.size();
  const auto with_first = [&](double part) {
    PodVector<std::uint32_t> some, scratch;
    some.append(std::span<const std::uint32_t>(work.ordered)
                    .first(static_cast<std::size_t>(part * static_cast<double>(size))));
    std::sort(some.begin(), some.end());
    return is_shared(work.ordered, HashLookup(some), NoiseRule::kEven);
  };
  EXPECT_TRUE(with_first(.70));
  EXPECT_FALSE(with_first(.60));
  EXPECT_TRUE(is_shared({}, HashLookup(), NoiseRule::kEven));
}

}  // namespace
}  // namespace leitong
