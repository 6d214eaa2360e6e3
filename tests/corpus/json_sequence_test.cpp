// JSON objects in arrays and over several lines are read like records of one line each.
#include "corpus/json_sequence.hpp"

#include <gmock/gmock.h>

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(JsonSequence, IsRecognisedByTheBeginningOfTheFile) {
  for (const char* yes :
       {"[{\"a\":1}]", " [\n {", "[]", "{\n  \"a\": 1\n}", "{\"a\":1,\n \"b\":2}", "\n{ \"a\": [\n1]}"})
    EXPECT_TRUE(is_json_sequence(yes)) << yes;
  for (const char* no : {"", "{\"a\":1}\n{\"a\":2}", "{broken\n{\"a\":1}", "{\n{\"a\":1}",
                         "{\"a\":1,\n{\"a\":2}", "[1]", "text", "{\"a\":\"x{\n\"}", "{"})
    EXPECT_FALSE(is_json_sequence(no)) << no;
}

class JsonSequences : public CorpusTest {};

TEST_F(JsonSequences, AnArrayIsItsObjects) {
  open({put("a.json",
            "[{\"text\":\"one\"},{\"text\":\"t]w,o\", \"x\":[{}, [1]]} ,\r\n\r\n  {\"text\":\"three\"}]\n")});
  EXPECT_THAT(texts(), ElementsAre("one", "t]w,o", "three"));
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(place_name(1), "a.json:1");
  EXPECT_EQ(place_name(2), "a.json:3");
  EXPECT_EQ(kept(), "{\"text\":\"one\"}\n{\"text\":\"t]w,o\", \"x\":[{}, [1]]}\n{\"text\":\"three\"}\n");
  EXPECT_EQ(kept([](DocId d) { return d == 1; }), "{\"text\":\"t]w,o\", \"x\":[{}, [1]]}\n");
  expect_random_access_equals_streaming();
}

TEST_F(JsonSequences, AnObjectOverSeveralLinesIsWrittenOnOne) {
  open({put("a.jsonl",
            "\xef\xbb\xbf{\n  \"id\": 1.50,\n  \"text\": \"a \\\" { b\"\n}\n{\n  \"text\": \"c\"\n}\n")});
  EXPECT_EQ(streamed_.documents, (std::vector<Streamed::Document>{{"1.50", "a \" { b"}, {"", "c"}}));
  EXPECT_EQ(place_name(1), "a.jsonl:5");
  EXPECT_EQ(kept(), "\xef\xbb\xbf{\"id\":1.50,\"text\":\"a \\\" { b\"}\n{\"text\":\"c\"}\n");
  expect_random_access_equals_streaming();
}

TEST_F(JsonSequences, OneBrokenObjectCostsOneRecord) {
  for (const std::string broken :
       {"{\n  \"text\": \"not closed\n}", "{\n  \"text\": \"b\",\n  \"x\": [1, 2\n}", "{\n  \"text\": \"b\",",
        "{\n  \"text\": \"b\"", "{\n  \"text\": \"b\" \"x\": 1\n}", "{\n  \"text\": \"b\" ]\n}"}) {
    open({put("a.json", "{\n  \"text\": \"one\"\n}\n" + broken + "\n{\n  \"text\": \"two\"\n}\n")});
    EXPECT_THAT(texts(), ElementsAre("one", "two")) << broken;
    EXPECT_THAT(quarantine(),
                ElementsAre(testing::ContainsRegex("a\\.json:[4-7]:[0-9]+\",\"reason\":\"broken JSON")))
        << broken << " begins in line 4";
    open({put("b.json", "[\n{\"text\": \"one\"},\n" + broken + ",\n{\"text\": \"two\"}\n]\n")});
    EXPECT_THAT(texts(), ElementsAre("one", "two")) << broken;
    EXPECT_THAT(quarantine(), ElementsAre(testing::ContainsRegex("b\\.json:[3-6]:[0-9]+\"")))
        << broken << " begins in line 3";
  }
}

TEST_F(JsonSequences, ElementsThatAreNoObjectsAreRefusedOneByOne) {
  open({put("a.json", "[{\"text\":\"one\"}, 3, \"x\", [1,\n{}], null, {\"text\":\"two\"}]")});
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_THAT(quarantine(), testing::SizeIs(4));
}

TEST_F(JsonSequences, StreamsWhatIsLargerThanABatch) {
  std::string bytes = "[";
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    expected.push_back(std::string(i % 13 == 7 ? 9'000'000 : 100'000, static_cast<char>('a' + i % 26)));
    bytes += (i > 0 ? ",\n" : "\n") + ("{\"n\":{\"x\":[" + std::to_string(i) + "]},\n\"text\":\"") +
             expected.back() + "\"}";
  }
  open({put("a.json", bytes + "\n]")});
  EXPECT_TRUE(texts() == expected);
  EXPECT_EQ(corpus_->quarantined(), 0u);
  EXPECT_EQ(place_name(39), "a.json:80");
  expect_random_access_equals_streaming();
}

TEST_F(JsonSequences, NestedObjectsAtTheLeftMarginAreNoRecords) {
  open({put("a.json",
            "{\n\"text\": \"one\",\n\"x\": [\n{\n\"y\": 1\n},\n{\n\"y\": {\n}\n}\n]\n}\n{\n\"text\": "
            "\"two\"\n}\n")});
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_THAT(quarantine(), IsEmpty());
}

}  // namespace
}  // namespace leitong
