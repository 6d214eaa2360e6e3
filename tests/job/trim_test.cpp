// Parts that repeat leave the documents: which ones, what stays, and that nothing else changes.
#include "leitong/trim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "corpus/corpus_fixture.hpp"
#include "leitong/restore.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

std::string record(std::string_view id, std::string_view text) {
  return Json{{"id", id}, {"text", text}}.dump() + "\n";
}

class TrimFiles : public ::testing::Test {
 protected:
  TrimFiles() {
    job_.outputs.trimmed = path("out.jsonl");
    job_.outputs.spans = path("spans.jsonl");
    job_.outputs.too_short = path("removed.jsonl");
    job_.outputs.with_text = true;
    job_.outputs.force = true;
  }
  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  void given(std::string_view name, std::string_view bytes) {
    write_file(folder_ / name, bytes);
    job_.input.paths.push_back(path(name));
  }
  TrimSummary run(unsigned threads = 2) {
    const auto summary = trim_files(Context({.threads = threads}), job_);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary.value_or(TrimSummary());
  }
  [[nodiscard]] Error failure() const {
    const auto refused = trim_files(Context({.threads = 1}), job_);
    EXPECT_FALSE(refused);
    return refused ? Error() : refused.error();
  }
  [[nodiscard]] std::string output(std::string_view name = "out.jsonl") const {
    return read_file(folder_ / name);
  }
  [[nodiscard]] std::vector<Json> rows(std::string_view name) const {
    std::vector<Json> all;
    std::istringstream lines(output(name));
    for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
    return all;
  }
  /// The texts that are written, of documents with these texts.
  std::vector<std::string> trimmed(const std::vector<std::string>& texts) {
    std::string bytes;
    for (std::size_t i = 0; i < texts.size(); ++i) bytes += record(std::to_string(i), texts[i]);
    job_.input.paths.clear();
    given("in.jsonl", bytes);
    run();
    std::vector<std::string> out;
    for (const Json& row : rows("out.jsonl")) out.push_back(row["text"]);
    return out;
  }

  TemporaryFolder folder_;
  TrimJob job_;
};

TEST_F(TrimFiles, ALineStaysWhereItStandsFirst) {
  EXPECT_THAT(
      trimmed({"Home\nThe ferry leaves at six.\nContact", "Home\nBread takes two hours.\ncontact!\n"}),
      ElementsAre("Home\nThe ferry leaves at six.\nContact", "Bread takes two hours.\n"));
}

TEST_F(TrimFiles, LinesAreEqualAfterFolding) {
  EXPECT_THAT(
      trimmed({"請勿轉載\n渡船清晨六点开", "请勿转载。\n面团要发两次", "ＡＢＣ def\n一", "abc  DEF\n二"}),
      ElementsAre("請勿轉載\n渡船清晨六点开", "面团要发两次", "ＡＢＣ def\n一", "二"));
}

TEST_F(TrimFiles, ALineMayRepeatWithinItsDocument) {
  EXPECT_THAT(trimmed({"one\ntwo\none\nthree\none"}), ElementsAre("one\ntwo\nthree\n"));
}

TEST_F(TrimFiles, FramesLeaveWhollyIfNoneIsKept) {
  job_.settings.kept_part = KeptPart::none;
  EXPECT_THAT(trimmed({"menu\na text", "menu\nanother", "menu\nthe third"}),
              ElementsAre("a text", "another", "the third"));
}

TEST_F(TrimFiles, OnlyWhatSoManyDocumentsHoldIsCut) {
  job_.settings.least_documents = 3;
  const std::vector<std::string> texts = {"menu\nfirst\nfirst", "menu\nfoot\nsecond", "menu\nfoot\nthird"};
  EXPECT_THAT(trimmed(texts), ElementsAre("menu\nfirst\nfirst", "foot\nsecond", "foot\nthird"));
}

TEST_F(TrimFiles, ShortPartsStay) {
  job_.settings.least_units = 4;
  EXPECT_THAT(trimmed({"三个字\n四个字了", "三个字\n四个字了\n其他"}),
              ElementsAre("三个字\n四个字了", "三个字\n其他"));
}

TEST_F(TrimFiles, LinesWithoutLettersStay) {
  EXPECT_THAT(trimmed({"----\none\n\n----", "----\ntwo\n\n"}),
              ElementsAre("----\none\n\n----", "----\ntwo\n\n"));
}

TEST_F(TrimFiles, ParagraphsAreCutWithTheBlankLinesBehindThem) {
  job_.settings.part = TextPart::paragraph;
  EXPECT_THAT(trimmed({"a\nb\n\n\nc\n\nd", "x\n\na\nb\n\n\na\nother"}),
              ElementsAre("a\nb\n\n\nc\n\nd", "x\n\na\nother"));
}

TEST_F(TrimFiles, SentencesAreCutWithTheSpacesBehindThem) {
  job_.settings.part = TextPart::sentence;
  EXPECT_THAT(
      trimmed({"It costs 3.50 a day. Bring a lamp! 渡船清晨六点开。“雾大时改在七点。”请排队",
               "Bring a lamp. 雾大时改在七点？！面团要发两次。\nIt costs 3.50 a day.\nIt costs 3.60 a day."}),
      ElementsAre("It costs 3.50 a day. Bring a lamp! 渡船清晨六点开。“雾大时改在七点。”请排队",
                  "面团要发两次。\n\nIt costs 3.60 a day."));
}

TEST_F(TrimFiles, AllOtherBytesAreAsTheyWere) {
  given("in.jsonl",
        "{\"id\":1, \"text\":\"menu\\nThe \\u6e21\\u8239 \\ud83d\\ude00 \\\"leaves\\\"\"}\r\n"
        "\r\n"
        "{ \"n\": 1.0e0, \"text\" : \"\\u006denu\\n\\u9762\\u56e2 \\/ \\ud83d\\ude00\\tok\" , "
        "\"x\":[\"menu\\n\"],\"id\":\"b\"}\r\n"
        "{\"text\":\"no menu\\nMENU\\n\",\"id\":3}");
  run();
  EXPECT_EQ(output(),
            "{\"id\":1, \"text\":\"menu\\nThe \\u6e21\\u8239 \\ud83d\\ude00 \\\"leaves\\\"\"}\r\n"
            "{ \"n\": 1.0e0, \"text\" : \"\\u9762\\u56e2 \\/ \\ud83d\\ude00\\tok\" , "
            "\"x\":[\"menu\\n\"],\"id\":\"b\"}\r\n"
            "{\"text\":\"no menu\\n\",\"id\":3}");
}

TEST_F(TrimFiles, SeveralTextFieldsAreOneText) {
  job_.input.text_fields = {"title", "body.text"};
  given("in.jsonl",
        "{\"body\":{\"text\":\"one\\ntwo\"},\"title\":\"menu\"}\n"
        "{\"body\":{\"text\":\"two\\nthree\"},\"title\":\"menu\"}\n");
  run();
  EXPECT_EQ(output(),
            "{\"body\":{\"text\":\"one\\ntwo\"},\"title\":\"menu\"}\n"
            "{\"body\":{\"text\":\"three\"},\"title\":\"\"}\n");
}

TEST_F(TrimFiles, TextsOfAListAreCutEachInItsPlace) {
  job_.input.text_fields = {"messages[].content"};
  given("in.jsonl",
        "{\"messages\":[{\"role\":\"a\",\"content\":\"menu\\none\"}, {\"content\":\"two\"}],\"n\":NaN}\n"
        "{\"messages\":[{\"content\":\"me\\u006eu\\nthree\"},{\"content\":null},{\"content\":\"two\"},"
        "{\"content\":\"menu\\n\\u56db\",\"x\":\"\\q\"}]}\n");
  run();
  EXPECT_EQ(output(),
            "{\"messages\":[{\"role\":\"a\",\"content\":\"menu\\none\"}, {\"content\":\"two\"}],\"n\":NaN}\n"
            "{\"messages\":[{\"content\":\"three\"},{\"content\":null},{\"content\":\"\"},"
            "{\"content\":\"\\u56db\",\"x\":\"\\q\"}]}\n");
}

TEST_F(TrimFiles, TablesKeepTheirHeaderAndTheirQuotes) {
  job_.outputs.trimmed = path("out.csv");
  job_.settings.part = TextPart::sentence;
  given("in.csv",
        "id,text,n\n"
        "1,Read this. A first one.,\"a,b\"\n"
        "2,\"Read this. He said \"\"no\"\". A first one. New.\",7\n"
        "3,Read this. \"Yes\" he said,8\n");
  run();
  EXPECT_EQ(output("out.csv"),
            "id,text,n\n"
            "1,Read this. A first one.,\"a,b\"\n"
            "2,\"He said \"\"no\"\". New.\",7\n"
            "3,\"\"\"Yes\"\" he said\",8\n");
}

TEST_F(TrimFiles, LinesOfTextAreDocuments) {
  job_.outputs.trimmed = path("out.txt");
  job_.input.kind = "lines";
  job_.settings.part = TextPart::sentence;
  given("in.txt", "Read this. One.\nRead this. Two.\nRead this.\nThree.");
  const TrimSummary summary = run();
  EXPECT_EQ(output("out.txt"), "Read this. One.\nTwo.\nThree.");
  EXPECT_EQ(summary.removed, 1u);
}

TEST_F(TrimFiles, ObjectsOfAnArrayAreWrittenOneALine) {
  given("in.json", "[\n{\"text\":\n\"menu\\none\"},\n{\"text\":\n  \"menu\\ntwo\"}]\n");
  run();
  EXPECT_EQ(output(), "{\"text\":\"menu\\none\"}\n{\"text\":\"two\"}\n");
}

TEST_F(TrimFiles, WhatIsLeftOfADocumentCanBeTooLittle) {
  job_.settings.least_left = 3;
  // The second document leaves, so that its own line is not gone: it stays where it stands next.
  EXPECT_THAT(trimmed({"menu\nThe ferry leaves", "menu\n二字", "二字\n另外一个文本"}),
              ElementsAre("menu\nThe ferry leaves", "二字\n另外一个文本"));
  const auto removed = rows("removed.jsonl");
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0]["id"], "1");
  EXPECT_EQ(removed[0]["place"], path("in.jsonl") + ":2");
  EXPECT_EQ(removed[0]["units"], 4);
  EXPECT_EQ(removed[0]["units_left"], 2);
}

TEST_F(TrimFiles, LineNumbersOfAWholeTextCountInItsLines) {
  std::string numbered;
  for (int line = 1; line <= 40; ++line)
    numbered +=
        std::to_string(line) + " of the harbour " + std::string(static_cast<std::size_t>(line), 'a') + "\n";
  EXPECT_THAT(trimmed({numbered, numbered}), ElementsAre(numbered));
  const auto removed = rows("removed.jsonl");
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0]["units_left"], 0);
}

TEST_F(TrimFiles, SpansSayWhatWasCutAndWhatStays) {
  (void)trimmed({"菜单\nThe ferry", "Bread\n菜單\ntwo"});
  const auto spans = rows("spans.jsonl");
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0],
            Json::parse(R"({"id":"1","place":")" + path("in.jsonl") +
                        R"(:2","begin":6,"end":13,)"
                        R"("begin_character":6,"end_character":9,"units":2,"documents":2,"kept_id":"0",)"
                        R"("kept_place":")" +
                        path("in.jsonl") +
                        R"(:1","kept_begin":0,"kept_end":7,)"
                        R"("text":"菜單\n"})"));
}

TEST_F(TrimFiles, RecordsAreKeptRemovedOrQuarantined) {
  given("in.jsonl",
        record("a", "menu\none") + "no record\n" + record("b", "menu") + record("c", "two\nmenu"));
  job_.outputs.quarantine = path("bad.jsonl");
  const TrimSummary summary = run();
  EXPECT_EQ(summary.documents, 3u);
  EXPECT_EQ(summary.kept, 2u);
  EXPECT_EQ(summary.removed, 1u);
  EXPECT_EQ(summary.changed, 1u);
  EXPECT_EQ(summary.cuts, 2u);
  EXPECT_EQ(summary.parts, 1u);
  EXPECT_EQ(summary.quarantined, 1u);
  EXPECT_EQ(summary.text_bytes, 20u);
  EXPECT_EQ(summary.cut_bytes, 8u);
  EXPECT_EQ(rows("bad.jsonl").size(), 1u);
}

TEST_F(TrimFiles, FormatsThatCannotBeWrittenAgainAreNamed) {
  job_.outputs.trimmed = path("out.txt");
  given("page.txt", "one\none\n");
  const Error error = failure();
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message, HasSubstr("page.txt: a file that is one document"));
  EXPECT_FALSE(std::filesystem::exists(path("out.txt")));
  // They can still be looked at.
  job_.outputs.trimmed = {};
  EXPECT_EQ(run().cuts, 1u);
}

TEST_F(TrimFiles, FormatsThatSealTheirTextsSayWhy) {
  const auto page = [](std::string_view text) {
    return std::string(
               "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:x>\r\nContent-Type: text/plain\r\n"
               "Content-Length: ") +
           std::to_string(text.size()) + "\r\n\r\n" + std::string(text) + "\r\n\r\n";
  };
  job_.outputs.trimmed = path("out.wet");
  given("in.wet", page("menu\nfirst") + page("menu\nsecond"));
  Error error = failure();
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message,
              HasSubstr("in.wet: warc records can't be written again with a changed text, since"));
  EXPECT_THAT(error.message, HasSubstr("digests"));
  job_.outputs.trimmed = path("out.xml");
  job_.input.paths.clear();
  given("in.xml",
        "<mediawiki>\n<page><title>A</title><id>1</id><revision><text>menu</text></revision></page>\n"
        "<page><title>B</title><id>2</id><revision><text>menu</text></revision></page>\n</mediawiki>\n");
  error = failure();
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message, HasSubstr("in.xml: mediawiki records"));
  EXPECT_THAT(error.message, HasSubstr("size and hash"));
}

TEST_F(TrimFiles, ImpossibleSettingsAreRefused) {
  given("in.jsonl", record("a", "text"));
  job_.settings.part = TextPart::passage;
  job_.settings.least_units = 7;
  EXPECT_THAT(failure().message, HasSubstr("8 to 1000 units"));
  job_.settings = {.border = Border::word};
  EXPECT_EQ(failure().setting, "border");
  job_.settings = {};
  job_.outputs.spans = {};
  EXPECT_THAT(failure().message, HasSubstr("stands in the rows of the spans"));
}

// ---- restored ----

class TrimRestored : public TrimFiles {
 protected:
  /// The input comes back from what a run writes.
  void expect_back(const std::string& input, const std::string& bytes) {
    given(input, bytes);
    job_.outputs.trimmed = path("out-" + input);
    job_.outputs.restorable = path("restorable");
    const TrimSummary summary = run();
    EXPECT_GT(summary.cuts, 0u);
    const auto restored = restore_files(Context({.threads = 2}), {.kept = job_.outputs.trimmed,
                                                                  .restorable = job_.outputs.restorable,
                                                                  .output = path("again"),
                                                                  .force = true});
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(restored->records, summary.removed);
    EXPECT_EQ(output("again"), bytes);
  }
};

TEST_F(TrimRestored, JsonlComesBackWithAllThatIsNoDocument) {
  expect_back("in.jsonl", "\xef\xbb\xbf" + record("a", "menu\none") + "\r\n{\"id\":1}\n" +
                              "{\"text\":\"\\u006denu\\n\\u9762\\u56e2\\nmenu\",\"id\":7}\r\n" +
                              record("gone", "Menu!\n") + record("b", "three\nmenu\nfour\nmenu\n") +
                              "{\"text\":\"menu\\nlast\"}");
}

TEST_F(TrimRestored, TablesComeBack) {
  job_.settings.part = TextPart::sentence;
  expect_back(
      "in.csv",
      "id,text,n\r\n1,Read this. One.,2\r\n2,\"Read this. He said \"\"no\"\". New.\",7\r\n"
      "3,Read this. \"Yes\" he said,8\r\n4,Read this.,9\r\n5,too,many,columns\r\n6,Last. Read this.,0");
}

TEST_F(TrimRestored, LinesAndArraysComeBack) {
  job_.settings.part = TextPart::sentence;
  job_.input.kind = "lines";
  expect_back("in.txt", "Read this. One.\n\nRead this. Two.\nRead this.\nThree. Read this.");
  job_.input = {};
  expect_back(
      "in.json",
      "[\n{\"text\":\n\"Read this. One\"},{\"text\":\"Two. Read this.\"},\n{\"text\":\n  \"Read this. "
      "Three\"}]\n");
}

TEST_F(TrimRestored, LongRecordsAndManyCutsComeBack) {
  job_.settings.part = TextPart::line;
  std::string bytes, text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7 % 1000) + " is a number of many digits\n";
  for (int d = 0; d < 3; ++d) bytes += record(std::to_string(d), text + "and " + std::to_string(d));
  expect_back("in.jsonl", bytes);
}

// ---- passages ----

TEST_F(TrimFiles, APassageIsCutWhereItStandsAgain) {
  job_.settings = {.part = TextPart::passage, .least_units = 10};
  EXPECT_THAT(
      trimmed({"甲乙丙丁。渡船清晨六点开第一班，雾大的日子改到七点。戊己庚辛",
               "子丑寅卯。渡船清晨六點開第一班！霧大的日子改到七點。辰巳午未"}),
      ElementsAre("甲乙丙丁。渡船清晨六点开第一班，雾大的日子改到七点。戊己庚辛", "子丑寅卯。辰巳午未"));
}

TEST_F(TrimFiles, CutsLeaveTheRestOfAStartedSentence) {
  const std::vector<std::string> texts = {"今天他说渡船清晨六点开第一班。雾大的日子改到七点。请排队等候不要",
                                          "昨天我听渡船清晨六点开第一班。雾大的日子改到七点。请排队上船吧"};
  job_.settings = {.part = TextPart::passage, .least_units = 14};
  EXPECT_THAT(trimmed(texts), ElementsAre(texts[0], "昨天我听渡船清晨六点开第一班。请排队上船吧"));
  job_.settings.border = Border::word;
  EXPECT_THAT(trimmed(texts), ElementsAre(texts[0], "昨天我听上船吧"));
}

TEST_F(TrimFiles, WordsAreNotDivided) {
  const std::vector<std::string> texts = {"the sunken harbour lantern was never lighted again by anybody.",
                                          "a drunken harbour lantern was never lighted against us"};
  job_.settings = {.part = TextPart::passage, .least_units = 10, .border = Border::word};
  EXPECT_THAT(trimmed(texts), ElementsAre(texts[0], "a drunken  against us"));
}

TEST_F(TrimFiles, WhatOverlapsItsOwnCopyKeepsItsFirstRun) {
  job_.settings = {.part = TextPart::passage, .least_units = 10};
  std::string line = "渡船清晨六点开。", text;
  for (int i = 0; i < 40; ++i) text += line;
  EXPECT_THAT(trimmed({text + "完"}), ElementsAre(line + line + "完"));
}

/// What a run of `least` units may look like, as bytes.
std::string run_at(std::span<const Unit> units, std::size_t at, std::size_t least) {
  return {reinterpret_cast<const char*>(units.data() + at), least * sizeof(Unit)};
}

/// The slow twin: every run of every document, by its units.
struct Runs {
  struct Document {
    PodVector<Unit> units;
    std::vector<ByteRange> places;
    std::vector<bool> cut;
  };
  Runs(const std::vector<std::string>& texts, const std::vector<Json>& spans,
       const std::set<std::string>& removed, std::size_t least_units)
      : least(least_units), documents(texts.size()) {
    for (std::size_t d = 0; d < texts.size(); ++d) {
      Document& document = documents[d];
      to_units_with_places(texts[d], document.units, document.places);
      document.cut.assign(document.units.size(), removed.contains(std::to_string(d)));
    }
    for (const Json& span : spans) {
      Document& document = documents[std::stoul(span["id"].get<std::string>())];
      for (std::size_t i = 0; i < document.units.size(); ++i)
        if (document.places[i].begin >= span["begin"] && document.places[i].end <= span["end"])
          document.cut[i] = true;
    }
    for (const Document& document : documents)
      each_run(document, [&](std::size_t at, bool stays) {
        const std::string run = run_at(document.units, at, least);
        ++all[run];
        if (stays) ++kept[run];
      });
  }
  template <class Each>
  void each_run(const Document& document, Each each) const {
    for (std::size_t at = 0; at + least <= document.units.size(); ++at)
      each(at, std::find(document.cut.begin() + static_cast<long>(at),
                         document.cut.begin() + static_cast<long>(at + least),
                         true) == document.cut.begin() + static_cast<long>(at + least));
  }
  /// Runs that stay twice.
  [[nodiscard]] std::size_t twice() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(kept, [](const auto& run) { return run.second > 1; }));
  }
  /// Units that are cut and lie in no run that `stands`.
  template <class Stands>
  [[nodiscard]] std::size_t lost(Stands stands) const {
    std::size_t lost = 0;
    for (const Document& document : documents) {
      std::vector<bool> covered(document.units.size());
      each_run(document, [&](std::size_t at, bool) {
        if (stands(run_at(document.units, at, least)))
          std::fill_n(covered.begin() + static_cast<long>(at), least, true);
      });
      for (std::size_t i = 0; i < covered.size(); ++i) lost += document.cut[i] && !covered[i] ? 1 : 0;
    }
    return lost;
  }

  std::size_t least;
  std::vector<Document> documents;
  std::map<std::string, std::size_t> all, kept;
};

/// Documents of few words and characters, with pieces of one another. `periodic`: some repeat themselves.
std::vector<std::string> random_texts(unsigned seed, bool periodic) {
  std::mt19937 random(seed);
  const auto number = [&](std::size_t below) { return random() % below; };
  static constexpr std::string_view kPieces[] = {"渡", "船", "清晨", "Abend",   "lantern", " ",        "。",
                                                 "六", "点", "\n",   "e\u0301", "が",      "か\u3099", "oil ",
                                                 "x",  "! ", "，",   "7",       "雾",      "面"};
  std::vector<std::string> texts;
  std::vector<std::vector<std::string_view>> made;
  for (int d = 0; d < 30; ++d) {
    std::vector<std::string_view> pieces;
    for (std::size_t steps = 1 + number(5); steps > 0; --steps) {
      if (!made.empty() && number(2) == 0) {
        const auto& from = made[number(made.size())];
        const std::size_t begin = number(from.size()), size = 1 + number(from.size() - begin);
        for (std::size_t times = periodic && number(4) == 0 ? 1 + number(6) : 1; times > 0; --times)
          pieces.insert(pieces.end(), from.begin() + static_cast<long>(begin),
                        from.begin() + static_cast<long>(begin + size));
      } else {
        for (std::size_t i = 1 + number(40); i > 0; --i)
          pieces.push_back(kPieces[number(std::size(kPieces))]);
      }
      if (pieces.size() > 3000) break;
    }
    made.push_back(pieces);
    std::string text = "号";
    for (const std::string_view piece : pieces) text += piece;
    texts.push_back(text);
  }
  return texts;
}

class TrimPassages : public TrimFiles, public ::testing::WithParamInterface<std::tuple<Border, bool>> {
 protected:
  Runs runs(const std::vector<std::string>& texts) {
    const std::vector<std::string> out = trimmed(texts);
    std::set<std::string> removed;
    for (const Json& row : rows("removed.jsonl")) removed.insert(row["id"]);
    const auto spans = rows("spans.jsonl");
    // The texts are the input without the spans.
    std::vector<std::string> expected = texts;
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
      std::string& text = expected[std::stoul((*span)["id"].get<std::string>())];
      EXPECT_EQ(text.substr((*span)["begin"], (*span)["text"].get<std::string>().size()), (*span)["text"]);
      text.erase((*span)["begin"], (*span)["text"].get<std::string>().size());
    }
    std::erase_if(expected,
                  [&, i = 0](const std::string&) mutable { return removed.contains(std::to_string(i++)); });
    EXPECT_EQ(out, expected);
    return {texts, spans, removed, job_.settings.least_units};
  }
};

TEST_P(TrimPassages, NoRunStaysTwiceAndNothingElseIsCut) {
  const auto [border, periodic] = GetParam();
  for (unsigned seed = 0; seed < 30; ++seed) {
    job_.settings = {.part = TextPart::passage, .least_units = 8 + seed % 13, .border = border};
    const Runs found = runs(random_texts(seed, periodic));
    EXPECT_EQ(found.twice(), 0u) << seed;
    EXPECT_EQ(found.lost([&](const std::string& run) { return found.all.at(run) > 1; }), 0u) << seed;
    if (!periodic) {
      EXPECT_EQ(found.lost([&](const std::string& run) { return found.kept.contains(run); }), 0u) << seed;
    }
  }
}

TEST_P(TrimPassages, NoRunThatRepeatsStaysIfNoneIsKept) {
  const auto [border, periodic] = GetParam();
  for (unsigned seed = 0; seed < 10; ++seed) {
    job_.settings = {
        .part = TextPart::passage, .kept_part = KeptPart::none, .least_units = 8 + seed, .border = border};
    const Runs found = runs(random_texts(seed, periodic));
    for (const auto& [run, times] : found.kept) EXPECT_EQ(found.all.at(run), 1u);
    EXPECT_EQ(found.lost([&](const std::string& run) { return found.all.at(run) > 1; }), 0u) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Borders, TrimPassages,
                         ::testing::Combine(::testing::Values(Border::sentence, Border::word,
                                                              Border::character),
                                            ::testing::Bool()));

TEST_F(TrimFiles, OutputsAreTheSameForAnyNumberOfThreadsAndLittleMemory) {
  std::string bytes;
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const std::string& text : random_texts(seed, true)) bytes += record(std::to_string(seed), text);
  given("in.jsonl", bytes);
  for (const TextPart part : {TextPart::line, TextPart::sentence, TextPart::passage}) {
    job_.settings = {.part = part, .least_units = part == TextPart::passage ? 12u : 0u};
    std::set<std::string> outputs;
    for (const unsigned threads : {1u, 2u, 7u}) {
      run(threads);
      outputs.insert(output() + output("spans.jsonl") + output("removed.jsonl"));
    }
    ASSERT_TRUE(trim_files(Context({.threads = 3, .memory = 66u << 20}), job_));
    outputs.insert(output() + output("spans.jsonl") + output("removed.jsonl"));
    EXPECT_EQ(outputs.size(), 1u);
  }
}

}  // namespace
}  // namespace leitong
