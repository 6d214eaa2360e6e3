// leitong trim as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

constexpr std::string_view kPages =
    "{\"id\":\"a\",\"text\":\"Home\\nThe ferry leaves at six.\\n\"}\n"
    "{\"id\":\"b\",\"text\":\"Home\\nBread takes two hours.\\n\"}\n";
constexpr std::string_view kTrimmed =
    "{\"id\":\"a\",\"text\":\"Home\\nThe ferry leaves at six.\\n\"}\n"
    "{\"id\":\"b\",\"text\":\"Bread takes two hours.\\n\"}\n";

TEST(TrimCommand, ReadsAndWritesAsItIsTold) {
  const TempFolder folder;
  const std::string pages = folder.write("pages.jsonl", kPages);
  const Outcome piped = leitong({"trim", "-", "-o", "-"}, kPages);
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, kTrimmed);
  EXPECT_THAT(piped.err, HasSubstr("1 unchanged, 1 shorter, 0 removed"));
  const std::string out = folder / "out.jsonl";
  EXPECT_EQ(leitong({"trim", pages, "-o", out, "-q"}).err, "");
  EXPECT_EQ(read_file(out), kTrimmed);
  // What exists is not replaced, and what is read neither.
  EXPECT_EQ(leitong({"trim", pages, "-o", out}).code, 2);
  EXPECT_THAT(leitong({"trim", pages, "-o", pages, "--force"}).err, HasSubstr("input is never changed"));
}

TEST(TrimCommand, ADryRunWritesNothing) {
  const TempFolder folder;
  const std::string pages = folder.write("pages.jsonl", kPages);
  const Outcome outcome = leitong({"trim", pages, "-o", folder / "out.jsonl", "--dry-run", "--json"});
  EXPECT_EQ(outcome.code, 0);
  const Json figures = Json::parse(outcome.out);
  EXPECT_EQ(figures["documents"], 2);
  EXPECT_EQ(figures["changed"], 1);
  EXPECT_EQ(figures["cut_bytes"], 5);
  EXPECT_EQ(folder.list(), std::vector<std::string>{"pages.jsonl"});
  EXPECT_THAT(leitong({"trim", pages}).err, HasSubstr("nothing would be written"));
}

TEST(TrimCommand, ADryRunTellsTheSumsOfARunThatWrites) {
  const TempFolder folder;
  const std::string pages =
      folder.write("pages.jsonl", std::string(kPages) + "{\"id\":\"c\",\"text\":\"home\"}\nno record\n");
  for (const std::string part : {"line", "sentence", "passage"}) {
    const std::vector<std::string> settings = {"--part", part, "--json", "--least", "8", "--force"};
    const auto figures = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {"trim", pages});
      more.insert(more.end(), settings.begin(), settings.end());
      Json json = Json::parse(leitong(more).out);
      json.erase("seconds");
      return json;
    };
    const Json dry = figures({"--dry-run"});
    EXPECT_EQ(dry, figures({"-o", folder / "out.jsonl", "--spans", folder / "spans.jsonl"}));
    EXPECT_EQ(dry["records"], 4);
    EXPECT_EQ(dry["kept"].get<int>() + dry["removed"].get<int>() + dry["quarantined"].get<int>(), 4);
  }
}

TEST(TrimCommand, WritesAPageWithItsCommand) {
  const TempFolder folder;
  const std::string pages = folder.write("pages.jsonl", kPages);
  const std::string page = folder / "report.html";
  EXPECT_EQ(leitong({"trim", pages, "--report", page}).code, 0);
  EXPECT_THAT(read_file(page), HasSubstr("--report " + page));
  EXPECT_EQ(leitong({"trim", pages, "--report", page}).code, 2);
  const std::string items = folder.write("items.jsonl", "{\"text\":\"The ferry leaves at six.\"}\n");
  const std::string leaks = folder / "leaks.html";
  EXPECT_EQ(leitong({"decontaminate", pages, "--against", items, "--report", leaks}).code, 0);
  EXPECT_THAT(read_file(leaks), HasSubstr("leitong decontaminate"));
}

TEST(TrimCommand, FlagsSayWhatIsCut) {
  const TempFolder folder;
  const std::string pages = folder.write("pages.jsonl", kPages);
  const Outcome none =
      leitong({"trim", pages, "-o", "-", "--keep", "none", "--documents", "2", "--least", "2"});
  EXPECT_THAT(none.out, HasSubstr("\"text\":\"The ferry"));
  EXPECT_THAT(leitong({"trim", pages, "-o", "-", "--documents", "3"}).out, kPages);
  EXPECT_THAT(leitong({"trim", pages, "-o", "-", "--part", "passage", "--least", "9"}).out, kPages);
  EXPECT_THAT(leitong({"trim", pages, "-o", "-", "--border", "word"}).err, HasSubstr("--border"));
}

TEST(TrimCommand, BadRecordsAreCounted) {
  const Outcome some = leitong({"trim", "-", "-o", "-"}, std::string(kPages) + "{\"id\":1}\n");
  EXPECT_EQ(some.code, 0);
  EXPECT_EQ(some.out, kTrimmed);
  EXPECT_THAT(some.err, HasSubstr("1 record couldn't be read"));
  EXPECT_NE(leitong({"trim", "-", "-o", "-"}, "{\"id\":1}\n").code, 0);
}

}  // namespace
}  // namespace leitong::test
