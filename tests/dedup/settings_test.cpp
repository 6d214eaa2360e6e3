// The table of settings: each setting is read, shown and checked by its row.
#include "leitong/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

template <class Owner>
Result<void> set(Owner& owner, std::string_view name, std::vector<std::string> given) {
  return leitong::set(owner, name, std::span<const std::string>(given));
}

template <class Owner>
Error failure(Owner owner, std::string_view name, std::vector<std::string> given) {
  const auto done = set(owner, name, std::move(given));
  EXPECT_FALSE(done) << name;
  return done ? Error{} : done.error();
}

template <class Owner>
Error conflict(const Owner& owner) {
  const auto done = check_settings(owner);
  EXPECT_FALSE(done);
  return done ? Error{} : done.error();
}

TEST(Settings, AreSetByTheirNames) {
  DedupJob job;
  ASSERT_TRUE(set(job, "preset", {"reuse"}));
  ASSERT_TRUE(set(job, "text_fields", {"title", "body"}));
  ASSERT_TRUE(set(job, "max_record_bytes", {"1.5 GiB"}));
  ASSERT_TRUE(set(job, "cosine", {"0.9"}));
  ASSERT_TRUE(set(job, "keep", {"max:score"}));
  ASSERT_TRUE(set(job, "verify", {"false"}));
  ASSERT_TRUE(set(job, "params", {"k=3"}));
  ASSERT_TRUE(set(job, "synonyms", {"words.txt"}));
  ASSERT_TRUE(set(job, "user_dict", {"a", "b"}));
  EXPECT_EQ(job.settings.preset, Preset::reuse);
  EXPECT_THAT(job.input.text_fields, ElementsAre("title", "body"));
  EXPECT_EQ(job.input.max_record_bytes, std::uint64_t{3} << 29);
  EXPECT_EQ(job.settings.cosine, 0.9);
  EXPECT_EQ(job.settings.keep.field, "score");
  EXPECT_FALSE(job.settings.verify);
  EXPECT_THAT(job.settings.params, ElementsAre("k=3", "synonyms=words.txt"));
  EXPECT_EQ(job.settings.dictionaries.user.size(), 2u);
}

TEST(Settings, InvalidValuesAreRefusedWithTheNameOfTheSetting) {
  const DedupJob job;
  const ContextSettings context;
  EXPECT_THAT(failure(job, "preset", {"lax"}).message,
              HasSubstr("\"lax\" is none of default, strict, reuse"));
  EXPECT_EQ(failure(job, "preset", {"lax"}).setting, "preset");
  EXPECT_THAT(failure(job, "threshold", {"2"}).message, HasSubstr("2 is not between 0 and 1"));
  EXPECT_THAT(failure(job, "threshold", {"nan"}).message, HasSubstr("not between"));
  EXPECT_THAT(failure(job, "cosine", {"much"}).message, HasSubstr("is no number"));
  EXPECT_THAT(failure(context, "threads", {"1.5"}).message, HasSubstr("no whole number"));
  EXPECT_THAT(failure(context, "memory", {"0"}).message, HasSubstr("a size of 0 allows nothing"));
  EXPECT_THAT(failure(context, "memory", {"4 elephants"}).message, HasSubstr("is no size"));
  EXPECT_THAT(failure(job, "id_field", {""}).message, HasSubstr("is empty"));
  EXPECT_THAT(failure(job, "verify", {"maybe"}).message, HasSubstr("neither true nor false"));
  EXPECT_THAT(failure(job, "id_field", {"a", "b"}).message, HasSubstr("2 values in place of one"));
  EXPECT_THAT(failure(job, "tresholt", {"0.5"}).message, HasSubstr("there is no setting \"tresholt\""));
}

TEST(Settings, ThatContradictOrLackEachOtherAreRefusedWithBothNames) {
  DedupSettings settings;
  EXPECT_TRUE(check_settings(settings));
  settings.measure = "edit";
  EXPECT_EQ(conflict(settings).setting, "measure");
  EXPECT_EQ(conflict(settings).other, "threshold");
  settings.threshold = 0.8;
  EXPECT_TRUE(check_settings(settings));
  settings.strict_match = true;
  EXPECT_EQ(conflict(settings).setting, "strict_match");
  DedupJob job;
  job.vectors = "vectors.npy";
  EXPECT_EQ(conflict(job).other, "cosine");
  job.settings.cosine = 0.9;
  EXPECT_TRUE(check_settings(job));
  job.settings.cosine = 1.5;
  EXPECT_THAT(conflict(job).message, HasSubstr("1.5 is not between 0 and 1"));
}

TEST(Settings, ARowIsWholeAndItsTextIsReadAgain) {
  std::set<std::string_view> names;
  for (const Setting& setting : all_settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_THAT(std::string(setting.help), Not(IsEmpty())) << setting.name;
    EXPECT_FALSE(setting.help.ends_with('.') && !setting.help.ends_with("..")) << setting.name;
    EXPECT_EQ(setting.why.empty(), setting.needs.empty() && setting.excludes.empty()) << setting.name;
  }
  for (const Setting& setting : all_settings())
    if (!setting.needs.empty()) EXPECT_TRUE(names.contains(setting.needs)) << setting.name;
  DedupJob job;
  each_setting(job, [](const Setting& setting, const SettingValue& value) {
    const std::vector<std::string> text = {text_of(setting, value)};
    if (!text.front().empty()) EXPECT_TRUE(set_value(setting, value, text)) << setting.name << text.front();
  });
  EXPECT_TRUE(check_settings(job)) << "the defaults";
}

TEST(Settings, AreFlagsOfTheCommand) {
  EXPECT_EQ(flag_of("max_record_bytes"), "--max-record");
  EXPECT_EQ(flag_of("kept"), "--output");
  EXPECT_EQ(flag_of("site_field"), "--site-field");
}

}  // namespace
}  // namespace leitong
