#include <gtest/gtest.h>

#include <string>

#include "leitong/records.hpp"

namespace leitong {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

TEST(FaultPlace, ALineEndsWithALineFeedAndAColumnIsACodePoint) {
  const std::string text = "渡船\n雾大 x\n";
  const auto place = [&](std::size_t byte) {
    const TextPlace found = place_of(text, byte);
    return std::pair(found.line, found.column);
  };
  EXPECT_EQ(place(0), std::pair(1UL, 1UL));
  EXPECT_EQ(place(text.find("船")), std::pair(1UL, 2UL));
  EXPECT_EQ(place(text.find('\n')), std::pair(1UL, 3UL));
  EXPECT_EQ(place(text.find('x')), std::pair(2UL, 4UL));
  EXPECT_EQ(place(text.size()), std::pair(3UL, 1UL));
}

TEST(FaultPlace, JsonThatIsRightHasNoFault) {
  for (const char* text : {"{}", "[]", " {\"a\": [1, -2.5e3, true, null, NaN], \"b\": {\"c\": \"\\\"}\"}} ",
                           "\"x\"", "7", "[[[{}]], {\"a\": []}]"})
    EXPECT_EQ(find_json_fault(text), kNowhere) << text;
}

TEST(FaultPlace, TheFirstByteThatCannotStandThereIsTheFault) {
  // The fault is where the mark is, which is left out of the text.
  for (const char* marked : {
           R"({"a": 1 ^"b": 2})",    // no comma
           R"({"a" ^1})",            // no colon
           R"({"a": 1, ^})",         // a comma too many
           R"({"a": ^, "b": 2})",    // no value
           R"({^a: 1})",             // no quotes
           R"({"a": [1, 2^})",       // the wrong bracket
           R"(^{"a": [1, 2])",       // never closed
           R"({"a": ^[1, 2)",        // the innermost
           R"({"a": ^"b})",          // a string that is never closed
           R"({"a": 1} ^{"b": 2})",  // something follows
           R"(^)",                   // nothing
           R"({"a": 1}^})",          // closed twice
           R"({"a": ^'x'})",         // other quotes
       }) {
    std::string text = marked;
    const std::size_t at = text.find('^');
    text.erase(at, 1);
    EXPECT_EQ(find_json_fault(text), at) << marked;
  }
}

TEST(FaultPlace, StructureComesBeforeControlCharacters) {
  const std::string text = "{\"a\": \"\tb\", \"c\": }";
  EXPECT_EQ(find_json_fault(text), text.rfind('}'));
  const std::string whole = "{\"a\": \"\tb\"}";
  EXPECT_EQ(find_json_fault(whole), whole.find('\t'));
}

TEST(FaultPlace, NoNestingIsTooDeep) {
  const std::string text(1'000'000, '[');
  EXPECT_EQ(find_json_fault(text), text.size() - 1) << "the innermost bracket that is not closed";
}

}  // namespace
}  // namespace leitong
