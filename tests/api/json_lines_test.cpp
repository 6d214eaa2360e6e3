#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "leitong/read.hpp"

namespace leitong {
namespace {

std::vector<std::string> listed(const Strings& strings) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < strings.size(); ++i) list.emplace_back(strings[i]);
  return list;
}

TEST(JsonLines, HaveTheirTextsAndIdsOrPlaces) {
  const std::string lines =
      "\xEF\xBB\xBF{\"id\": 5, \"text\": \"\\u6e21\\u8239 a\\nb\"}\n\n"
      "{\"text\": \"\", \"more\": [1]}\r\n  \n{\"text\": \"b\", \"id\": \"x\"}";
  const JsonLines made = read_json_lines(lines, "text", "id", "in.jsonl").value();
  EXPECT_EQ(listed(made.texts), (std::vector<std::string>{"渡船 a\nb", "", "b"}));
  EXPECT_EQ(listed(made.ids), (std::vector<std::string>{"5", "in.jsonl:3", "x"}));
  EXPECT_EQ(made.lines, 5u);
  EXPECT_EQ(listed(read_json_lines("{\"text\": \"c\"}\n", "text", "id", "in.jsonl", 7).value().ids),
            std::vector<std::string>{"in.jsonl:7"});
  EXPECT_EQ(read_json_lines("", "text", "id", "in.jsonl").value().lines, 0u);
}

TEST(JsonLines, OfAnyLengthAreReadToTheEnd) {
  for (const std::size_t length : {1U, 40U, 63U, 64U, 65U, 200U, 100'000U})
    for (const char* end : {"", "\n"}) {
      const std::string text(length, 'a'), line = "{\"text\": \"" + text + "\"}";
      // Of a size of its own, so that reading beyond it would be noticed.
      const std::vector<char> bytes = [&] {
        const std::string all = line + "\n" + line + end;
        return std::vector<char>(all.begin(), all.end());
      }();
      const JsonLines made = read_json_lines({bytes.data(), bytes.size()}, "text", "id", "in").value();
      EXPECT_EQ(listed(made.texts), (std::vector<std::string>{text, text}));
    }
}

TEST(JsonLines, WithoutATextAreRefusedByTheirPlace) {
  for (const char* bad :
       {"{\"text\": 5}", "{\"other\": \"a\"}", "[1]", "{\"text\": \"a\"", "{\"text\": null}"}) {
    const Error error =
        read_json_lines("{\"text\": \"a\"}\n" + std::string(bad) + "\n", "text", "id", "in.jsonl").error();
    EXPECT_EQ(error.code, ErrorCode::corrupt);
    EXPECT_TRUE(error.message.starts_with("in.jsonl:2: ")) << error.message;
    EXPECT_TRUE(error.message.ends_with("; leave such records out")) << error.message;
  }
}

}  // namespace
}  // namespace leitong
