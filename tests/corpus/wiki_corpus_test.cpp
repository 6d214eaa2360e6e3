// XML dumps of MediaWiki: pages, their fields, and what is written again.
#include <gmock/gmock.h>

#include "corpus/corpus_fixture.hpp"
#include "corpus/wiki_page.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHead =
    "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" version=\"0.11\">\n"
    "  <siteinfo>\n    <sitename>W</sitename>\n  </siteinfo>\n";

std::string page(const std::string& id, const std::string& title, const std::string& text) {
  return "<page>\n    <title>" + title + "</title>\n    <ns>0</ns>\n    <id>" + id +
         "</id>\n    <revision>\n      <id>9" + id +
         "</id>\n      <timestamp>2024-01-02T03:04:05Z</timestamp>\n      "
         "<contributor><id>5</id></contributor>\n"
         "      <text bytes=\"3\" xml:space=\"preserve\">" +
         text + "</text>\n    </revision>\n  </page>";
}

class WikiCorpus : public CorpusTest {};

TEST_F(WikiCorpus, PagesAreDocuments) {
  const std::string dump = kHead + "  " + page("1", "A &amp; B", "one &lt;b&gt; &#x4e2d;&#25991; &nbsp;") +
                           "\n  " + page("2", "C", "two") + "\n</mediawiki>\n";
  auto input = options({put("dump.xml", dump)});
  input.extra_fields = {"title", "timestamp", "revision", "ns"};
  open(input);
  EXPECT_EQ(streamed_.documents, (std::vector<Streamed::Document>{
                                     {"1", "one <b> \xe4\xb8\xad\xe6\x96\x87 &nbsp;"}, {"2", "two"}}));
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(place_name(0), "dump.xml:5");
  const auto scratch = corpus_->new_scratch();
  EXPECT_EQ(*corpus_->field(0, "title", *scratch), "A & B");
  EXPECT_EQ(*corpus_->field(0, "timestamp", *scratch), "2024-01-02T03:04:05Z");
  EXPECT_EQ(*corpus_->field(1, "revision", *scratch), "92");
  expect_random_access_equals_streaming();
  EXPECT_EQ(kept([](DocId d) { return d == 1; }), kHead + page("2", "C", "two") + "\n</mediawiki>\n");
  EXPECT_EQ(kept([](DocId) { return false; }), kHead + "</mediawiki>\n");
  // The output is a dump again.
  open({put("again", kept())});
  EXPECT_EQ(corpus_->size(), 2u);
}

TEST_F(WikiCorpus, TitlesMayBeTextsAndUnknownFieldsAreNamed) {
  auto input =
      options({put("a", "<?xml version=\"1.0\"?>\n" + kHead + page("1", "Title", "text") + "</mediawiki>")});
  input.text_fields = {"title", "text"};
  open(input);
  EXPECT_THAT(texts(), ElementsAre("Title\ntext"));
  input.text_fields = {"body"};
  open(input);
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a page of a dump has the fields id, title")));
}

TEST_F(WikiCorpus, TheLastRevisionCounts) {
  std::string history = page("1", "A", "old");
  history.insert(history.find("  </page>"),
                 "    <revision>\n      <id>7</id>\n      <timestamp>T</timestamp>\n      <text>new</text>\n "
                 "   </revision>\n");
  open({put("a", kHead + history + "</mediawiki>")});
  EXPECT_THAT(texts(), ElementsAre("new"));
}

TEST_F(WikiCorpus, WhatIsNoWholePageCostsOneRecord) {
  open({put("a", kHead + page("1", "A", "one") +
                     "<page><title>B</title><id>2</id></page><page><title>C</title><id>3</id>"
                     "<revision><text deleted=\"deleted\" /></revision></page>\n" +
                     page("4", "D", "four") + "\n<page><title>E</title><id>5</id><revision><text>cut")});
  EXPECT_THAT(texts(), ElementsAre("one", "four"));
  EXPECT_THAT(quarantine(),
              ElementsAre(HasSubstr("no revision"), HasSubstr("the text is empty"), HasSubstr("cut off")));
}

TEST_F(WikiCorpus, VeryLargePagesAreReadWholeOrRefusedWhole) {
  const std::string large = page("1", "A", std::string(9'000'000, 'x'));
  const auto path = put("a.xml", kHead + large + "\n" + page("2", "B", "b") + "\n</mediawiki>\n");
  open({path});
  EXPECT_EQ(corpus_->size(), 2u);
  EXPECT_EQ(texts()[0].size(), 9'000'000u);
  expect_random_access_equals_streaming();
  auto input = options({path});
  input.max_record_bytes = 100'000;
  open(input);
  EXPECT_THAT(texts(), ElementsAre("b"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("larger than the record limit")));
}

TEST(WikiScanner, FindsEndsThatLieBetweenPieces) {
  const std::string bytes = "<page>x</page>\n";
  for (std::size_t cut = 1; cut < bytes.size() - 1; ++cut) {
    const auto scanner = make_wiki_scanner();
    scanner->begin_record();
    const std::size_t first = scanner->record_end(bytes.substr(0, cut));
    const std::size_t end =
        first != RecordScanner::npos ? first : cut + scanner->record_end(bytes.substr(cut));
    EXPECT_EQ(end, bytes.find("</page>") + 7) << cut;
  }
}

}  // namespace
}  // namespace leitong
