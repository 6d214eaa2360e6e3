// One document as bytes, whatever it is stored as.
#include "leitong/document.hpp"

#include <gmock/gmock.h>

#include <string>

namespace leitong {
namespace {

using ::testing::HasSubstr;

const std::string kUtf8 = "\xe9\x9b\xb7\xe5\x90\x8c\xe6\x98\xaf\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82";
const std::string kGbk = "\xc0\xd7\xcd\xac\xca\xc7\xd6\xd0\xce\xc4\xa1\xa3";

std::string problem_of(std::string_view bytes, const DocumentHints& hints = {}) {
  const auto read = read_document(bytes, hints);
  return read ? "it was read" : read.error().message;
}

TEST(ReadDocument, RecognisesTheEncodingOrTakesTheNamedOne) {
  std::string many_gbk, many_utf8;
  for (int i = 0; i < 20; ++i) {
    many_gbk += kGbk;
    many_utf8 += kUtf8;
  }
  const auto recognised = read_document(many_gbk);
  ASSERT_TRUE(recognised) << recognised.error().message;
  EXPECT_EQ(recognised->text, many_utf8);
  EXPECT_EQ(recognised->kind, "text");
  EXPECT_EQ(recognised->encoding, "GB18030");
  EXPECT_EQ(read_document(kGbk, {.encoding = "GBK"}).value().text, kUtf8);
  std::string wide("\xff\xfe", 2);
  for (const char c : std::string("<p>page</p>")) wide.append({c, '\0'});
  EXPECT_EQ(read_document(wide).value().text, "page");
  EXPECT_EQ(read_document(wide).value().encoding, "UTF-16LE");
  EXPECT_THAT(problem_of("a", {.encoding = "no-such"}), HasSubstr("\"no-such\" is unknown"));
}

TEST(ReadDocument, APageIsReadWithoutItsMarkupUnlessItIsCalledAText) {
  const std::string page = "<!DOCTYPE html><title>One</title><p>two";
  EXPECT_EQ(read_document(page).value().text, "One\ntwo");
  EXPECT_EQ(read_document(page).value().kind, "html");
  EXPECT_EQ(read_document(page, {.form = DocumentForm::text}).value().text, page);
  EXPECT_EQ(read_document("bare", {.form = DocumentForm::html}).value().kind, "html");
}

TEST(ReadDocument, WhatHoldsNoTextIsRefusedByName) {
  EXPECT_THAT(problem_of("\x89PNG\r\n\x1a\n.."), HasSubstr("a picture"));
  EXPECT_THAT(problem_of(std::string_view("PK\x03\x04 other.bin", 15)), HasSubstr("ZIP archive"));
  EXPECT_THAT(problem_of(std::string_view("ab\0cd", 5)), HasSubstr("NUL"));
  std::string lost;
  for (int i = 0; i < 10; ++i) lost += "ab \xef\xbf\xbd";
  EXPECT_THAT(problem_of(lost), HasSubstr("10 of its 40 characters are control characters or U+FFFD"));
  EXPECT_EQ(problem_of("a few \xef\xbf\xbd\xef\xbf\xbd may be meant"), "it was read");
  EXPECT_THAT(problem_of("a\x01\x02\x03\x04z"), HasSubstr("4 of its 6 characters"));
  EXPECT_THAT(problem_of("long", {.most = 3}), HasSubstr("more than 3 bytes"));
}

TEST(ReadDocument, WithoutItsComponentADocumentIsRefusedWithBothRemedies) {
  // Test programs lie in a folder that has no components beside it or above it.
  const std::string said = problem_of("%PDF-1.7\n");
  EXPECT_THAT(said, HasSubstr("a PDF document: "));
  EXPECT_THAT(said, HasSubstr("pdftotext FILE.pdf"));
}

}  // namespace
}  // namespace leitong
