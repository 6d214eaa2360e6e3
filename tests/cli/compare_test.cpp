#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

class Compare : public ::testing::Test {
 protected:
  TempFolder folder_;
  std::string a_ = folder_.write("a.txt", "敏捷的棕色狐狸跳过懒狗。 The harbour was silent.\n");
  std::string b_ = folder_.write("b.txt", "\xEF\xBB\xBF敏捷的棕色狐狸，跳過懶狗！Nothing else\n");
};

TEST_F(Compare, ShowsMeasuresAndMarksWhatIsShared) {
  const Outcome outcome = leitong({"compare", a_, b_});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("jaccard "));
  EXPECT_THAT(outcome.out, HasSubstr("[1: 敏捷的棕色狐狸跳过懒狗]。 The harbour was silent."));
  EXPECT_THAT(outcome.out, HasSubstr("\n[1: 敏捷的棕色狐狸，跳過懶狗]！Nothing else\n"))
      << "the byte order mark is no text";
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b"))) << "no colour but on a terminal";
}

TEST_F(Compare, TakesTextsInsteadOfFiles) {
  const Json json = Json::parse(leitong({"compare", "--text", "Ｓａｍｅ words", "same WORDS", "--json"}).out);
  EXPECT_EQ(json["identical"], true);
  EXPECT_EQ(json["similar_by"], "identical");
}

TEST_F(Compare, ReadsStandardInputAsOneOfThem) {
  const Json json =
      Json::parse(leitong({"compare", "-", b_, "--json"}, "敏捷的棕色狐狸，跳過懶狗！Nothing else").out);
  EXPECT_EQ(json["identical"], true);
  const Outcome both = leitong({"compare", "-", "-"}, "text");
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("- is given twice"));
}

TEST_F(Compare, ReadsTheOtherTextFromStandardInputWhereOneIsNamed) {
  EXPECT_EQ(leitong({"compare", a_, "--json"}, read_file(b_)).out,
            leitong({"compare", a_, "-", "--json"}, read_file(b_)).out);
  EXPECT_EQ(run_program({"sh", "-c", LEITONG_BINARY " compare " + a_ + " < /dev/null"}).code, 2);
  EXPECT_EQ(leitong({"compare"}, "text").code, 2) << "one of the two has to be named";
  EXPECT_EQ(leitong({"compare", "--text", "one"}, "two").code, 2);
  EXPECT_EQ(leitong({"compare", "--text", "", "", "--json"}).code, 0) << "an empty text is a text";
}

TEST_F(Compare, FindsTwoDocumentsOfACorpusByTheirIds) {
  const std::string corpus = folder_.write("corpus.jsonl",
                                           "{\"key\":\"x\",\"body\":\"nothing of this\"}\n"
                                           "{\"key\":\"y\",\"body\":\"same words\"}\n"
                                           "{\"body\":\"SAME words\"}\n"
                                           "{\"key\":\"y\",\"body\":\"a later one of the same id\"}\n");
  const std::vector<std::string> in = {"compare", "--in",         corpus, "--id-field",
                                       "key",     "--text-field", "body"};
  const auto compared = [&](std::vector<std::string> ids) {
    ids.insert(ids.begin(), in.begin(), in.end());
    return leitong(ids);
  };
  const Json json = Json::parse(compared({"y", corpus + ":3", "--json"}).out);
  EXPECT_EQ(json["identical"], true) << "a document without an id goes by its place";
  EXPECT_EQ(json["a"]["name"], "y");
  const Outcome missing = compared({"y", "z"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("no document of " + corpus + " has the id \"z\""));
  EXPECT_EQ(compared({"y"}).code, 2);
  EXPECT_EQ(compared({"x", "y", "--text"}).code, 2);
}

TEST_F(Compare, SaysOnEveryFormWhatACorpusSays) {
  const std::string corpus = folder_.write("corpus.txt", "one line of the corpus\nand another one\n");
  const std::string page = folder_ / "page.html";
  const Outcome told = leitong({"compare", a_, b_, "--corpus", corpus, "--report", page, "--json"});
  ASSERT_EQ(told.code, 0) << told.err;
  const std::string reason = Json::parse(told.out)["in_corpus"]["reason"];
  EXPECT_THAT(reason, Not(IsEmpty()));
  EXPECT_THAT(read_file(page), HasSubstr("<p>In the corpus: " + reason + "</p>"));
  EXPECT_THAT(leitong({"compare", a_, b_, "--corpus", corpus}).out, HasSubstr("in the corpus: " + reason));
}

TEST_F(Compare, TakesAnIndexForACorpus) {
  const std::string index = folder_ / "seen", text = read_file(a_) + "and more of it\n";
  const std::string corpus = folder_.write("corpus.txt", text);
  ASSERT_EQ(leitong({"add", "--index", index, corpus}).code, 0);
  const Json by_index = Json::parse(leitong({"compare", a_, b_, "--corpus", index, "--json"}).out);
  const Json by_file = Json::parse(leitong({"compare", a_, b_, "--corpus", corpus, "--json"}).out);
  EXPECT_EQ(by_index, by_file);
  const Outcome as_input = leitong({"pairs", index});
  EXPECT_EQ(as_input.code, 2);
  EXPECT_THAT(as_input.err, HasSubstr(index + ": is an index"));
  EXPECT_THAT(as_input.err, HasSubstr("--reference-index"));
}

TEST_F(Compare, OfWholeTextsTheOwnMeasuresAreTheirs) {
  const std::string corpus = folder_.write("corpus.txt", "one line of the corpus\nand another one\n");
  const Json json = Json::parse(leitong({"compare", a_, b_, "--corpus", corpus, "--json"}).out);
  EXPECT_GT(json["jaccard"], 0);
  EXPECT_NEAR(json["in_corpus"]["own_jaccard"], json["jaccard"], 1e-6);
}

TEST_F(Compare, SaysThatItKnowsNoCorpusForAnyVerdict) {
  const std::string other = folder_.write("other.txt", "nothing of the two is in this line of text\n");
  for (const std::string& b : {b_, other}) {
    EXPECT_THAT(leitong({"compare", a_, b}).out, HasSubstr("--corpus FILE looks at that.")) << b;
    const Json json = Json::parse(leitong({"compare", a_, b, "--json"}).out);
    ASSERT_TRUE(json.contains("in_corpus"));
    EXPECT_TRUE(json["in_corpus"].is_null());
  }
  EXPECT_THAT(leitong({"compare", a_, a_}).out, Not(HasSubstr("--corpus")));
}

TEST_F(Compare, SaysWhatItCouldNotReadOfTheCorpus) {
  const std::string corpus =
      folder_.write("corpus.jsonl", "{\"text\": \"one line of the corpus\"}\n{\"body\": \"another one\"}\n");
  const Outcome some = leitong({"compare", a_, b_, "--corpus", corpus});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_THAT(some.err, HasSubstr("1 record couldn't be read and was left out, the first: " + corpus + ":2"));
  const Outcome none = leitong({"compare", a_, b_, "--corpus", corpus, "--text-field", "content"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("every record was quarantined"));
}

TEST_F(Compare, NamesTheSimhashOfTheShinglesApartFromTheMethod) {
  const Json json = Json::parse(leitong({"compare", a_, b_, "--json"}).out);
  EXPECT_TRUE(json.contains("shingle_simhash_distance"));
  EXPECT_FALSE(json.contains("simhash_distance"));
}

TEST_F(Compare, ReadsHtmlAsDedupDoes) {
  const std::string story = "<p>敏捷的棕色狐狸跳过懒狗。</p>The <b>harbour</b> was&nbsp;silent.";
  const std::string page =
      folder_.write("page.html", "<nav><a href=x>Home</a></nav>" + story + "<p>" + std::string(90, 'x'));
  const std::string plain =
      folder_.write("plain.txt", "敏捷的棕色狐狸跳过懒狗。The harbour was silent. " + std::string(90, 'x'));
  const std::string gbk = folder_.write("gbk.htm", "<meta charset=gbk><p>\xC0\xD7\xC9\xF9</p>");
  const auto identical = [&](const std::vector<std::string>& arguments) {
    return Json::parse(leitong(arguments).out)["identical"].get<bool>();
  };
  EXPECT_FALSE(identical({"compare", plain, page, "--json"}));
  EXPECT_TRUE(identical({"compare", plain, page, "--json", "--html-part", "main"}));
  EXPECT_TRUE(identical({"compare", folder_.write("thunder.txt", "雷声"), gbk, "--json"}));
}

TEST_F(Compare, EditDistanceCountsUnitsOrCharacters) {
  const auto similarity = [](const std::string& a, const std::string& b, const std::string& symbols) {
    const Outcome outcome =
        leitong({"compare", "--text", a, b, "--method", "edit", "--param", "symbols=" + symbols, "--json"});
    return Json::parse(outcome.out)["methods"][0]["similarity"].get<double>();
  };
  EXPECT_NEAR(similarity("kitten", "sitting", "characters"), 4. / 7, 1e-4);
  EXPECT_NEAR(similarity("kitten", "sitting", "units"), 1. / 4, 1e-4) << "ki tt en, si tt in g";
  EXPECT_NEAR(similarity("雷声，大", "雷声。大", "characters"), 3. / 4, 1e-4) << "a comma counts";
  EXPECT_NEAR(similarity("雷聲A", "雷声B", "characters"), 1. / 3, 1e-4) << "and no variant is folded";
  EXPECT_NEAR(similarity("！？", "！", "characters"), 1. / 2, 1e-4) << "symbols alone are characters, too";

  std::vector<std::string> pairs = {"pairs",    folder_.write("lines.txt", "今天雷声，大\n今天雷声啊大\n"),
                                    "--kind",   "lines",
                                    "--method", "edit",
                                    "--param",  "symbols=characters"};
  EXPECT_EQ(leitong(pairs).code, 2) << "a verifier would count units";
  pairs.emplace_back("--no-verify");
  EXPECT_THAT(leitong(pairs).out, HasSubstr("\t0.8333"));
}

TEST_F(Compare, AsksMethodsForTheirOwnWord) {
  const std::vector<std::string> command = {
      "compare", a_, b_, "--method", "minhash,edit,copies", "--param", "threshold=0.3"};
  auto as_json = command, as_page = command;
  as_json.emplace_back("--json");
  const Json methods = Json::parse(leitong(as_json).out)["methods"];
  ASSERT_EQ(methods.size(), 3u);
  EXPECT_EQ(methods[0]["signature_a"].get<std::string>().size(), 512u);
  EXPECT_GT(methods[0]["similarity"], 0);
  EXPECT_EQ(methods[1]["similar"], true) << "the parameter reaches it";
  EXPECT_EQ(methods[1]["signature_a"], nullptr) << "it compares the texts themselves";
  EXPECT_EQ(methods[2]["similar"], false);
  EXPECT_THAT(leitong(command).out, HasSubstr("\ncopies: not similar; 0.0000\n  A  "));
  as_page.insert(as_page.end(), {"--report", folder_ / "methods.html"});
  ASSERT_EQ(leitong(as_page).code, 0);
  EXPECT_THAT(read_file(folder_ / "methods.html"), HasSubstr("<dt>edit</dt><dd>similar; "));
  EXPECT_EQ(leitong({"compare", a_, b_, "--method", "minnhash"}).code, 2);
  EXPECT_EQ(leitong({"compare", a_, b_, "--method", "minhash", "--param", "mu=2"}).code, 2);
}

TEST_F(Compare, WritesAPageAndOverwritesNoneWithoutForce) {
  const std::string page = folder_ / "page.html";
  const std::string hostile = folder_.write("hostile.txt", "</script><script>alert(1)</script>");
  ASSERT_EQ(leitong({"compare", a_, hostile, "--report", page}).code, 0);
  EXPECT_THAT(read_file(page), StartsWith("<!doctype html>"));
  EXPECT_THAT(read_file(page), Not(HasSubstr("<script")));
  EXPECT_NE(leitong({"compare", a_, b_, "--report", page}).code, 0);
  EXPECT_THAT(read_file(page), HasSubstr("hostile.txt"));
  EXPECT_EQ(leitong({"compare", a_, b_, "--report", page, "--force"}).code, 0);
  EXPECT_THAT(read_file(page), Not(HasSubstr("hostile.txt")));
}

TEST_F(Compare, NamesTheFileThatCannotBeCompared) {
  const Outcome missing = leitong({"compare", a_, folder_ / "missing.txt"});
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(missing.err, HasSubstr("missing.txt"));
  std::string chinese;
  // One bad byte among them does not change the encoding.
  for (int i = 0; i < 20; ++i) chinese += "\xE4\xB8\xAD";
  const std::string broken = folder_.write("broken.txt", chinese + "\xFF" + chinese);
  const Outcome invalid = leitong({"compare", a_, broken});
  EXPECT_EQ(invalid.code, 1);
  EXPECT_THAT(invalid.err, HasSubstr("broken.txt"));
  EXPECT_THAT(invalid.err, HasSubstr("invalid UTF-8 at byte 61"));
}

TEST_F(Compare, WhatTheBaseHoldsDoesNotCount) {
  std::string sheet, ann, ben;
  for (int i = 0; i < 40; ++i)
    sheet +=
        "Question " + std::to_string(i * 7919) + ": what did the " + std::to_string(i) + "th ferry carry?\n";
  for (int i = 0; i < 12; ++i) {
    ann += "She says " + std::to_string(i * 104729) + ". ";
    ben += "But he " + std::to_string(i * 15485863) + " thinks. ";
  }
  const std::string base = folder_.write("sheet.txt", sheet);
  const std::string first = folder_.write("ann.txt", sheet + ann),
                    second = folder_.write("ben.txt", sheet + ben);
  Json json = Json::parse(leitong({"compare", first, second, "--json"}).out);
  EXPECT_EQ(json["similar"], true);
  EXPECT_EQ(json["in_corpus"], nullptr);
  json = Json::parse(leitong({"compare", first, second, "--base", base, "--json"}).out);
  EXPECT_EQ(json["in_corpus"]["similar"], false);
  EXPECT_EQ(json["in_corpus"]["only_base"], Json::array());
  EXPECT_THAT(leitong({"compare", first, second, "--base", base}).out, HasSubstr("\nwithout the base: "));
  // Somebody has handed in the sheet alone.
  json = Json::parse(leitong({"compare", base, second, "--base", base, "--json"}).out);
  EXPECT_EQ(json["in_corpus"]["similar"], false);
  EXPECT_EQ(json["in_corpus"]["only_base"], Json::array({"a"}));
  const std::string page = folder_ / "page.html";
  EXPECT_THAT(
      leitong({"compare", base, second, "--base", base, "--report", page}).out,
      HasSubstr("without the base: A holds nothing but the base, so only a copy of it would be similar"));
  EXPECT_THAT(read_file(page), HasSubstr("Without the base: A holds nothing but the base"));
  // A copy is a copy.
  json = Json::parse(leitong({"compare", base, base, "--base", base, "--json"}).out);
  EXPECT_EQ(json["in_corpus"]["similar"], true);
  EXPECT_EQ(json["in_corpus"]["only_base"], Json::array({"a", "b"}));
  const std::string empty = folder_.write("empty.txt", "...\n");
  EXPECT_THAT(leitong({"compare", first, second, "--base", empty}).err, HasSubstr("the base holds no text"));
}

TEST_F(Compare, OfEmptyFiles) {
  const std::string empty = folder_.write("empty.txt", "");
  EXPECT_THAT(leitong({"compare", empty, empty}).out, HasSubstr("The same text"));
  EXPECT_THAT(leitong({"compare", empty, a_}).out, HasSubstr("Not similar"));
}

}  // namespace
}  // namespace leitong::test
