#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "api/answer.hpp"
#include "base/hash.hpp"
#include "dedup/method.hpp"
#include "dedup/recording_sink.hpp"
#include "io/run_context.hpp"
#include "io/work_folder.hpp"
#include "leitong/dedup.hpp"
#include "made_up_texts.hpp"
#include "scheme/resources.hpp"
#include "text/small_dictionary.hpp"

namespace leitong {
namespace {

using ::testing::HasSubstr;

class Methods : public ::testing::Test {
 protected:
  /// Adds a document with a content hash that is independent of its number.
  DocId new_document(std::uint32_t units) {
    const auto document = static_cast<DocId>(table_.units.size());
    table_.units.push_back(units);
    table_.content.push_back(mix64(document + 1000));
    return document;
  }
  Result<Method> try_make(std::string_view name, const std::vector<std::string>& params = {}) {
    return make_method(name, params, resources_, {rule_, table_, run_});
  }
  Method make(std::string_view name, const std::vector<std::string>& params = {}) {
    auto method = try_make(name, params);
    EXPECT_TRUE(method.has_value()) << method.error().message;
    return method ? std::move(*method) : Method{};
  }
  static PairScores find(const Method& method) {
    RecordingSink sink;
    EXPECT_TRUE(method.finder->find(sink).has_value());
    EXPECT_TRUE(sink.flushed());
    return sink.pairs();
  }
  static double figure(const Method& method, std::string_view name) {
    for (const auto& [key, value] : method.finder->figures())
      if (key == name) return value;
    ADD_FAILURE() << "no figure " << name;
    return -1;
  }

  Rule rule_;
  DocumentTable table_;
  const Context context_;
  RunContext run_{context_};
  SchemeResources resources_;
};

TEST_F(Methods, UnknownNamesFailWithTheKnownOnes) {
  const auto method = try_make("simmhash");
  ASSERT_FALSE(method.has_value());
  EXPECT_THAT(method.error().message, HasSubstr("\"simmhash\""));
  for (const MethodInfo& info : methods())
    EXPECT_THAT(method.error().message, HasSubstr(std::string(info.name)));
}

TEST_F(Methods, ExactOffersNothing) {
  const Method method = make("copies");
  ASSERT_NE(method.scheme, nullptr);
  const std::vector<Unit> units = {1, 2, 3};
  PodVector<std::uint64_t> words;
  method.scheme->sketch({"abc", units}, *method.scheme->new_scratch(), words);
  EXPECT_EQ(words.size(), 2u) << "a digest, for leitong sign";
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(method.finder->add(new_document(3), words).has_value());
  EXPECT_TRUE(find(method).empty());
}

// ---- minhash

class MinhashMethod : public Methods {
 protected:
  MinhashMethod() : method_(make("minhash")), scratch_(method_.scheme->new_scratch()) {}

  Result<void> add(const std::vector<Unit>& units) {
    PodVector<std::uint64_t> words;
    method_.scheme->sketch({"", units}, *scratch_, words);
    return method_.finder->add(new_document(static_cast<std::uint32_t>(units.size())), words);
  }
  std::vector<Unit> random_text(std::size_t units) {
    std::vector<Unit> text(units);
    for (Unit& unit : text) unit = 0x4e00 + random_() % 5000;
    return text;
  }

  std::mt19937 random_{1};
  Method method_;
  std::unique_ptr<Sketcher::Scratch> scratch_;
};

TEST_F(MinhashMethod, FindsEditedTextsOfAnyLengthWithTheirEstimate) {
  PairScores expected;
  for (const std::size_t length : {6, 40, 300, 700, 5000}) {
    auto text = random_text(length);
    ASSERT_TRUE(add(text).has_value());
    text[length / 2] ^= 1;
    ASSERT_TRUE(add(text).has_value());
    const double shingles = static_cast<double>(length) - 4, shared = std::max(0.0, shingles - 5);
    expected[{table_.units.size() - 2, table_.units.size() - 1}] =
        static_cast<float>(shared / (2 * shingles - shared));
  }
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(add(random_text(200)).has_value());
  expected.erase({0, 1});  // six units, one changed: no shingle is left
  const PairScores found = find(method_);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [pair, jaccard] : expected) {
    ASSERT_TRUE(found.contains(pair)) << pair.first;
    EXPECT_NEAR(found.at(pair), jaccard, .2) << pair.first;  // 4.5 standard errors
  }
  EXPECT_EQ(figure(method_, "documents_in_large_groups"), 0);
}

TEST_F(MinhashMethod, UnverifiedItOffersOnlyWhatTheRuleWouldAccept) {
  std::vector<std::vector<Unit>> texts;
  for (const std::size_t kept : {950, 750, 450, 420, 400}) {  // J about 0.90, 0.60, 0.29, 0.26, 0.25
    texts.push_back(random_text(1000));
    auto edited = random_text(1000);
    std::copy_n(texts.back().begin(), kept, edited.begin());
    texts.push_back(std::move(edited));
  }
  rule_.measure = Measure::jaccard;
  rule_.threshold = .4;
  for (const bool verify : {true, false}) {
    table_ = {};
    auto method = make_method("minhash", {}, resources_, {rule_, table_, run_, verify});
    ASSERT_TRUE(method.has_value());
    method_ = std::move(*method);
    for (const auto& text : texts) ASSERT_TRUE(add(text).has_value());
    EXPECT_EQ(find(method_).size(), verify ? 5u : 2u);
  }
}

TEST_F(MinhashMethod, EmptyTextsAreCandidatesOfNoPair) {
  ASSERT_TRUE(add({}).has_value());
  ASSERT_TRUE(add({}).has_value());
  EXPECT_TRUE(find(method_).empty());
}

TEST_F(MinhashMethod, ManyCopiesStayLinearAndAreCounted) {
  const auto text = random_text(300);
  constexpr std::size_t kCopies = 2000;
  for (std::size_t i = 0; i < kCopies; ++i) ASSERT_TRUE(add(text).has_value());
  const PairScores found = find(method_);
  EXPECT_EQ(found.size(), 2 * kCopies - 3);
  EXPECT_EQ(figure(method_, "documents_in_large_groups"), kCopies);
}

TEST_F(Methods, ASetMemoryThatIsTooSmallIsNamed) {
  RunContext small(context_, 1);
  const auto made = make_method("minhash", {}, resources_, {rule_, table_, small});
  ASSERT_TRUE(made.has_value());
  const auto& method = *made;
  const std::vector<Unit> units = {1, 2, 3, 4, 5, 6};
  PodVector<std::uint64_t> words;
  method.scheme->sketch({"", units}, *method.scheme->new_scratch(), words);
  Result<void> added;
  for (int i = 0; added && i < 100'000; ++i) added = method.finder->add(new_document(6), words);
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().code, ErrorCode::limit);
  EXPECT_THAT(added.error().message, HasSubstr("the memory budget is too small: the method minhash keeps"));
}

TEST_F(Methods, ThoseThatFindEveryPairSaySoBeforeManyTexts) {
  std::vector<std::string> said;
  const Context logging({.log = [&](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) said.emplace_back(message);
  }});
  RunContext run(logging);
  for (const std::size_t documents : {1'000, 50'000}) {
    while (table_.units.size() < documents) new_document(100);
    for (const char* name : {"all-pairs", "shingle", "edit", "default", "minhash"}) {
      said.clear();
      find(make_method(name, {}, resources_, {rule_, table_, run}).value());
      const bool slow =
          documents == 50'000 && name != std::string("default") && name != std::string("minhash");
      EXPECT_EQ(said.size(), slow ? 1u : 0u) << name;
      if (slow) {
        EXPECT_THAT(said.at(0), ::testing::AllOf(HasSubstr(name), HasSubstr("50000 texts")));
      }
    }
  }
}

// ---- simhash

/// Uses a dictionary of its own, so that the test does not need a downloaded one.
class SimhashMethod : public Methods {
 protected:
  SimhashMethod() {
    write_small_dictionary(folder_);
    setenv("LEITONG_DATA", folder_.c_str(), 1);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~SimhashMethod() override {
    unsetenv("LEITONG_DATA");
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder_);
  }
  void SetUp() override {
    method_ = make("simhash");
    ASSERT_NE(method_.scheme, nullptr);
  }
  [[nodiscard]] std::vector<std::uint64_t> sketch(std::string_view text) const {
    PodVector<std::uint64_t> words;
    method_.scheme->sketch({text, {}}, *method_.scheme->new_scratch(), words);
    return {words.begin(), words.end()};
  }
  void add(std::uint64_t fingerprint) {
    ASSERT_TRUE(method_.finder->add(new_document(100), std::array{fingerprint}).has_value());
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("leitong_simhash_" + std::to_string(getpid()));
  Method method_;
};

TEST_F(SimhashMethod, OrderOfWordsDoesNotCountAndTextsWithoutTermsHaveNoFingerprint) {
  EXPECT_EQ(sketch("打雷回声。雷同").size(), 1u);
  EXPECT_EQ(sketch("打雷回声。雷同"), sketch("雷同，打雷回声"));
  EXPECT_NE(sketch("打雷回声。雷同"), sketch("打雷"));
  EXPECT_TRUE(sketch("同一").empty());
  EXPECT_TRUE(sketch("。！").empty());
  EXPECT_TRUE(sketch("").empty());
}

TEST_F(SimhashMethod, OffersAllPairsWithinThreeBits) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> fingerprints;
  for (int i = 0; i < 600; ++i) {
    std::uint64_t fingerprint = random();
    if (i % 2 == 1) {
      fingerprint = fingerprints[random() % fingerprints.size()];
      for (auto flips = random() % 5; flips > 0; --flips) fingerprint ^= 1ULL << random() % 64;
    }
    fingerprints.push_back(fingerprint);
    add(fingerprint);
  }
  PairScores expected;
  for (DocId a = 0; a < fingerprints.size(); ++a)
    for (DocId b = a + 1; b < fingerprints.size(); ++b)
      if (const int bits = std::popcount(fingerprints[a] ^ fingerprints[b]); bits <= 3)
        expected[{a, b}] = static_cast<float>(1 - bits / 64.0);
  EXPECT_EQ(find(method_), expected);
  EXPECT_EQ(figure(method_, "large_groups"), 0);
}

TEST_F(SimhashMethod, LargeGroupsAreRepresentedByTheirTwoLeaders) {
  constexpr DocId kCopies = 500;
  for (DocId i = 0; i < kCopies; ++i) add(0);
  add(0b111);
  std::vector<DocId> order(kCopies);
  for (DocId i = 0; i < kCopies; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](DocId document) { return table_.content[document]; });
  PairScores expected;
  for (DocId i = 0; i < kCopies; ++i)
    for (const DocId leader : {order[0], order[1]})
      if (i != leader) expected[std::minmax(i, leader)] = 1;
  for (const DocId leader : {order[0], order[1]}) expected[{leader, kCopies}] = 1 - 3 / 64.0f;
  EXPECT_EQ(find(method_), expected);
  EXPECT_EQ(figure(method_, "large_groups"), 1);
  EXPECT_EQ(figure(method_, "documents_in_large_groups"), kCopies);
}

/// A text of 20 words in which `other` replaces word 5.
std::string text_with(int other) {
  std::string text;
  for (int i = 3; i < 23; ++i) text += small_word(i == 5 ? other : i);
  return text;
}

TEST_F(SimhashMethod, AThesaurusMakesSynonymsSimilarAndAntonymsAsWell) {
  // 5 and 25 mean the same, 5 and 35 the opposite; the vectors place all three near each other.
  const auto vectors = folder_ / "vectors.txt";
  std::ofstream(vectors) << "3 2\n"
                         << small_word(5) << " 1 2\n"
                         << small_word(25) << " 1 2.0001\n"
                         << small_word(35) << " 1.0001 2\n";
  const auto thesaurus = folder_ / "thesaurus.txt";
  std::ofstream(thesaurus) << small_word(5) << "\tmore\n"
                           << small_word(25) << "\tmore\n"
                           << small_word(35) << "\tless\n";
  const auto distances = [&](std::vector<std::string> params) {
    params.emplace_back("weights=constant");
    std::vector<std::uint64_t> signatures;
    method_ = make("simhash", params);
    for (const int other : {5, 25, 35}) signatures.push_back(sketch(text_with(other)).at(0));
    return std::pair(std::popcount(signatures[0] ^ signatures[1]),
                     std::popcount(signatures[0] ^ signatures[2]));
  };
  const auto [plain_synonym, plain_antonym] = distances({});
  const auto [synonym, antonym] = distances({"thesaurus=" + thesaurus.string(), "meaning=8"});
  EXPECT_LT(synonym, plain_synonym);
  EXPECT_GT(antonym, synonym) << "a thesaurus of synonyms alone tells them apart";
  const auto [near, contrary] = distances({"thesaurus=" + vectors.string(), "meaning=8"});
  EXPECT_LT(near, plain_synonym);
  EXPECT_LE(contrary, near + 2) << "the known failure of word vectors: what they say has to be verified";
  EXPECT_GT(plain_antonym, contrary);

  for (const std::string bad : {"bits=128", "features=chars", "hash=murmur"}) {
    const std::vector<std::string> params = {"thesaurus=" + thesaurus.string(), bad};
    EXPECT_FALSE(try_make("simhash", params).has_value()) << bad;
  }
}

TEST_F(SimhashMethod, AThesaurusNeverDecidesAlone) {
  const auto thesaurus = folder_ / "synonyms.txt";
  std::ofstream(thesaurus) << small_word(5) << "\tmore\n";
  const std::vector<std::string> params = {"thesaurus=" + thesaurus.string()};
  EXPECT_TRUE(make_method("simhash", params, resources_, {rule_, table_, run_, true}));
  const auto refused = make_method("simhash", params, resources_, {rule_, table_, run_, false});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the parameter thesaurus"));
}

TEST_F(Methods, SimhashSaysWhatItsDictionaryNeeds) {
  setenv("LEITONG_DATA", "/nonexistent", 1);
  const auto method = try_make("simhash");
  unsetenv("LEITONG_DATA");
  ASSERT_FALSE(method.has_value());
  EXPECT_THAT(method.error().message, HasSubstr("./dev setup"));
}

// ---- through the whole pipeline

std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_by(std::string_view method,
                                                           const std::vector<std::string>& texts) {
  DedupSettings settings;
  settings.method = method;
  settings.threshold = .5;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const SimilarTexts& pair : testing::deduplicated(texts, settings).pairs)
    pairs.insert({pair.a, pair.b});
  return pairs;
}

TEST(MethodsInThePipeline, MinhashFindsThePairsOfTheExactJoin) {
  const auto texts = testing::random_corpus(7, 400);
  const auto pairs = pairs_by("all-pairs", texts);
  ASSERT_GT(pairs.size(), 40u);
  EXPECT_EQ(pairs_by("minhash", texts), pairs);
}

TEST(MethodsInThePipeline, ExactFindsCopiesOnly) {
  const std::vector<std::string> texts = {"雷同，同一雷声", "雷同同一雷声！", "雷同同一雷声之回声"};
  EXPECT_EQ(pairs_by("copies", texts), (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}}));
}

}  // namespace
}  // namespace leitong
