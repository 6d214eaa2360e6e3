#include "base/json_string.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace leitong {
namespace {

TEST(JsonString, IsTheLibrarysForAnyBytes) {
  std::mt19937 random(1);
  constexpr std::string_view kParts[] = {"雷",   "\"", "\\",       "\n",   "\b", "\x01", "\x1f",
                                         "\x7f", "a",  "\xE9\x9B", "\xFF", "é",  "😀"};
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (auto parts = random() % 12; parts > 0; --parts) text += kParts[random() % std::size(kParts)];
    EXPECT_EQ(json_string(text),
              nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

}  // namespace
}  // namespace leitong
