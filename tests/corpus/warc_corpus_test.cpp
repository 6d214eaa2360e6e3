// WARC and WET: which records are documents, and what is lost of a damaged file.
#include <gmock/gmock.h>

#include "corpus/corpus_fixture.hpp"
#include "corpus/warc_record.hpp"
#include "io/encoder.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string record(const std::string& type, const std::string& fields, const std::string& block) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\n" + fields +
         "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
}
std::string response(const std::string& id, const std::string& http) {
  return record(
      "response",
      "WARC-Record-ID: <urn:uuid:" + id + ">\r\nWARC-Target-URI: http://harbour.example/" + id +
          "\r\nWARC-Date: 2024-05-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n",
      http);
}
std::string page(const std::string& id, const std::string& body, const std::string& more = "") {
  return response(id, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + more + "\r\n" + body);
}

class WarcCorpus : public CorpusTest {};

TEST_F(WarcCorpus, PagesAreDocumentsAndOtherRecordsAreCounted) {
  const std::string one = page("1", "<p>The ferry leaves at six.</p>"),
                    two = record("conversion", "Content-Type: text/plain\r\n", "Plain text of a page.");
  open({put(
      "a.warc",
      record("warcinfo", "", "software: none\r\n") + record("request", "", "GET / HTTP/1.1\r\n\r\n") + one +
          response("2", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nnothing") +
          response("3", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + std::string("\0\xff", 2)) +
          two)});
  EXPECT_EQ(streamed_.documents, (std::vector<Streamed::Document>{{"urn:uuid:1", "The ferry leaves at six."},
                                                                  {"", "Plain text of a page."}}));
  EXPECT_THAT(quarantine(), IsEmpty());
  EXPECT_EQ(corpus_->other_records(), 4u);
  EXPECT_EQ(corpus_->records(), 2u);
  EXPECT_EQ(kept(), one + two) << "byte for byte";
  EXPECT_EQ(kept([](DocId d) { return d == 1; }), two);
  expect_random_access_equals_streaming();
}

TEST_F(WarcCorpus, FieldsHaveTheNamesThatOtherFormatsUse) {
  InputOptions input = options({put("a.warc", page("1", "<p>text</p>"))});
  input.extra_fields = {"url", "date", "warc-type"};
  open(std::move(input));
  const auto scratch = corpus_->new_scratch();
  EXPECT_EQ(corpus_->field(0, "url", *scratch).value(), "http://harbour.example/1");
  EXPECT_EQ(corpus_->field(0, "date", *scratch).value(), "2024-05-01T00:00:00Z");
  EXPECT_EQ(corpus_->field(0, "warc-type", *scratch).value(), "response");
}

TEST_F(WarcCorpus, BodiesAreReadAsABrowserReadsThem) {
  const std::string chunked =
      page("1", "9\r\n<p>one th\r\n8;x=y\r\nree</p> \r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n");
  const std::string taken_back = page("2", "<p>no chunks any more</p>", "Transfer-Encoding: chunked\r\n");
  const std::string gbk =
      response("3", "HTTP/1.0 200 OK\nContent-Type: text/plain; charset=GBK\n\n\xb6\xc9\xb4\xac");
  const std::string brotli = page("4", "\x0b\x02\x80", "Content-Encoding: br\r\n");
  open({put("a.warc", chunked + taken_back + gbk + brotli)});
  EXPECT_THAT(texts(), ElementsAre("one three", "no chunks any more", "渡船"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("content coding \\\"br\\\"")));
}

TEST_F(WarcCorpus, ABrokenRecordCostsOneRecord) {
  const std::string good = page("1", "<p>one</p>"), also = page("2", "<p>two</p>");
  for (const std::string& broken :
       {std::string("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nxx\r\n\r\n"),
        std::string("WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n\r\n"),
        std::string("rubbish\nof two lines\r\n\r\n"),
        std::string("WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n\r\n\r\n")}) {
    open({put("a.warc", good + broken + also)});
    EXPECT_THAT(texts(), ElementsAre("one", "two")) << broken;
    EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("is no WARC record"))) << broken;
  }
  open({put("b.warc", good + also.substr(0, also.size() - 12))});
  EXPECT_THAT(texts(), ElementsAre("one"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("the record is cut off")));
}

TEST_F(WarcCorpus, ABombIsRefusedByItsSize) {
  std::string packed;
  const Encoder::Sink sink = [&](std::string_view part) -> Result<void> {
    packed += part;
    return {};
  };
  const auto encoder = make_encoder(Compression::gzip);
  ASSERT_TRUE(encoder->write(std::string(4 << 20, ' '), sink) && encoder->finish(sink));
  InputOptions input =
      options({put("a.warc", page("1", packed, "Content-Encoding: gzip\r\n") + page("2", "<p>two</p>"))});
  input.max_record_bytes = 1 << 20;
  open(std::move(input));
  EXPECT_THAT(texts(), ElementsAre("two"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("1048576")));
}

TEST_F(WarcCorpus, IsKnownByItsContentAndIsNotTakenForAText) {
  open(
      {put("archive", page("1", "<p>zero " + std::string(1, '\0') + " byte</p>") + page("2", "<p>two</p>"))});
  EXPECT_THAT(texts(), ElementsAre("zero byte", "two"));
}

// The ends of records are the same in one piece and in pieces of every size.
TEST(WarcScanner, FindsTheSameEndsInPiecesOfAnySize) {
  const std::string bytes = "\r\n" + page("1", "<p>one</p>") + "rubbish\r\n" +
                            page("2", "two\r\n\r\nWARC/1.0 in a block") +
                            "WARC/1.0\nContent-Length: 3\n\nabc\n\n" + page("3", "");
  std::vector<std::uint32_t> whole;
  const auto scanner = make_warc_scanner();
  EXPECT_EQ(scanner->whole_records(bytes, true, whole), bytes.size());
  EXPECT_EQ(whole.size(), 5u);
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    std::vector<std::uint32_t> ends;
    const std::size_t first = scanner->whole_records(std::string_view(bytes).substr(0, cut), false, ends);
    std::vector<std::uint32_t> rest;
    scanner->whole_records(std::string_view(bytes).substr(first), true, rest);
    for (const std::uint32_t end : rest) ends.push_back(end + static_cast<std::uint32_t>(first));
    ASSERT_EQ(ends, whole) << cut;
  }
  const std::string alone = page("1", std::string(1'000, 'x'));
  for (std::size_t size = 1; size <= alone.size(); ++size) {
    scanner->begin_record();
    std::size_t end = RecordScanner::npos, begin = 0;
    for (; end == RecordScanner::npos && begin < alone.size(); begin += size)
      end = scanner->record_end(std::string_view(alone + "WARC/").substr(begin, size));
    ASSERT_EQ(begin - size + end, alone.size()) << size;
  }
}

}  // namespace
}  // namespace leitong
