// Files of records in other encodings than UTF-8: recognised as documents are, named in messages where they
// are not, and every name that the detector returns works.
#include <gmock/gmock.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include "corpus/charset.hpp"
#include "corpus/corpus_fixture.hpp"
#include "io/encoding.hpp"

namespace leitong {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string encoded(std::string_view utf8, const char* charset) {
  const auto text = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<std::int32_t>(utf8.size())});
  UErrorCode status = U_ZERO_ERROR;
  const Converter converter(ucnv_open(charset, &status));
  EXPECT_TRUE(U_SUCCESS(status)) << charset;
  std::string bytes(utf8.size() * 4 + 16, '\0');
  bytes.resize(static_cast<std::size_t>(ucnv_fromUChars(converter.get(), bytes.data(),
                                                        static_cast<std::int32_t>(bytes.size()),
                                                        text.getBuffer(), text.length(), &status)));
  EXPECT_TRUE(U_SUCCESS(status)) << charset;
  return bytes;
}

const std::string kChinese =
    "\xe4\xbb\x8a\xe5\xa4\xa9\xe6\x97\xa9\xe4\xb8\x8a\xe6\x88\x91\xe5\x80\x91\xe5\x88\xb0\xe6\xb2\xb3"
    "\xe9\x82\x8a\xe8\xb5\xb0\xe4\xba\x86\xe4\xb8\x80\xe5\x9c\x88\xef\xbc\x8c\xe9\xa2\xa8\xe5\xbe\x88\xe5"
    "\xa4\xa7\xe3\x80\x82";
const std::string kKorean =
    "\xec\x98\xa4\xeb\x8a\x98 \xec\x95\x84\xec\xb9\xa8\xec\x97\x90 \xec\x9a\xb0\xeb\xa6\xac\xeb\x8a\x94 "
    "\xea\xb0\x95\xea\xb0\x80\xeb\xa5\xbc \xea\xb1\xb8\xec\x97\x88\xeb\x8b\xa4. \xeb\xb0\x94\xeb\x9e\x8c\xec"
    "\x9d\xb4 \xeb\xa7\x8e\xec\x9d\xb4 \xeb\xb6\x88\xec\x97\x88\xeb\x8b\xa4.";

class RecordEncodings : public CorpusTest {};

TEST_F(RecordEncodings, FilesOfRecordsAreRecognisedAsDocumentsAre) {
  struct Known {
    const char* charset;
    const std::string& text;
  };
  for (const auto& [charset, text] :
       {Known{"gb18030", kChinese}, Known{"big5-hkscs", kChinese}, Known{"windows-949", kKorean}}) {
    std::string jsonl, csv = "id,text\n";
    for (int i = 0; i < 50; ++i) {
      jsonl += "{\"id\":" + std::to_string(i) + ",\"text\":\"" + text + std::to_string(i) + "\"}\n";
      csv += std::to_string(i) + "," + text + std::to_string(i) + "\n";
    }
    open({put("a.jsonl", encoded(jsonl, charset)), put("b.csv", encoded(csv, charset))});
    EXPECT_THAT(quarantine(), IsEmpty()) << charset;
    ASSERT_EQ(corpus_->size(), 100u) << charset;
    EXPECT_EQ(texts()[7], text + "7") << charset;
    EXPECT_EQ(texts()[57], text + "7") << charset;
    expect_random_access_equals_streaming();
    open({put("a.jsonl", encoded(jsonl, charset) + "{\"text\":\"x\x81 y\"}\n")});
    EXPECT_EQ(kept(), jsonl) << charset;
    EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("a.jsonl:51")));
  }
  // A character that only the wider form of the Korean encoding has.
  const std::string wide = "\xeb\x98\xa0";
  std::string lines;
  for (int i = 0; i < 50; ++i) lines += "{\"text\":\"" + kKorean + wide + "\"}\n";
  open({put("c.jsonl", encoded(lines, "windows-949"))});
  EXPECT_EQ(texts().back(), kKorean + wide);
  auto input = options({put("c.jsonl", encoded(lines, "windows-949"))});
  input.encoding = "EUC-KR";
  open(input);
  EXPECT_EQ(texts().back(), kKorean + wide);
}

TEST_F(RecordEncodings, AFewBytesAreNoEncodingAndTheMessageNamesWhatFits) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "{\"text\":\"plain\"}\n";  // more than is looked at before
  open({put("a.jsonl", lines + encoded("{\"text\":\"" + kChinese + kChinese + "\"}\n", "gb18030") +
                           "{\"text\":\"a\xff\"}\n" + "{\"text\":\"" + kChinese + "\xff" + kChinese +
                           "\"}\n")});
  EXPECT_EQ(corpus_->size(), 20'000u);
  EXPECT_EQ(kept(), lines);
  EXPECT_THAT(quarantine(), ElementsAre(HasSubstr("it fits the encoding GB18030: set the encoding"),
                                        testing::Not(HasSubstr("fits")), testing::Not(HasSubstr("fits"))));
}

TEST_F(RecordEncodings, AFileThatIsNearlyUtf8IsNotDecoded) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "{\"text\":\"" + kChinese + "\"}\n";
  open({put("a.jsonl", lines + "{\"text\":\"\xd6\xd0\xce\xc4\"}\n")});
  EXPECT_EQ(corpus_->size(), 100u);
  EXPECT_EQ(kept(), lines);
}

TEST(Encodings, EveryNameThatTheDetectorReturnsWorks) {
  for (const char* name :
       {"ASCII",        "UTF-8",        "UTF-16BE",     "UTF-16LE",     "UTF-32BE",     "UTF-32LE",
        "UTF-32",       "ISO-2022-JP",  "ISO-2022-CN",  "ISO-2022-KR",  "HZ-GB-2312",   "GB18030",
        "BIG5",         "EUC-TW",       "EUC-JP",       "SHIFT_JIS",    "EUC-KR",       "UHC",
        "ISO-8859-1",   "ISO-8859-2",   "ISO-8859-3",   "ISO-8859-4",   "ISO-8859-5",   "ISO-8859-6",
        "ISO-8859-7",   "ISO-8859-8",   "ISO-8859-9",   "ISO-8859-10",  "ISO-8859-11",  "ISO-8859-13",
        "ISO-8859-15",  "ISO-8859-16",  "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "WINDOWS-1253",
        "WINDOWS-1254", "WINDOWS-1255", "WINDOWS-1256", "WINDOWS-1257", "WINDOWS-1258", "IBM852",
        "IBM855",       "IBM865",       "IBM866",       "KOI8-R",       "MAC-CYRILLIC", "MAC-CENTRALEUROPE",
        "TIS-620",      "VISCII"}) {
    EXPECT_TRUE(check_encoding(name).has_value()) << name;
    std::string buffer;
    const bool is_wide =
        std::string_view(name).starts_with("UTF-16") || std::string_view(name).starts_with("UTF-32");
    if (is_wide) continue;
    const DecodedText decoded = decode_text("plain text", {}, buffer, name);
    EXPECT_EQ(decoded.text, "plain text") << name;
  }
  std::string buffer;
  EXPECT_EQ(decode_text("Ti\xaang Vi\xaet", {}, buffer, "VISCII").text, "Ti\xe1\xba\xbfng Vi\xe1\xbb\x87t");
  EXPECT_EQ(decode_text("\xaa\xfe", {}, buffer, "ISO-8859-16").text, "\xc8\x98\xc8\x9b");
}

TEST_F(RecordEncodings, EncodingsThatIcuLacksAreStreamedToo) {
  std::string lines, expected;
  for (int i = 0; i < 9000; ++i) lines += "{\"text\":\"Vi\xaet \xaa\"}\n";
  auto input = options({put("a.jsonl", lines)});
  input.encoding = "VISCII";
  open(input);
  EXPECT_EQ(corpus_->size(), 9000u);
  EXPECT_EQ(texts().back(), "Vi\xe1\xbb\x87t \xe1\xba\xbf");
  expect_random_access_equals_streaming();
}

}  // namespace
}  // namespace leitong
