// Folders, one document a file, lines, pipes; encodings and HTML.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <random>
#include <thread>

#include "corpus/charset.hpp"
#include "corpus/corpus_fixture.hpp"
#include "corpus/html_text.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FileDocuments : public CorpusTest {};

TEST_F(FileDocuments, AFolderIsReadInByteOrderOfPaths) {
  put("in/b/z.txt", "z");
  put("in/b.txt", "b dot");
  put("in/b-c.txt", "b dash");
  put("in/a.md", "a");
  put("in/B.html", "<p>B</p>");
  put("in/.hidden/x.txt", "hidden");
  put("in/c.rst", "rst");
  open({(folder_ / "in").string()});
  EXPECT_THAT(texts(), ElementsAre("B", "a", "b dash", "b dot", "z", "rst"));
  EXPECT_TRUE(corpus_->one_document_a_file());
  EXPECT_EQ(place_name(4), "in/b/z.txt");
  EXPECT_EQ(corpus_->place(4).line, 0u);
  expect_random_access_equals_streaming();
  const auto scratch = corpus_->new_scratch();
  EXPECT_EQ(*corpus_->id(0, *scratch), (folder_ / "in/B.html").string());
  EXPECT_FALSE(corpus_->copy_kept([](DocId) { return true; }, [](std::string_view) { return Result<void>(); })
                   .has_value());
}

TEST_F(FileDocuments, FoldersMayHoldRecordFilesToo) {
  put("in/a.jsonl", "{\"text\":\"one\"}\n{\"text\":\"two\"}\n");
  put("in/b.txt", "three");
  put("in/c.jsonl", "{\"text\":\"four\"}\n");
  open({(folder_ / "in").string()});
  EXPECT_THAT(texts(), ElementsAre("one", "two", "three", "four"));
  EXPECT_FALSE(corpus_->one_document_a_file());
  expect_random_access_equals_streaming();
  const auto copied =
      corpus_->copy_kept([](DocId) { return true; }, [](std::string_view) { return Result<void>(); });
  ASSERT_FALSE(copied.has_value());
  EXPECT_THAT(copied.error().message, HasSubstr("b.txt"));
}

TEST_F(FileDocuments, ATableWithoutTheTextAmongOthersIsOneRecord) {
  put("in/a.csv", "id,text\n1,one\n");
  put("in/b.csv", "id,title\n2,two\n");
  put("in/c.txt", "three");
  open({(folder_ / "in").string()});
  EXPECT_THAT(texts(), ElementsAre("one", "three"));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("is missing (found: id, title)")));
}

TEST_F(FileDocuments, LinksInCirclesEnd) {
  put("in/a.txt", "a");
  std::filesystem::create_directory_symlink(folder_ / "in", folder_ / "in/again");
  std::filesystem::create_symlink(folder_ / "nowhere", folder_ / "in/dangling.txt");
  open({(folder_ / "in").string()});
  EXPECT_THAT(texts(), ElementsAre("a"));
  EXPECT_THAT(quarantine(),
              ElementsAre(R"({"place":"in/dangling.txt","reason":"No such file or directory"})"));
}

TEST_F(FileDocuments, WhatCantBeReadIsOneRecordEach) {
  put("in/a.txt", "a");
  ::mkfifo((folder_ / "in/pipe").c_str(), 0600);
  std::filesystem::create_directory(folder_ / "in/locked");
  std::filesystem::create_symlink("gone", folder_ / "in/link");
  put("in/secret.txt", "s");
  const bool root = ::geteuid() == 0;
  std::filesystem::permissions(folder_ / "in/locked", std::filesystem::perms::none);
  std::filesystem::permissions(folder_ / "in/secret.txt", std::filesystem::perms::none);
  open({(folder_ / "in").string()});
  std::filesystem::permissions(folder_ / "in/locked", std::filesystem::perms::owner_all);
  const auto bad = quarantine();
  EXPECT_THAT(bad, testing::Contains(HasSubstr("\"in/pipe\",\"reason\":\"not a file but a pipe")));
  EXPECT_THAT(bad, testing::Contains(HasSubstr("\"in/link\",\"reason\":\"No such file")));
  EXPECT_EQ(bad.size(), root ? 2u : 4u);
}

TEST_F(FileDocuments, AFileThatVanishesAfterListingIsOneRecord) {
  const auto path = put("in/a.txt", "a");
  put("in/b.txt", "b");
  auto opened = Corpus::open(options({(folder_ / "in").string()}), run_);
  ASSERT_TRUE(opened.has_value());
  corpus_ = std::move(*opened);
  std::filesystem::remove(path);
  streamed_ = stream(*corpus_);
  EXPECT_THAT(texts(), ElementsAre("b"));
  EXPECT_THAT(quarantine(),
              ElementsAre(HasSubstr("\"place\":\"in/a.txt\",\"reason\":\"can't be opened: No such file")));
  expect_random_access_equals_streaming();
}

TEST_F(FileDocuments, LinesAreDocumentsIfRequested) {
  auto input = options({put("a.txt", "one\r\n\n  \n two \nbad\xff\n")});
  input.kind = "lines";
  open(input);
  EXPECT_THAT(texts(), ElementsAre("one", " two "));
  EXPECT_EQ(place_name(1), "a.txt:4");
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.txt:5:4\",\"reason\":\"invalid UTF-8 at byte 4")));
  EXPECT_EQ(kept(), "one\r\n two \n");
}

TEST_F(FileDocuments, TheContentTellsTheKindWhereTheNameDoesNot) {
  open({put("a", " {\"text\":\"json\"}\n"), put("b", "<html><p>html</html>"), put("c", "plain")});
  EXPECT_THAT(texts(), ElementsAre("json", "html", "plain"));
}

TEST_F(FileDocuments, WholeFilesOfAnotherFormatAreOneRecordWithWhatConvertsThem) {
  std::string noise;
  std::mt19937 random(3);
  for (int i = 0; i < 300'000; ++i) noise += static_cast<char>(random());
  std::string picture = "\xff\xd8\xff\xe0";
  for (int i = 0; i < 5000; ++i) picture += "\n\x01\xfe";
  std::string docx("PK\x03\x04\x14\0\x06\0", 8);
  docx += "[Content_Types].xml and word/document.xml";
  open({put("a.jsonl", picture), put("b.jsonl", noise),
        put("c.csv",
            "\x7f"
            "ELF\n\n\n"),
        put("d.pdf", "a text by its content"), put("e.txt", "%PDF-1.7\n"), put("f", docx),
        put("g.jsonl", "{\\rtf1\\ansi"), put("h.DOCX", "")});
  EXPECT_THAT(texts(), IsEmpty());
  EXPECT_THAT(quarantine(),
              ElementsAre(HasSubstr("a picture"), HasSubstr("not a text: "), HasSubstr("a program"),
                          HasSubstr("its kind is text"), HasSubstr("pdftotext"), HasSubstr("pandoc"),
                          HasSubstr("an RTF document"), HasSubstr("its kind is text")));
}

TEST_F(FileDocuments, ContainersOfManyTextsAreNoTexts) {
  const std::string mail = "From a@b.example Mon Jan  1 00:00:00 2024\nFrom: a\nSubject: s\n\nBody\n";
  std::string tar(512, '\0');
  tar.replace(257, 5, "ustar");
  open({put("a", "filedesc://a.arc 0.0.0.0 20240101000000 text/plain 20\n1 0 x\n"), put("b", mail),
        put("c.mbox", "x"), put("d", tar), put("e.tar.gz", "x"), put("f.zip", "x"),
        put("g", "From here on: this is a text.\nIt goes on.\n"), put("h.txt", mail)});
  EXPECT_THAT(texts(), ElementsAre("From here on: this is a text.\nIt goes on.\n", mail));
  EXPECT_THAT(quarantine(),
              ElementsAre(HasSubstr("warcio recompress"), HasSubstr("a mailbox"), HasSubstr("a mailbox"),
                          HasSubstr("tar -xf"), HasSubstr("tar -xf"), HasSubstr("unzip")));
  auto input = options({put("b", mail)});
  input.kind = "lines";
  open(input);
  EXPECT_EQ(corpus_->size(), 4u);
}

TEST_F(FileDocuments, FilesThatWritersOfDatasetsPutBesideTheirDataAreNoRecords) {
  for (const char* name : {"in/_SUCCESS", "in/_metadata", "in/_common_metadata", "in/_committed_123",
                           "in/.part-0.crc", "hf/state.json", "hf/dataset_info.json", "dataset_dict.json"})
    put(name, "{\"a\":1}");
  put("in/part-0.jsonl", "{\"text\":\"one\"}\n");
  put("hf/data.arrow", "");
  put("us/state.json", "{\"text\":\"Ohio\"}");
  open({(folder_ / "in").string(), (folder_ / "us").string()});
  EXPECT_THAT(texts(), ElementsAre("one", "Ohio"));
  EXPECT_THAT(quarantine(), IsEmpty());
  open({(folder_ / "hf").string()});
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("data.arrow")));
  open({(folder_ / "hf/state.json").string()});  // a file that was named is read
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("is missing (found: a)")));
}

TEST_F(FileDocuments, OfSubtitlesTheTextIsWhatIsSpoken) {
  open({put("a.srt",
            "\xef\xbb\xbf"
            "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello,</i>\r\n{\\an8}Tom &amp; I < 3\r\n\r\n"
            "2\r\n00:00:03,000 --> 00:00:04,000\r\n1984\r\n\r\n3\r\n00:00:05,000 --> 00:00:06,000\r\n\r\n"),
        put("b.vtt",
            "WEBVTT - a film\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE nothing\n\n"
            "intro\n00:01.000 --> 00:02.000 align:start\n<v Ann>One <c.x>two</c>\nthree\n\n"
            "00:03.000 --> 00:04.000\nNOTE is a word\n"),
        put("c", "\n1\n00:00:01,000 --> 00:00:02,000\nsniffed\n2\n00:00:03,000 --> 00:00:04,000\nhere\n"),
        put("d", "1\nplain text --> no times\n")});
  EXPECT_THAT(texts(), ElementsAre("Hello,\nTom & I < 3\n1984", "One two\nthree\nNOTE is a word",
                                   "sniffed\nhere", "1\nplain text --> no times\n"));
  expect_random_access_equals_streaming();
}

TEST_F(FileDocuments, RecordsInAnyEncodingThatIsNamedOrMarked) {
  const std::string utf8 = "\xe4\xb8\xad\xe6\x96\x87";
  const std::string gbk = "\xd6\xd0\xce\xc4";
  auto input =
      options({put("a.jsonl", "{\"text\":\"" + gbk + "\"}\n{\"text\":\"\xff\xff\"}\n{\"text\":\"b\"}\n"),
               put("b.csv", "id,text\n1," + gbk + "\n"), put("c.txt", gbk)});
  input.encoding = "GBK";
  open(input);
  EXPECT_THAT(texts(), ElementsAre(utf8, "b", utf8, utf8));
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.jsonl:2:10\",\"reason\":\"invalid UTF-8")));
  expect_random_access_equals_streaming();

  std::string marked("\xff\xfe", 2);
  for (const char c : std::string("{\"text\":\"one\"}\r\n{\"text\":\"two\"}")) marked.append({c, '\0'});
  open({put("d.jsonl", marked)});
  EXPECT_THAT(texts(), ElementsAre("one", "two"));
  EXPECT_EQ(place_name(1), "d.jsonl:2");
  EXPECT_EQ(kept([](DocId d) { return d == 1; }), "\xef\xbb\xbf{\"text\":\"two\"}");
  expect_random_access_equals_streaming();

  input.encoding = "no-such-encoding";
  const auto refused = Corpus::open(input, run_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, HasSubstr("the encoding \"no-such-encoding\" is unknown"));
}

TEST_F(FileDocuments, AnUnknownKindIsNamedWithThoseThatAreKnown) {
  auto input = options({put("a.txt", "a")});
  input.kind = "docx";
  const auto refused = Corpus::open(input, run_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("\"docx\"; choose one of jsonl, csv, tsv, warc, parquet, "
                                                 "arrow, mediawiki, subtitles, office, lines, html, "
                                                 "text"));
}

TEST_F(FileDocuments, AFolderThatManyLinksLeadToIsListedOnce) {
  // Ten packages that link to each other: 10! paths through them.
  for (char a = 'a'; a < 'k'; ++a) put(std::string("in/") + a + "/x.txt", std::string(1, a));
  for (char a = 'a'; a < 'k'; ++a)
    for (char b = 'a'; b < 'k'; ++b)
      std::filesystem::create_directory_symlink(folder_ / (std::string("in/") + b),
                                                folder_ / (std::string("in/") + a + "/to-" + b));
  put("elsewhere/y.txt", "y");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "in/c/one");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "in/b/other");
  open({(folder_ / "in").string()});
  EXPECT_THAT(texts(), ElementsAre("a", "y", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
  EXPECT_EQ(place_name(1), "in/b/other/y.txt");
}

TEST_F(FileDocuments, FoldersMayBeNestedDeeperThanFilesMayBeOpen) {
  std::string deep = "in";
  for (int i = 0; i < 300; ++i) deep += "/d";
  put(deep + "/x.txt", "deep");
  rlimit old{};
  ::getrlimit(RLIMIT_NOFILE, &old);
  const rlimit few{64, old.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  open({(folder_ / "in").string()});
  ::setrlimit(RLIMIT_NOFILE, &old);
  EXPECT_THAT(texts(), ElementsAre("deep"));
  EXPECT_THAT(quarantine(), IsEmpty());
}

/// While it exists, no file can be opened.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &old_);
    const rlimit none{3, old_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &old_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit old_{};
};

TEST_F(FileDocuments, WhereNoMoreFilesMayBeOpenNoFileIsToBlame) {
  put("in/a.txt", "a");
  put("in/b.jsonl", "{\"text\":\"b\"}\n");
  put("in/c", "c");
  const Context context;
  const RunContext run(context);
  for (const char* what : {"in/a.txt", "in/b.jsonl", "in/c"}) {
    auto input = options({(folder_ / what).string()});
    input.found = true;  // as a folder's files are
    const auto corpus = Corpus::open(input, run).value();
    const NoDescriptors none;
    EXPECT_THAT(stream(*corpus).error,
                testing::AllOf(HasSubstr(what), HasSubstr("raise the limit (ulimit -n)")));
    EXPECT_EQ(corpus->quarantined(), 0u);
  }
  const NoDescriptors none;
  const auto listed = Corpus::open(options({(folder_ / "in").string()}), run);
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::limit);
  EXPECT_THAT(listed.error().message, HasSubstr("in: can't be listed: this process has as many files open"));
}

TEST_F(FileDocuments, ASystemErrorOfANamedFileEndsTheRun) {
  for (const char* kind : {"jsonl", "text"}) {
    auto input = options({"/proc/self/mem"});  // a regular file whose first page can't be read
    input.kind = kind;
    open(input);
    EXPECT_THAT(streamed_.error, testing::AllOf(testing::StartsWith("/proc/self/mem: can't be read: "),
                                                testing::Not(HasSubstr("mem: /proc"))))
        << kind;
    EXPECT_EQ(corpus_->quarantined(), 0u);
  }
  auto input = options({"/proc/self/mem"});
  input.kind = "jsonl";
  input.found = true;
  open(input);
  EXPECT_EQ(streamed_.error, "");
  EXPECT_EQ(corpus_->quarantined(), 1u);
}

TEST_F(FileDocuments, EncodingsAreTurnedIntoUtf8) {
  const std::string utf8 =
      "\xe4\xb8\xad\xe5\x9b\xbd\xe6\x96\x87\xe5\xad\x97\xe5\xa4\x84\xe7\x90\x86\xe7\xb3\xbb\xe7\xbb\x9f";
  const std::string gbk = "\xd6\xd0\xb9\xfa\xce\xc4\xd7\xd6\xb4\xa6\xc0\xed\xcf\xb5\xcd\xb3";
  std::string long_gbk, long_utf8;
  for (int i = 0; i < 10; ++i) {
    long_gbk += gbk;
    long_utf8 += utf8;
  }
  const std::string utf16("\xff\xfe\x2d\x4e\x41\x00\x3d\xd8\x00\xde", 10);
  open({put("gbk.txt", long_gbk), put("mark.txt", "\xef\xbb\xbf" + utf8), put("utf16.txt", utf16),
        put("page.html", "<meta charset=gb2312><p>" + gbk),
        put("lies.html", "<meta charset=gb2312><p>" + utf8)});
  EXPECT_THAT(texts(), ElementsAre(long_utf8, utf8,
                                   "\xe4\xb8\xad"
                                   "A"
                                   "\xf0\x9f\x98\x80",
                                   utf8, utf8));
  expect_random_access_equals_streaming();
}

TEST_F(FileDocuments, NoTextIsRefusedWithTheReason) {
  std::string broken;
  for (int i = 0; i < 50; ++i) broken += "\xe4\xb8\xad";
  open({put("a.txt", broken + "\xff" + broken), put("b.txt", std::string("ab\0c", 4)), put("c.txt", ""),
        put("d.txt", " \n\t"), put("e.html", "<script>x()</script>")});
  EXPECT_THAT(texts(), IsEmpty());
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.txt:1:51\",\"reason\":\"invalid UTF-8 at byte 151"),
                                        HasSubstr("b.txt:1:3\",\"reason\":\"a NUL byte at byte 3"),
                                        HasSubstr("c.txt\",\"reason\":\"the text is empty"),
                                        HasSubstr("d.txt\",\"reason\":\"the text is blank"),
                                        HasSubstr("e.html\",\"reason\":\"the text is empty")));
}

TEST_F(FileDocuments, APipeIsReadOnceAndAgain) {
  const auto path = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string lines;
  for (int i = 0; i < 60'000; ++i)
    lines += "{\"id\":" + std::to_string(i) + ",\"text\":\"text number " + std::to_string(i * 7) + "\"}\n";
  std::thread writer([&] { write_file(path, lines); });
  open({path});
  writer.join();
  EXPECT_EQ(corpus_->size(), 60'000u);
  EXPECT_EQ(corpus_->total_bytes(), 0u);
  EXPECT_EQ(kept(), lines);
  expect_random_access_equals_streaming();
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "work"));
}

TEST_F(FileDocuments, AHugeLineFromAPipeTakesNoMemory) {
  const auto path = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(path, std::ios::binary);
    out << "{\"text\":\"before\"}\n{\"text\":\"";
    const std::string piece(1 << 20, 'x');
    for (int i = 0; i < 256; ++i) out << piece;
    out << "\"}\n{\"text\":\"after\"}\n";
  });
  auto input = options({path});
  input.max_record_bytes = 1 << 20;
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  open(input);
  ::getrusage(RUSAGE_SELF, &after);
  writer.join();
  EXPECT_THAT(texts(), ElementsAre("before", "after"));
  EXPECT_THAT(
      quarantine(),
      ElementsAre(HasSubstr(
          "pipe:2\",\"reason\":\"record of 268435468 bytes is larger than the record limit of 1048576")));
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10) << "KiB";
}

std::string html(std::string_view page) {
  std::string text;
  EXPECT_EQ(html_to_text(page, text), "");
  return text;
}

TEST(HtmlText, GivesWhatAReaderSees) {
  EXPECT_EQ(html("<html><head><title>T</title><style>p{}</style><script>var a='<p>no</p>';</script></head>"
                 "<body><!-- no --><h1>Head</h1><p>One <b>bo</b>ld&nbsp;&amp; &#20013;<br>two\n  three</p>"
                 "<ul><li>x<li>y</ul><pre>a\n  b</pre></body></html>"),
            "T\nHead\nOne bold\xc2\xa0& \xe4\xb8\xad\ntwo three\nx\ny\na\n  b");
  EXPECT_EQ(html("no tags at all"), "no tags at all");
  EXPECT_EQ(html("<p>unclosed <i>tags <p>and more</b></div>"), "unclosed tags\nand more");
}

TEST(HtmlText, DeepNestingIsRefusedQuickly) {
  for (const char* tag : {"<div>", "<b>", "<table>", "<x>"}) {
    std::string page;
    for (int i = 0; i < 500'000; ++i) page += tag;
    std::string text;
    EXPECT_THAT(html_to_text(page, text), HasSubstr("nested deeper than")) << tag;
  }
}

TEST(HtmlText, FindsTheDeclaredCharset) {
  EXPECT_EQ(declared_charset("<meta charset=\"gbk\">"), "gbk");
  EXPECT_EQ(declared_charset("<META http-equiv=content-type content='text/html; CHARSET=Big5'>"), "Big5");
  EXPECT_EQ(declared_charset("<?xml version='1.0' encoding='euc-jp'?>"), "euc-jp");
  EXPECT_EQ(declared_charset("<p>charset of"), "");
}

TEST(DecodeText, NamesTheFault) {
  std::string buffer;
  EXPECT_THAT(decode_text("<meta charset=big5>\xa4\xa4\xff\xff", "big5", buffer).problem,
              HasSubstr("invalid big5 near byte"));
  EXPECT_EQ(decode_text("caf\xe9", "iso-8859-1", buffer).text, "caf\xc3\xa9");
  EXPECT_EQ(decode_text("plain", "no-such-charset", buffer).text, "plain");
}

}  // namespace
}  // namespace leitong
