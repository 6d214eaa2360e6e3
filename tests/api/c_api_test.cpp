#include "leitong/leitong.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

class CApi : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(leitong_context_new(nullptr, &context_, nullptr), LEITONG_OK); }
  void TearDown() override { leitong_context_free(context_); }
  /// Views of lines, which must outlive them.
  static std::vector<leitong_text> texts(const std::vector<std::string>& lines) {
    std::vector<leitong_text> all;
    for (const std::string& line : lines) all.push_back({line.data(), line.size()});
    return all;
  }
  static std::vector<leitong_text> texts(std::vector<std::string>&&) = delete;
  leitong_context* context_ = nullptr;
};

const std::vector<std::string> kLines = {
    "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
    "The dough rises twice, once in the bowl and once in the tin.",
    "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。"};

TEST_F(CApi, DecidesAsTheLibraryDoes) {
  leitong_dedup* dedup = nullptr;
  leitong_decisions* decisions = nullptr;
  leitong_dedup_settings settings = LEITONG_DEDUP_SETTINGS;
  settings.keep_first = 1;
  ASSERT_EQ(leitong_dedup_open(context_, &settings, &dedup, nullptr), LEITONG_OK);
  const auto batch = texts(kLines);
  ASSERT_EQ(leitong_dedup_add(dedup, batch.data(), 1, nullptr), LEITONG_OK);
  ASSERT_EQ(leitong_dedup_add(dedup, batch.data() + 1, 2, nullptr), LEITONG_OK);
  ASSERT_EQ(leitong_dedup_finish(dedup, &decisions, nullptr), LEITONG_OK);
  ASSERT_EQ(leitong_decisions_size(decisions), 3u);
  const uint32_t* kept = leitong_decisions_kept(decisions);
  EXPECT_EQ(std::vector<uint32_t>(kept, kept + 3), (std::vector<uint32_t>{0, 1, 0}));
  double score = 0;
  EXPECT_STREQ(leitong_decisions_reason(decisions, 2, &score), "jaccard");
  EXPECT_GT(score, .5);
  EXPECT_EQ(leitong_decisions_reason(decisions, 1, &score), nullptr);
  int pairs = 0;
  const auto count = [](void* user, const leitong_pair*) { return ++*static_cast<int*>(user), 0; };
  EXPECT_EQ(leitong_decisions_pairs(decisions, count, &pairs, nullptr), LEITONG_OK);
  EXPECT_EQ(pairs, 1);
  leitong_decisions_free(decisions);
  leitong_dedup_free(dedup);
}

TEST_F(CApi, SaysWhatIsWrongAndWhere) {
  leitong_dedup* dedup = nullptr;
  leitong_error* error = nullptr;
  leitong_dedup_settings settings = LEITONG_DEDUP_SETTINGS;
  settings.measure = "cosine";
  EXPECT_EQ(leitong_dedup_open(context_, &settings, &dedup, &error), LEITONG_INVALID_ARGUMENT);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(leitong_error_status(error), LEITONG_INVALID_ARGUMENT);
  EXPECT_NE(std::string(leitong_error_message(error)).find("cosine"), std::string::npos);
  leitong_error_free(error);

  ASSERT_EQ(leitong_dedup_open(context_, nullptr, &dedup, &error), LEITONG_OK);
  EXPECT_EQ(error, nullptr);
  const leitong_text bad = {"\xff", 1};
  EXPECT_EQ(leitong_dedup_add(dedup, &bad, 1, &error), LEITONG_CORRUPT);
  EXPECT_STREQ(leitong_error_message(error), "text 0 is not valid UTF-8");
  leitong_error_free(error);
  leitong_dedup_free(dedup);
}

TEST_F(CApi, StopsWhenAsked) {
  leitong_context_stop(context_);
  const auto batch = texts(kLines);
  leitong_strings* normal = nullptr;
  EXPECT_EQ(leitong_normalise(context_, batch.data(), batch.size(), &normal, nullptr), LEITONG_CANCELLED);
}

TEST_F(CApi, TakesSettingsOfAnOlderVersion) {
  struct {
    size_t struct_size;
    unsigned threads;
  } older = {sizeof older, 1};
  leitong_context* context = nullptr;
  ASSERT_EQ(leitong_context_new(reinterpret_cast<const leitong_context_settings*>(&older), &context, nullptr),
            LEITONG_OK);
  leitong_context_free(context);
}

TEST_F(CApi, RefusesSettingsWithoutASizeOrOfALaterVersion) {
  leitong_dedup_settings settings = LEITONG_DEDUP_SETTINGS;
  leitong_dedup* dedup = nullptr;
  for (const size_t size : {size_t{0}, sizeof settings + 8}) {
    settings.struct_size = size;
    leitong_error* error = nullptr;
    EXPECT_EQ(leitong_dedup_open(context_, &settings, &dedup, &error), LEITONG_INVALID_ARGUMENT);
    ASSERT_NE(error, nullptr);
    EXPECT_NE(std::string(leitong_error_message(error)).find("struct_size"), std::string::npos);
    leitong_error_free(error);
  }
}

TEST_F(CApi, EndsTheDeliveryOfPairsWhenTheCallerHasEnough) {
  leitong_dedup* dedup = nullptr;
  leitong_decisions* decisions = nullptr;
  const std::vector<std::string> lines(3, kLines[0]);
  const auto batch = texts(lines);
  ASSERT_EQ(leitong_dedup_open(context_, nullptr, &dedup, nullptr), LEITONG_OK);
  ASSERT_EQ(leitong_dedup_add(dedup, batch.data(), batch.size(), nullptr), LEITONG_OK);
  ASSERT_EQ(leitong_dedup_finish(dedup, &decisions, nullptr), LEITONG_OK);
  int pairs = 0;
  const auto first = [](void* user, const leitong_pair*) { return ++*static_cast<int*>(user); };
  EXPECT_EQ(leitong_decisions_pairs(decisions, first, &pairs, nullptr), LEITONG_OK);
  EXPECT_EQ(pairs, 1);
  leitong_decisions_free(decisions);
  leitong_dedup_free(dedup);
}

TEST_F(CApi, GivesFlatArrays) {
  const std::vector<std::string> lines = {"ＡＢＣ", "", "鳥"};
  const auto batch = texts(lines);
  leitong_strings* normal = nullptr;
  ASSERT_EQ(leitong_normalise(context_, batch.data(), batch.size(), &normal, nullptr), LEITONG_OK);
  ASSERT_EQ(leitong_strings_size(normal), 3u);
  const int64_t* offsets = leitong_strings_offsets(normal);
  EXPECT_EQ(std::vector<int64_t>(offsets, offsets + 4), (std::vector<int64_t>{0, 3, 3, 6}));
  EXPECT_EQ(std::string(leitong_strings_bytes(normal), 6), "abc鳥");
  leitong_strings_free(normal);

  leitong_signer* signer = nullptr;
  const char* const params[] = {"features=chars", "weights=constant", "top=0"};
  ASSERT_EQ(leitong_signer_open(context_, "simhash", params, 3, &signer, nullptr), LEITONG_OK);
  EXPECT_NE(std::string(leitong_signer_id(signer)).find("simhash"), std::string::npos);
  leitong_words* signatures = nullptr;
  ASSERT_EQ(leitong_sign(context_, signer, batch.data(), batch.size(), &signatures, nullptr), LEITONG_OK);
  EXPECT_EQ(leitong_words_size(signatures), 3u);
  EXPECT_EQ(leitong_words_offsets(signatures)[1], 1);  // one word for 64 bits
  EXPECT_EQ(leitong_words_offsets(signatures)[2], 1);  // none for an empty text
  leitong_words_free(signatures);
  leitong_signer_free(signer);
}

TEST_F(CApi, NothingMayBeFreedThatIsNothing) {
  leitong_error_free(nullptr);
  leitong_dedup_free(nullptr);
  leitong_decisions_free(nullptr);
  leitong_signer_free(nullptr);
  leitong_words_free(nullptr);
}

}  // namespace
