#include "leitong/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "leitong/utf8.hpp"

namespace leitong {
namespace {

TEST(JsonString, IsTheLibrarysForAnyBytes) {
  std::mt19937 random(1);
  constexpr std::string_view kParts[] = {"雷",   "\"", "\\",       "\n",   "\b", "\x01", "\x1f",
                                         "\x7f", "a",  "\xE9\x9B", "\xFF", "é",  "😀"};
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (auto parts = random() % 12; parts > 0; --parts) text += kParts[random() % std::size(kParts)];
    const std::string json = json_string(text);
    EXPECT_EQ(json, nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!is_utf8(text)) continue;
    std::string written(most_json_bytes(text.size()), ' ');
    written.resize(static_cast<std::size_t>(write_json_string(written.data(), text) - written.data()));
    EXPECT_EQ(written, json);
  }
}

}  // namespace
}  // namespace leitong
