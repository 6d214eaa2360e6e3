#include "leitong/sign.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "leitong/scheme.hpp"
#include "made_up_texts.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

using testing::edited;
using testing::Random;
using testing::random_text;
using testing::views;

const SignSettings kWithoutDictionary = {.method = "simhash",
                                         .params = {"features=chars", "n=3", "weights=constant", "top=0"}};

TEST(Signer, GivesNearTextsNearSignaturesAndAnEmptyOneNone) {
  Random random(1);
  const std::string article = random_text(random, 400);
  const std::vector<std::string> texts = {article, edited(article, random, 100), random_text(random, 400),
                                          ""};
  const Context context({.threads = 1});
  const auto signer = Signer::open(context, kWithoutDictionary);
  ASSERT_TRUE(signer) << signer.error().message;
  EXPECT_EQ(signer->fingerprint_bits(), 64u);
  const auto signatures = signer->sign(context, views(texts));
  ASSERT_TRUE(signatures) << signatures.error().message;
  ASSERT_EQ(signatures->size(), 4u);
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::popcount((*signatures)[a][0] ^ (*signatures)[b][0]);
  };
  EXPECT_LT(distance(0, 1), 10);
  EXPECT_GT(distance(0, 2), 15);
  EXPECT_TRUE((*signatures)[3].empty());
}

TEST(Signer, GivesTheSameBitsOnAnyNumberOfThreads) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  Random random(2);
  std::vector<std::string> texts;
  for (int i = 0; i < 3'000; ++i) texts.push_back(i % 7 == 0 ? "" : random_text(random, 50));
  for (const std::string method : {"minhash", "copies"}) {
    const Context one({.threads = 1}), four({.threads = 4});
    const auto signer = Signer::open(one, {.method = method});
    ASSERT_TRUE(signer) << signer.error().message;
    EXPECT_EQ(signer->fingerprint_bits(), 0u);
    const auto alone = signer->sign(one, views(texts)), together = signer->sign(four, views(texts));
    ASSERT_TRUE(alone && together) << method;
    EXPECT_EQ(alone->values, together->values) << method;
    EXPECT_EQ(alone->offsets, together->offsets) << method;
  }
}

TEST(Signer, SaysWhoSigned) {
  const Context context({.threads = 1});
  const auto signer = Signer::open(context, kWithoutDictionary);
  ASSERT_TRUE(signer) << signer.error().message;
  EXPECT_EQ(signer->id().name, "simhash");
  EXPECT_NE(signer->id().parameters.find("n=3"), std::string::npos) << signer->id().parameters;
  EXPECT_NE(signer->id().tables, 0u);
  SignSettings other = kWithoutDictionary;
  other.params[1] = "n=4";
  const auto others = Signer::open(context, other);
  EXPECT_EQ(explain_difference(signer->id(), others->id()), "parameter n: 3 and 4");
}

TEST(Signer, OutlivesTheContextThatOpenedIt) {
  std::optional<Signer> signer;
  {
    const Context context({.threads = 1});
    signer.emplace(Signer::open(context, kWithoutDictionary).value());
  }
  const std::vector<std::string_view> texts = {"渡船清晨六点开第一班"};
  EXPECT_EQ(signer->sign(Context({.threads = 1}), texts)->values.size(), 1u);
}

TEST(Signer, SignsByTheWordsOfAUsersDictionary) {
  const auto words = test::temp_path("words.txt");
  std::ofstream(words) << "渡船清晨 1000000 n\n";
  const Context context({.threads = 1});
  const auto plain = Signer::open(context);
  if (!plain && plain.error().code == ErrorCode::not_found) GTEST_SKIP() << plain.error().message;
  const auto own = Signer::open(context, {.dictionaries = {.user = {words}}});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_NE(plain->id().model, own->id().model);
  const auto refused = Signer::open(context, {.method = "minhash", .dictionaries = {.user = {words}}});
  std::filesystem::remove(words);
  ASSERT_FALSE(refused) << "minhash does not look at words";
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

TEST(Signer, NamesTheTextThatIsNotUtf8) {
  const Context context({.threads = 1});
  const std::vector<std::string_view> texts = {"text", "\xFF"};
  const auto broken = Signer::open(context, kWithoutDictionary)->sign(context, texts);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::corrupt);
  EXPECT_EQ(broken.error().message, "text 1 is not valid UTF-8");
}

/// Files are signed as texts are.
TEST(SignFiles, GivesEachDocumentTheSignatureOfItsText) {
  const auto path = test::temp_path("in.jsonl");
  std::ofstream(path) << R"({"id":"a","text":"渡船清晨六点开第一班"})"
                      << "\nno record\n"
                      << R"({"text":"面团要发两次"})"
                      << "\n";
  const Context context({.threads = 1});
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> seen;
  const auto summary =
      sign_files(context, {.paths = {path.string()}}, kWithoutDictionary,
                 [&](std::string_view id, std::span<const std::uint64_t> words) -> Result<void> {
                   seen.emplace_back(id, std::vector(words.begin(), words.end()));
                   return {};
                 });
  std::filesystem::remove(path);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->documents, 2u);
  EXPECT_EQ(summary->quarantined, 1u);
  EXPECT_EQ(summary->bits, 64u);
  const auto signer = Signer::open(context, kWithoutDictionary);
  EXPECT_EQ(summary->scheme, signer->id());
  const std::vector<std::string_view> texts = {"渡船清晨六点开第一班", "面团要发两次"};
  const auto signatures = signer->sign(context, texts);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], std::pair(std::string("a"), std::vector{(*signatures)[0][0]}));
  EXPECT_EQ(seen[1], std::pair(path.string() + ":3", std::vector{(*signatures)[1][0]}));
}

TEST(Signer, UsesTheRequestedFolding) {
  const Context context({.threads = 1});
  const std::vector<std::string_view> texts = {"l'été 2025 à la mer", "l'ete 2026 a la mer",
                                               "l'ete 2025 a la mer"};
  std::set<std::string> ids;
  for (const Marks marks : {Marks::fold, Marks::keep})
    for (const NumberUnits numbers : {NumberUnits::same, NumberUnits::masked}) {
      const auto signer = Signer::open(context, {.method = "minhash", .folding = {marks, numbers}});
      ASSERT_TRUE(signer) << signer.error().message;
      ids.insert(scheme_text(signer->id()));
      const Signatures made = signer->sign(context, texts).value();
      EXPECT_EQ(std::ranges::equal(made[0], made[2]), marks == Marks::fold);
      EXPECT_EQ(std::ranges::equal(made[1], made[2]), numbers == NumberUnits::masked);
    }
  EXPECT_EQ(ids.size(), 4u);
}

TEST(Signer, RefusesWhatMakesNoSignatures) {
  const Context context({.threads = 1});
  const auto code_of = [&](const SignSettings& settings) {
    const auto refused = Signer::open(context, settings);
    return refused ? ErrorCode::io : refused.error().code;
  };
  EXPECT_EQ(code_of({.method = "default"}), ErrorCode::unsupported);
  EXPECT_EQ(code_of({.method = "simsalabim"}), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of({.method = "minhash", .params = {"k=many"}}), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace leitong
