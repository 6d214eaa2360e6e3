#include "job/sites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/corpus_fixture.hpp"
#include "leitong/job.hpp"

namespace leitong {
namespace {

TEST(SiteOf, IsTheRegistrableDomainOfAUrlOrHost) {
  EXPECT_EQ(site_of("https://news.example.com.cn/a/1.html?x=1#top"), "example.com.cn");
  EXPECT_EQ(site_of("http://user:word@WWW.Example.COM:8080/"), "example.com");
  EXPECT_EQ(site_of("//cdn.example.org/x"), "example.org");
  EXPECT_EQ(site_of("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(site_of("  https://example.com  "), "example.com");
  EXPECT_EQ(site_of("example.com."), "example.com");
}

TEST(SiteOf, IsTheHostWhereThereIsNoRegistrableDomain) {
  EXPECT_EQ(site_of("http://192.168.0.1/x"), "192.168.0.1");
  EXPECT_EQ(site_of("http://[::1]:80/x"), "[::1]");
  EXPECT_EQ(site_of("https://com.cn/"), "com.cn") << "a public suffix";
  EXPECT_EQ(site_of("http://localhost:8000/"), "localhost");
}

TEST(SiteOf, IsAnyOtherValueAsItIs) {
  EXPECT_EQ(site_of("Daily News"), "Daily News");
  EXPECT_EQ(site_of("42"), "42");
  EXPECT_EQ(site_of(" \t"), "");
  EXPECT_EQ(site_of(""), "");
}

class ReadingSites : public CorpusTest {
 protected:
  ReadingSites() {
    put("in.jsonl",
        "{\"id\": \"a\", \"text\": \"one text of several words\", \"url\": \"http://example.org/a\"}\n"
        "{\"id\": \"b\", \"text\": \"quite another one, unlike it\"}\n");
  }
  [[nodiscard]] Result<DedupSummary> run(std::string_view field) {
    DedupJob job;
    job.input.paths = {(folder_ / "in.jsonl").string()};
    job.site_field = field;
    return dedup_files(Context(), job);
  }
};

TEST_F(ReadingSites, DocumentsWithoutAValueAreCounted) {
  const auto summary = run("url");
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->without_site, 1u);
  EXPECT_THAT(summary->warnings, ::testing::Contains(RunWarning::without_site));
}

TEST_F(ReadingSites, AFieldThatNoRecordHasIsRefused) {
  const auto summary = run("site");
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(
      summary.error().message,
      ::testing::HasSubstr("the site field \"site\": field \"site\" is missing (found: id, text, url)"));
}

TEST_F(ReadingSites, ARecordThatHasTheFieldWithoutAValueIsNotSaidToLackIt) {
  put("in.jsonl", "{\"id\": \"a\", \"text\": \"one text of several words\", \"site\": null}\n");
  EXPECT_THAT(run("site").error().message, ::testing::HasSubstr("a value of the site field \"site\""));
}

TEST_F(ReadingSites, OfATableTheFieldIsNamedAlone) {
  put("in.csv", "id,text\na,one text of several words\n");
  DedupJob job;
  job.input.paths = {(folder_ / "in.csv").string()};
  job.site_field = "site";
  EXPECT_THAT(dedup_files(Context(), job).error().message,
              ::testing::HasSubstr("a value of the site field \"site\"; name one"));
}

}  // namespace
}  // namespace leitong
