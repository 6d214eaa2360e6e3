#include "leitong/methods.hpp"

#include <gtest/gtest.h>

#include "leitong/dedup.hpp"
#include "leitong/sign.hpp"

namespace leitong {
namespace {

/// True if the method needs a dictionary or a trained model that is missing here.
bool lacks_a_file(const Error& error, const MethodDescription& method) {
  if (error.code == ErrorCode::not_found) return true;
  for (const MethodParam& param : method.params)
    if (param.is_file && error.message.find(std::string(param.name) + "=") != std::string::npos) return true;
  return false;
}

TEST(Methods, EveryNameCanBeUsedWithTheDefaultsThatAreListed) {
  std::size_t used = 0;
  const Context context({.threads = 1});
  const std::vector<std::string_view> texts = {"渡船清晨六点开第一班", "渡船清晨六点开第一班"};
  const std::vector<MethodDescription> all = list_methods();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().name, "default");
  for (const MethodDescription& method : all) {
    DedupSettings settings{.method = std::string(method.name)};
    for (const MethodParam& param : method.params)
      if (!param.value.empty())
        settings.params.push_back(std::string(param.name) + "=" + std::string(param.value));
    const auto decisions = deduplicate(context, texts, settings);
    if (!decisions && lacks_a_file(decisions.error(), method)) continue;
    ASSERT_TRUE(decisions) << method.name << ": " << decisions.error().message;
    EXPECT_EQ(decisions->removed(), 1u) << method.name;
    ++used;
  }
  EXPECT_GE(used, 5u) << "those that need neither dictionary nor model";
}

TEST(Methods, SayWhichOfThemSign) {
  const Context context({.threads = 1});
  for (const MethodDescription& method : list_methods()) {
    const auto signer = Signer::open(context, {.method = std::string(method.name)});
    if (!signer && lacks_a_file(signer.error(), method)) continue;
    EXPECT_EQ(signer.has_value(), !method.signature.empty()) << method.name;
  }
}

TEST(Methods, NumbersHaveBoundsAndWordsHaveChoices) {
  for (const MethodDescription& method : list_methods())
    for (const MethodParam& param : method.params) {
      EXPECT_FALSE(param.meaning.empty()) << method.name << " " << param.name;
      EXPECT_FALSE(param.least < param.greatest && !param.words.empty()) << method.name << " " << param.name;
    }
}

}  // namespace
}  // namespace leitong
