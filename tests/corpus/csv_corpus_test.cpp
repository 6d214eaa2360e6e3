// CSV and TSV: quotes, columns, stray quotes, headers.
#include <gmock/gmock.h>

#include <random>

#include "corpus/corpus_fixture.hpp"
#include "corpus/csv_scanner.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CsvCorpus : public CorpusTest {};

TEST_F(CsvCorpus, ReadsQuotedFieldsOverSeveralLines) {
  const std::string file =
      "\xef\xbb\xbf"
      "id,\"text\",n\r\n"
      "1,plain,x\r\n"
      "2,\"with, comma and \"\"quotes\"\"\",x\r\n"
      "\r\n"
      "3,\"two\r\nlines\",x\r\n"
      "4,5\" disk,x";
  open({put("a.csv", file)});
  EXPECT_EQ(
      streamed_.documents,
      (std::vector<Streamed::Document>{
          {"1", "plain"}, {"2", "with, comma and \"quotes\""}, {"3", "two\r\nlines"}, {"4", "5\" disk"}}));
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(place_name(2), "a.csv:5");
  EXPECT_EQ(place_name(3), "a.csv:7");
  std::string without_blank = file;
  without_blank.erase(without_blank.find("\r\n\r\n"), 2);
  EXPECT_EQ(kept(), without_blank);
  expect_random_access_equals_streaming();
}

TEST_F(CsvCorpus, TabsSeparateInTsv) {
  auto input = options({put("a.tsv", "text\tid\ttitle\na,b\t7\tT\n")});
  input.text_fields = {"title", "text"};
  open(input);
  EXPECT_EQ(streamed_.documents, (std::vector<Streamed::Document>{{"7", "T\na,b"}}));
}

TEST_F(CsvCorpus, AnUnknownColumnIsAnErrorThatListsThem) {
  open({put("a.csv", "id,body\n1,x\n")});
  EXPECT_THAT(
      streamed_.error,
      HasSubstr("a.csv:1: column \"text\" is missing (found: id, body); set the text field to one of these"));
}

TEST_F(CsvCorpus, RefusesRecordsThatDontFitTheHeader) {
  open({put("a.csv", std::string("id,text\n1\n2,b,c\n3,\"d\"e\n4,\xff\n5,\n6,  \n7,a\0b\n8,ok\n", 46))});
  EXPECT_THAT(texts(), ElementsAre("ok"));
  EXPECT_THAT(
      quarantine(),
      ElementsAre(HasSubstr("a.csv:2\",\"reason\":\"1 column, but the header has 2"),
                  HasSubstr("a.csv:3\",\"reason\":\"3 columns, but the header has 2"),
                  HasSubstr("a.csv:4:6\",\"reason\":\"something follows the closing quote of column 2"),
                  HasSubstr("\"id\":\"4\",\"place\":\"a.csv:5:3\",\"reason\":\"invalid UTF-8 at byte 1"),
                  HasSubstr("a.csv:6\",\"reason\":\"the text is empty"),
                  HasSubstr("a.csv:7\",\"reason\":\"the text is blank"),
                  HasSubstr("a.csv:8:4\",\"reason\":\"the text holds a NUL")));
}

TEST_F(CsvCorpus, AStrayQuoteCostsItsLine) {
  open({put("a.csv", "id,text\n1,a\n2,\"b\n3,c\n4,\"d\"\n5,e\n")});
  EXPECT_THAT(texts(), ElementsAre("a", "c", "d", "e"));
  EXPECT_THAT(quarantine(),
              ElementsAre(HasSubstr("a.csv:3:3\",\"reason\":\"the quote that opens column 2 isn't closed")));

  open({put("a.csv", "id,text\n1,a\n2,\"b\n3,c\n4,d\n")});
  EXPECT_THAT(texts(), ElementsAre("a", "c", "d"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.csv:3")));
}

TEST_F(CsvCorpus, AFaultInALaterLineOfARecordIsNamedByThatLine) {
  open({put("a.csv", "id,text\n2,\"渡船\n雾\xff\"\n3,ok\n")});
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.csv:3:2\",\"reason\":\"invalid UTF-8")));
}

TEST_F(CsvCorpus, HeadersAreWrittenOnceAndMustAgree) {
  const auto a = put("a.csv", "id,text\n1,a\n2,b");
  const auto b = put("b.csv", "id,text\n3,c\n");
  open({a, b});
  EXPECT_EQ(kept(), "id,text\n1,a\n2,b\n3,c\n");
  EXPECT_EQ(kept([](DocId d) { return d == 2; }), "id,text\n3,c\n");

  open({a, put("c.csv", "text,id\nd,4\n")});
  const auto copied =
      corpus_->copy_kept([](DocId) { return true; }, [](std::string_view) { return Result<void>(); });
  ASSERT_FALSE(copied.has_value());
  EXPECT_THAT(copied.error().message, HasSubstr("c.csv: their headers differ"));
}

TEST_F(CsvCorpus, ATableThatNothingIsKeptOfKeepsItsHeader) {
  const auto none = [](DocId) { return false; };
  open({put("a.csv", "id,text\n1,a\n"), put("b.csv", "id,text\n2,b\n")});
  EXPECT_EQ(kept(none), "id,text\n");
  open({put("c.csv", "id,text\n")});
  EXPECT_EQ(kept(none), "id,text\n");
  open({put("d.jsonl", "{\"id\":\"1\",\"text\":\"a\"}\n")});
  EXPECT_EQ(kept(none), "");
}

TEST_F(CsvCorpus, ALongQuotedRecordIsReadWholeOrRefusedWhole) {
  std::string text;
  while (text.size() < 6'000'000) text += "a line, with \"\"quotes\"\" and\n";
  const std::string file = "id,text\n1,\"" + text + "\"\n2,b\n";
  const auto path = put("a.csv", file);
  open({path});
  EXPECT_EQ(corpus_->size(), 2u);
  EXPECT_EQ(kept(), file);

  auto input = options({path});
  input.max_record_bytes = 1000;
  open(input);
  EXPECT_THAT(texts(), ElementsAre("b"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.csv:2")));
}

TEST_F(CsvCorpus, TheDelimiterIsThatWithWhichTheHeaderHasTheTexts) {
  for (const char* file :
       {"id;text\n1;a, b\n", "id\ttext\n1\ta, b\n", "id|text\n1|a, b\n", "id,text\n1,\"a, b\"\n"}) {
    for (const char* name : {"a.csv", "a.tsv"}) {
      open({put(name, file)});
      EXPECT_EQ(streamed_.documents, (std::vector<Streamed::Document>{{"1", "a, b"}})) << file;
      EXPECT_EQ(kept(), file);
    }
  }
  auto input = options({put("b.csv", "id:text\n1:a,b\n")});
  input.delimiter = ":";
  open(input);
  EXPECT_THAT(texts(), ElementsAre("a,b"));
  input.delimiter = "tab";
  open(input);
  EXPECT_THAT(streamed_.error, HasSubstr("separated by tabs"));
  for (const char* wrong : {"\"", "ab", "\n", "\xc3\xa9"}) {
    input.delimiter = wrong;
    EXPECT_EQ(Corpus::open(input, run_).error().setting, "delimiter") << wrong;
  }
}

TEST_F(CsvCorpus, AMissingColumnIsReportedWithTheDelimiterThatIsSeen) {
  open({put("a.csv", "id;body;n\n1;x;2\n")});
  EXPECT_THAT(streamed_.error, HasSubstr("column \"text\" is missing (found: id, body, n)"));
  EXPECT_THAT(streamed_.error, HasSubstr("separated by semicolons"));
  auto input = options({put("a.csv", "id,text\n1,x\n")});
  input.text_fields = {"messages[].content"};
  open(input);
  EXPECT_THAT(streamed_.error,
              HasSubstr("\"messages[].content\" names a list, and a table of text has none"));
}

TEST_F(CsvCorpus, QuotesInsideOfValuesOfATsvAreCharacters) {
  const std::string file = "id\ttext\n1\t\"Hello\" he said\n2\t\"a\n3\tb\n4\tc\"\n5\t\"d\n6\te\"\n";
  open({put("a.tsv", file)});
  EXPECT_THAT(texts(), ElementsAre("\"Hello\" he said", "\"a", "b", "c\"", "\"d", "e\""));
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(kept(), file);
  expect_random_access_equals_streaming();
  // Quotes that are there to enclose values still do.
  const std::string quoted = "id\ttext\n1\t\"tab\there\"\n2\t\"two\nlines\"\n3\t\"a \"\"b\"\"\"\n";
  open({put("b.tsv", quoted)});
  EXPECT_THAT(texts(), ElementsAre("tab\there", "two\nlines", "a \"b\""));
  // The user may say it.
  auto input = options({put("c.tsv", "id\ttext\n1\t\"a\"\n")});
  input.quote = "none";
  open(input);
  EXPECT_THAT(texts(), ElementsAre("\"a\""));
  input = options({put("a.tsv", file)});
  input.quote = "\"";
  open(input);
  EXPECT_THAT(texts(), ElementsAre("a\n3\tb\n4\tc", "d\n6\te"));
  input.quote = "'";
  EXPECT_EQ(Corpus::open(input, run_).error().setting, "quote");
}

TEST_F(CsvCorpus, QuotesThatJoinWholeRowsOfATsvCostOneRow) {
  std::string file = "id\ttext\n";
  for (int i = 0; i < 40'000; ++i) file += std::to_string(i) + "\t\"a\"\n";  // more than is looked at before
  open({put("a.tsv", file + "x\t\"b\ny\tc\nz\td\"\n")});
  EXPECT_EQ(corpus_->size(), 40'002u);
  EXPECT_EQ(texts().back(), "d\"");
  EXPECT_THAT(quarantine(),
              ElementsAre(testing::AllOf(HasSubstr("a.tsv:40002"),
                                         HasSubstr("the quote that opens column 2 isn't closed"),
                                         HasSubstr("set the quote to none"))));
}

TEST_F(CsvCorpus, FilesWithAndWithoutQuotesAreNotMixed) {
  const auto a = put("a.tsv", "id\ttext\n1\t\"a\" b\n"), b = put("b.tsv", "id\ttext\n2\t\"c\"\n");
  open({a, b});
  EXPECT_THAT(texts(), ElementsAre("\"a\" b", "c"));
  const auto copied =
      corpus_->copy_kept([](DocId) { return true; }, [](std::string_view) { return Result<void>(); });
  EXPECT_THAT(copied.error().message, HasSubstr("b.tsv: quotes enclose values in one of them"));
}

/// A slow reference implementation: one character at a time, for records with well-formed quotes.
std::vector<std::uint32_t> ends_by_parity(std::string_view bytes) {
  std::vector<std::uint32_t> ends;
  bool quoted = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '"') quoted = !quoted;
    if (bytes[i] == '\n' && !quoted) ends.push_back(static_cast<std::uint32_t>(i + 1));
  }
  if (!bytes.empty() && (ends.empty() || ends.back() != bytes.size()))
    ends.push_back(static_cast<std::uint32_t>(bytes.size()));
  return ends;
}

std::string random_csv(std::mt19937& random) {
  std::string file;
  for (unsigned record = random() % 20; record > 0; --record) {
    for (unsigned column = 0; column < 3; ++column) {
      if (column > 0) file += ',';
      const bool quoted = random() % 2 == 0;
      if (quoted) file += '"';
      for (unsigned i = random() % 8; i > 0; --i) {
        static constexpr std::string_view kPieces[] = {"a", "bc", "\"\"", ",", "\n", "\r\n"};
        file += kPieces[random() % (quoted ? 6 : 2)];
      }
      if (quoted) file += '"';
    }
    file += random() % 2 == 0 ? "\n" : "\r\n";
  }
  if (random() % 2 == 0 && file.ends_with('\n')) file.pop_back();
  return file;
}

TEST(CsvScanner, FindsTheEndsThatParityFindsHoweverTheBytesCome) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string file = random_csv(random);
    const auto expected = ends_by_parity(file);
    CsvScanner whole(CsvDialect{}, 0);
    std::vector<std::uint32_t> ends;
    EXPECT_EQ(whole.whole_records(file, true, ends), file.size());
    ASSERT_EQ(ends, expected) << file;

    // In pieces: an incomplete record is passed again with more bytes after it.
    CsvScanner pieces(CsvDialect{}, 0);
    std::vector<std::uint32_t> found;
    std::size_t begin = 0, end = 0;
    while (begin < file.size()) {
      end = std::min(file.size(), end + 1 + random() % 10);
      std::vector<std::uint32_t> part;
      const std::size_t last =
          pieces.whole_records(std::string_view(file).substr(begin, end - begin), end == file.size(), part);
      for (const std::uint32_t e : part) found.push_back(static_cast<std::uint32_t>(begin) + e);
      begin += last;
    }
    ASSERT_EQ(found, expected) << file;

    // One record, a few bytes at a time.
    if (expected.empty()) continue;
    CsvScanner single(CsvDialect{}, 0);
    single.begin_record();
    std::size_t at = 0, record_end = CsvScanner::npos;
    while (record_end == CsvScanner::npos && at < file.size()) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 3, file.size() - at);
      const std::size_t hit = single.record_end(std::string_view(file).substr(at, size));
      if (hit != CsvScanner::npos) record_end = at + hit;
      at += size;
    }
    EXPECT_EQ(record_end == CsvScanner::npos ? file.size() : record_end, expected[0]) << file;
  }
}

}  // namespace
}  // namespace leitong
