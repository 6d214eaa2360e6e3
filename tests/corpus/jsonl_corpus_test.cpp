// JSON lines: what is read, what is refused with which message, and what is written again.
#include <gmock/gmock.h>

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JsonlCorpus : public CorpusTest {
 protected:
  /// The reason why the only record of a file is refused.
  std::string reason_for(std::string_view record) {
    open({put("a.jsonl", record)});
    EXPECT_EQ(corpus_->size(), 0u);
    const auto lines = quarantine();
    EXPECT_EQ(lines.size(), 1u);
    return lines.empty() ? "" : lines[0];
  }
};

TEST_F(JsonlCorpus, ReadsIdsAndTextsInOrder) {
  open({put(
      "a.jsonl",
      "{\"id\":\"x\",\"text\":\"one\"}\n{\"text\":\"two\\u00e9\\n\",\"id\":7}\n{\"text\":\"three\"}\n")});
  EXPECT_EQ(streamed_.documents,
            (std::vector<Streamed::Document>{{"x", "one"}, {"7", "two\xc3\xa9\n"}, {"", "three"}}));
  const auto scratch = corpus_->new_scratch();
  EXPECT_EQ(corpus_->id(1, *scratch), "7");
  EXPECT_EQ(corpus_->id(2, *scratch), (folder_ / "a.jsonl").string() + ":3");
  expect_random_access_equals_streaming();
}

TEST_F(JsonlCorpus, MarkCrlfBlankLinesAndAMissingLastLineFeedAreNoErrors) {
  open({put("a.jsonl", "\xef\xbb\xbf{\"text\":\"one\"}\r\n\r\n  \n{\"text\":\"two\"}")});
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_EQ(place_name(1), "a.jsonl:4");
  EXPECT_EQ(corpus_->records(), 2u);
  EXPECT_EQ(kept(), "\xef\xbb\xbf{\"text\":\"one\"}\r\n{\"text\":\"two\"}");
  expect_random_access_equals_streaming();
}

TEST_F(JsonlCorpus, ALineFeedIsAddedOnlyWhereSomethingFollows) {
  const auto a = put("a.jsonl", "{\"text\":\"one\"}");
  const auto b = put("b.jsonl", "{\"text\":\"two\"}\n{\"text\":\"three\"}");
  open({a, b});
  EXPECT_EQ(kept(), "{\"text\":\"one\"}\n{\"text\":\"two\"}\n{\"text\":\"three\"}");
  EXPECT_EQ(kept([](DocId d) { return d == 0; }), "{\"text\":\"one\"}");
}

TEST_F(JsonlCorpus, NestedFieldsAndSeveralTextsJoined) {
  auto input =
      options({put("a.jsonl", R"({"meta":{"id":1.50,"title":"T"},"body":"B","tags":[1,{"meta":{"id":2}}]})"
                              "\n"
                              R"({"body":"only","meta":{"id":"z","title":null}})")});
  input.id_field = "meta.id";
  input.text_fields = {"meta.title", "body"};
  input.extra_fields = {"meta.id", "nothing", "body"};
  open(input);
  EXPECT_EQ(streamed_.documents, (std::vector<Streamed::Document>{{"1.50", "T\nB"}, {"z", "only"}}));
  const auto scratch = corpus_->new_scratch();
  EXPECT_EQ(*corpus_->field(0, "meta.id", *scratch), "1.50");
  EXPECT_EQ(*corpus_->field(0, "nothing", *scratch), "");
  EXPECT_EQ(*corpus_->field(0, "body", *scratch), "B");
  EXPECT_EQ(corpus_->field(0, "date", *scratch).error().code, ErrorCode::invalid_argument);
}

TEST_F(JsonlCorpus, AMissingFieldIsNamedWithThoseFound) {
  EXPECT_EQ(
      reason_for("{\"id\":7,\"body\":\"abc\"}"),
      R"({"id":"7","place":"a.jsonl:1","reason":"field \"text\" is missing (found: id, body); try the text field body"})");
}

TEST_F(JsonlCorpus, RefusesWhatIsNoTextWithTheReason) {
  EXPECT_THAT(reason_for(R"({"text":12})"), HasSubstr(R"(field \"text\" is a number, not a string)"));
  EXPECT_THAT(reason_for(R"({"text":["a"]})"), HasSubstr("is an array"));
  EXPECT_THAT(reason_for(R"({"text":null})"), HasSubstr("is null"));
  EXPECT_THAT(reason_for(R"({"text":""})"), HasSubstr("the text is empty"));
  EXPECT_THAT(reason_for("{\"text\":\" \\n\xe3\x80\x80\"}"), HasSubstr("the text is blank"));
  EXPECT_THAT(reason_for(R"({"text":"a\u0000b"})"), HasSubstr("NUL character at byte 2"));
  EXPECT_THAT(reason_for(R"({"id":[1],"text":"a"})"), HasSubstr(R"(field \"id\" is an array)"));
}

TEST_F(JsonlCorpus, RefusesBrokenJsonWhereverItIsBroken) {
  for (const char* record : {R"({"text":"a")",
                             R"({"text":"a)",
                             R"({"text":"a"}})",
                             R"({"text":"a"} x)",
                             R"({"text":"a"}{})",
                             R"({"text":"a",})",
                             R"({"text":"a" "b":1})",
                             R"({"text" "a"})",
                             R"({text:"a"})",
                             R"({"text":"a","id":01})",
                             R"({"text":"a","id":1.})",
                             R"({"text":tru})",
                             R"({"text":"a","x":[1,2)",
                             R"({"x":"\q" 1,"text":"a"})",
                             R"({"text":"a","x":})",
                             R"({"text":"a\"})",
                             "[1]",
                             "12",
                             "\"text\"",
                             "nonsense",
                             R"({"text":"a","x":{"y":1})",
                             "{",
                             "}",
                             "{\"text\":\"a\tb\"}",
                             R"({"text":"a\u12"})",
                             R"({"text":"a":"b"})"})
    EXPECT_THAT(reason_for(record), testing::AnyOf(HasSubstr("broken JSON"), HasSubstr("not a JSON object")))
        << record;
}

TEST_F(JsonlCorpus, RefusesInvalidUtf8LoneSurrogatesAndNulBytes) {
  EXPECT_THAT(reason_for("{\"text\":\"a\xff\"}"), HasSubstr("invalid UTF-8 at byte 11 of the record"));
  EXPECT_THAT(reason_for("{\"text\":\"a\xed\xa0\x80\"}"), HasSubstr("invalid UTF-8"));
  EXPECT_THAT(reason_for(R"({"text":"a\ud800b"})"), HasSubstr("lone surrogate"));
  EXPECT_THAT(reason_for(R"({"text":"a\udc00"})"), HasSubstr("lone surrogate"));
  EXPECT_THAT(reason_for(R"({"text":"a\ud800\ud800"})"), HasSubstr("lone surrogate"));
  EXPECT_THAT(reason_for(R"({"text":"a","id":"\ud83d"})"), HasSubstr("lone surrogate"));
  EXPECT_THAT(reason_for(std::string("{\"text\":\"a\0b\"}", 14)), HasSubstr("a NUL byte at byte 11"));
}

TEST_F(JsonlCorpus, NamesTheLineAndTheColumnOfAFault) {
  open({put("a.jsonl", "{\"text\":\"ok\"}\n\n  {\"id\":\"渡船\" \"text\":\"a\"}\n")});
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.jsonl:3:14\",\"reason\":\"broken JSON")));
  for (const auto& [record, column] : std::initializer_list<std::pair<std::string, int>>{
           {"{\"id\":\"渡船\",\"text\":\"a\xff\"}", 21},  // columns are code points
           {R"({"text":12})", 9},
           {R"({"id":[1],"text":"a"})", 7},
           {R"({"id":"7","text":"a\ud800"})", 18},  // where the value begins
           {R"({"text":"a","x":[1,2)", 17},
           {"[1]", 1}})
    EXPECT_THAT(reason_for(record), HasSubstr("a.jsonl:1:" + std::to_string(column) + "\"")) << record;
  EXPECT_THAT(reason_for(R"({"text":""})"), HasSubstr("a.jsonl:1\"")) << "nothing of it is the fault";
}

TEST_F(JsonlCorpus, AcceptsWhatIsUnusualButValid) {
  open({put("a.jsonl",
            "  { \"text\" : \"a\" , \"n\" : -1.5e+30 , \"big\" : 123456789012345678901234567890 , \"o\" : { "
            "} , \"l\" : [ ] }  \n"
            R"({"\u0074ext":"escaped key","x":"\ud83d\ude00"})"
            "\n"
            R"({"text":"\ud83d\ude00\"\\\/\b\f\n\r\t"})")});
  EXPECT_THAT(texts(), ElementsAre("a", "escaped key", "\xf0\x9f\x98\x80\"\\/\b\f\n\r\t"));
  EXPECT_THAT(quarantine(), IsEmpty());
}

TEST_F(JsonlCorpus, AKeyThatOccursTwiceCouldMeanEitherValueAndIsRefused) {
  EXPECT_THAT(reason_for(R"({"text":"first","text":"last"})"), HasSubstr(R"(the key \"text\" occurs twice)"));
}

TEST_F(JsonlCorpus, DefectsOutsideOfTheWantedFieldsCostNoRecord) {
  const std::string deep =
      "{\"text\":\"a\",\"x\":" + std::string(500'000, '[') + std::string(500'000, ']') + "}";
  std::string objects = "{\"text\":\"a\",\"x\":";
  for (int i = 0; i < 500'000; ++i) objects += "{\"x\":";
  objects += "1" + std::string(500'001, '}');
  for (const std::string& record :
       {std::string(R"({"text":"a","x":NaN,"y":[Infinity,-Infinity]})"),
        std::string(R"({"x":nan,"text":"a"})"), std::string(R"({"x":01,"y":+1,"z":.5,"w":0x1F,"text":"a"})"),
        std::string(R"({"text":"a","x":tru,"y":None,"z":undefined})"),
        std::string(R"({"text":"a","x":[1,2}})"), std::string(R"({"text":"a","x":{"y" 1,,}})"),
        std::string(R"({"text":"a","x":"\q \u12g4"})"), std::string(R"({"\u12":1,"text":"a"})"),
        std::string(R"({"text":"a","x":"\ud83d"})"), std::string("{\"x\":\"\xff\xfe\",\"text\":\"a\"}"),
        std::string("{\"x\":\"a\tb\0 \",\"text\":\"a\"}", 24), std::string("{\"\xff\":1,\"text\":\"a\"}"),
        std::string(R"({"x":1,"x":2,"text":"a","y":{"text":1,"text":2}})"), deep, objects}) {
    open({put("a.jsonl", record)});
    EXPECT_THAT(texts(), ElementsAre("a")) << record.substr(0, 100);
    EXPECT_TRUE(kept() == record) << record.substr(0, 100);
    expect_random_access_equals_streaming();
  }
}

TEST_F(JsonlCorpus, DefectsOfTheWantedFieldsAreFoundBesideOthers) {
  EXPECT_THAT(reason_for("{\"x\":\"\xff\",\"text\":\"b\xff\"}"),
              HasSubstr("invalid UTF-8 at byte 19 of the record"));
  EXPECT_THAT(reason_for("{\"x\":\"\xff\",\"text\":\"a\tb\"}"),
              HasSubstr("a control character within a string"));
  EXPECT_THAT(reason_for("{\"x\":\"\xff\",\"text\":\"a\\q\"}"), HasSubstr("no valid escape"));
  EXPECT_THAT(reason_for("{\"x\":\"\xff\",\"text\":1}"), HasSubstr("is a number, not a string"));
  EXPECT_THAT(reason_for("{\"x\":\"\xff\",\"text\":\"a\",\"text\":\"b\"}"), HasSubstr("occurs twice"));
  EXPECT_THAT(reason_for("{\"x\":\"\xff\",\"body\":\"abc\"}"), HasSubstr("try the text field body"));
}

TEST_F(JsonlCorpus, NanIsAMissingValue) {
  auto input =
      options({put("a.jsonl", "{\"id\":NaN,\"text\":\"a\",\"n\":NaN,\"m\":-Infinity}\n{\"text\":NaN}\n")});
  input.extra_fields = {"n", "m"};
  open(input);
  EXPECT_THAT(texts(), ElementsAre("a"));
  const auto scratch = corpus_->new_scratch();
  EXPECT_EQ(corpus_->id(0, *scratch), (folder_ / "a.jsonl").string() + ":1");
  EXPECT_EQ(*corpus_->field(0, "n", *scratch), "");
  EXPECT_EQ(*corpus_->field(0, "m", *scratch), "-Infinity");
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr(R"(field \"text\" is NaN or infinite)")));
}

TEST_F(JsonlCorpus, TextsInListsAreJoined) {
  auto input = options({put(
      "a.jsonl",
      R"({"messages":[{"role":"user","content":"one \u00e9"},{"role":"x"},{"content":null},{"content":"two\n"}]})"
      "\n"
      R"({"messages":[{"content":[{"type":"image"},{"text":"three"},{"text":"four"}]},{"content":"five"}]})"
      "\n"
      R"({"messages":[],"title":"six"})"
      "\n")});
  input.text_fields = {"title", "messages[].content", "messages[].content[].text"};
  open(input);
  EXPECT_THAT(texts(), ElementsAre("one \xc3\xa9\ntwo\n", "five\nthree\nfour", "six"));
  EXPECT_THAT(quarantine(), IsEmpty());
  expect_random_access_equals_streaming();
  input = options({put("b.jsonl",
                       "{\"x\":\"\xff\",\"tags\":[\"a\",\"b\",[\"c\"],\"d\"]}\n{\"x\":\"\xff\",\"tags\":[["
                       "\"e\"],[\"f\",\"g\"]]}")});
  input.text_fields = {"tags[]", "tags[][]"};
  open(input);
  EXPECT_THAT(texts(), ElementsAre("a\nb\nd\nc", "e\nf\ng"));
}

TEST_F(JsonlCorpus, WhatIsWrongWithAListIsSaid) {
  auto input = options({put("a.jsonl", R"({"messages":[{"role":"user","content":"one"}],"tags":["a"]})"
                                       "\n"
                                       R"({"messages":[{"text":1}]})"
                                       "\n")});
  open(input);
  EXPECT_THAT(
      quarantine()[0],
      HasSubstr("found: messages[].role, messages[].content, tags[]); try the text field messages[].role"));
  input.text_fields = {"tags"};
  open(input);
  EXPECT_THAT(quarantine()[0], HasSubstr("for a list of texts name the field tags[]"));
  input.text_fields = {"messages[].text"};
  open(input);
  EXPECT_THAT(quarantine()[1], HasSubstr(R"(field \"messages[].text\" is a number, not a string)"));
  input.id_field = "tags[]";
  EXPECT_EQ(Corpus::open(input, run_).error().code, ErrorCode::invalid_argument);
}

TEST_F(JsonlCorpus, OneBadRecordCostsOneRecord) {
  open({put("a.jsonl", "{\"text\":\"one\"}\n{broken\n\n{\"text\":\"two\"}\n")});
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("\"place\":\"a.jsonl:2:2\"")));
  EXPECT_EQ(corpus_->records(), 3u);
  EXPECT_EQ(place_name(1), "a.jsonl:4");
}

TEST_F(JsonlCorpus, StrictStopsAtTheFirstBadRecordWithItsPlace) {
  auto input = options({put("a.jsonl", "{\"text\":\"one\"}\n{\"txt\":\"two\"}\n{\"text\":\"three\"}\n")});
  input.strict = true;
  open(input);
  EXPECT_THAT(streamed_.error, HasSubstr("a.jsonl:2: field \"text\" is missing (found: txt)"));
}

TEST_F(JsonlCorpus, RepeatedIdsAreCountedAndNamedWithBothPlaces) {
  const auto a =
      put("a.jsonl", "{\"id\":1,\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"id\":\"2\",\"text\":\"c\"}\n");
  const auto b =
      put("b.jsonl", "{\"id\":2,\"text\":\"d\"}\n{\"id\":\"2\",\"text\":\"e\"}\n{\"id\":3,\"text\":\"e\"}\n");
  open({a, b});
  const auto repeated = corpus_->repeated_ids();
  ASSERT_TRUE(repeated.has_value());
  EXPECT_EQ(repeated->count, 2u);
  ASSERT_EQ(repeated->examples.size(), 2u);
  EXPECT_EQ(repeated->examples[1].id, "2");
  EXPECT_EQ(repeated->examples[1].first_place, a + ":3");
  EXPECT_EQ(repeated->examples[1].second_place, b + ":2");

  auto input = options({a, b});
  input.strict = true;
  open(input);
  EXPECT_EQ(streamed_.error, b + ":1: id \"2\" occurs a second time, first at " + a + ":3");
}

TEST_F(JsonlCorpus, ReferenceDocumentsComeFirstAndAreNeverWritten) {
  auto input = options({put("a.jsonl", "{\"text\":\"one\"}\n")});
  input.reference_paths = {put("r.jsonl", "{\"text\":\"old\"}\n{\"text\":\"older\"}\n")};
  open(input);
  EXPECT_THAT(texts(), ElementsAre("old", "older", "one"));
  EXPECT_EQ(corpus_->reference_count(), 2u);
  EXPECT_EQ(kept(), "{\"text\":\"one\"}\n");
}

TEST_F(JsonlCorpus, ARecordLargerThanTheLimitIsOneQuarantinedRecord) {
  const std::string large = "{\"text\":\"" + std::string(10'000'000, 'x') + "\"}\n";
  auto input =
      options({put("a.jsonl", "{\"text\":\"one\"}\n" + large + "{\"text\":\"two\"}\n" + "{\"text\":\"" +
                                  std::string(2000, 'y') + "\"}\n{\"text\":\"three\"}\n")});
  input.max_record_bytes = 1000;
  open(input);
  EXPECT_THAT(texts(), ElementsAre("one", "two", "three"));
  EXPECT_THAT(quarantine(),
              ElementsAre(HasSubstr("a.jsonl:2\",\"reason\":\"record of 10000012 bytes is larger"),
                          HasSubstr("a.jsonl:4\",\"reason\":\"record of 2011 bytes is larger")));
  EXPECT_EQ(place_name(2), "a.jsonl:5");
}

TEST_F(JsonlCorpus, ARecordLargerThanABatchIsReadWhole) {
  const std::string large = "{\"text\":\"" + std::string(9'000'000, 'x') + "\"}";
  const std::string all = "{\"text\":\"one\"}\n" + large + "\r\n{\"text\":\"two\"}\n" + large;
  open({put("a.jsonl", all)});
  EXPECT_EQ(corpus_->size(), 4u);
  EXPECT_EQ(kept(), all);
  EXPECT_EQ(place_name(3), "a.jsonl:4");
  expect_random_access_equals_streaming();
}

// A batch begins with 256 KB and grows in two steps to 4 MB until it holds a record.
TEST_F(JsonlCorpus, ABatchGrowsUntilItHoldsARecord) {
  std::string all;
  std::vector<std::string> expected;
  auto append = [&](std::size_t record) {  // bytes, with the line feed
    constexpr std::size_t kAround = sizeof("{\"text\":\"\"}\n") - 1;
    expected.push_back(std::string(record - kAround, static_cast<char>('a' + expected.size() % 26)));
    all += "{\"text\":\"" + expected.back() + "\"}\n";
  };
  for (const std::size_t size : {262'144, 1'048'576, 4'194'304}) {
    append(100);
    for (const std::size_t record : {size - 101, size - 100, size - 1, size, size + 1}) append(record);
  }
  for (std::size_t i = 0; i < 40; ++i) append(200'000);
  open({put("a.jsonl", all)});
  EXPECT_TRUE(texts() == expected);  // no megabytes in a failure message
  EXPECT_EQ(corpus_->size(), expected.size());
  EXPECT_TRUE(kept() == all);
  EXPECT_EQ(place_name(static_cast<DocId>(expected.size() - 1)),
            "a.jsonl:" + std::to_string(expected.size()));
  expect_random_access_equals_streaming();
}

TEST_F(JsonlCorpus, AMissingFileIsAnErrorWhereItWasNamed) {
  InputOptions input = options({put("a.jsonl", "{\"text\":\"one\"}\n"), (folder_ / "none.jsonl").string()});
  const auto missing = Corpus::open(input, run_);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("none.jsonl: can't be read: No such file or directory"));
  EXPECT_EQ(Corpus::open(options({""}), run_).error().code, ErrorCode::not_found);
}

TEST_F(JsonlCorpus, AMissingFileIsAQuarantinedRecordWhereItWasFound) {
  InputOptions input = options({(folder_ / "none.jsonl").string(), put("a.jsonl", "{\"text\":\"one\"}\n")});
  input.found = true;
  open(input);
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(quarantine(), ElementsAre(R"({"place":"none.jsonl","reason":"No such file or directory"})"));
  EXPECT_EQ(corpus_->first_quarantined(), (folder_ / "none.jsonl").string() + ": No such file or directory");
}

TEST_F(JsonlCorpus, AFileChangedSinceIsNamed) {
  const auto path = put("a.jsonl", "{\"text\":\"one\"}\n{\"text\":\"two\"}\n");
  open({path});
  write_file(path, "{\"text\":\"one\"}\n");
  const auto scratch = corpus_->new_scratch();
  const auto read = corpus_->read(1, *scratch);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::corrupt);
  EXPECT_THAT(read.error().message, HasSubstr("a.jsonl: the file was changed"));
}

TEST_F(JsonlCorpus, WhatFollowsAnObjectIsNoOpenBracket) {
  open({put("a.jsonl", "{\"id\": \"a\", \"text\": \"one }\"} garbage\n{\"id\": \"b\", \"text\": \"two\"\n")});
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("something follows the object on the same line"),
                                        HasSubstr("an object or array isn't closed")));
}

}  // namespace
}  // namespace leitong
