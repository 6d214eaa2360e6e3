#include "job/sites.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace leitong
