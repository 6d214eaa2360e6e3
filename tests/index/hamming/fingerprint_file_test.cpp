#include "index/hamming/fingerprint_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/output_file.hpp"

namespace leitong::hamming {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HammingFile : public ::testing::Test {
 protected:
  HammingFile() { std::filesystem::create_directories(folder_); }
  ~HammingFile() override { std::filesystem::remove_all(folder_); }

  std::string write(std::string_view bytes) {
    std::ofstream(folder_ / name_, std::ios::binary) << bytes;
    return (folder_ / name_).string();
  }
  template <Fingerprint F = Fingerprint64>
  std::vector<F> values(std::string_view bytes, FileFormat format = FileFormat::automatic) {
    const auto file = open_fingerprints<F>(write(bytes), format);
    EXPECT_TRUE(file.has_value()) << file.error().message;
    std::vector<F> all;
    if (!file) return all;
    ids_ = file->ids;
    without_ = file->without;
    EXPECT_TRUE(for_each_piece(*file->source, 0, file->source->size(),
                               [&](std::span<const F> piece, std::uint64_t) -> Result<void> {
                                 all.insert(all.end(), piece.begin(), piece.end());
                                 return {};
                               }));
    return all;
  }
  template <Fingerprint F = Fingerprint64>
  std::string error(std::string_view bytes, FileFormat format = FileFormat::automatic) {
    const auto file = open_fingerprints<F>(write(bytes), format);
    EXPECT_FALSE(file.has_value());
    return file ? "" : file.error().message;
  }

  std::string name_ = "file";
  std::vector<std::string> ids_;
  std::uint64_t without_ = 0;

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("leitong_fingerprints_" + std::to_string(getpid()));
};

std::string words(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return bytes;
}

TEST_F(HammingFile, AControlCharacterInAnIdLeavesATextAText) {
  const std::string row = "a\x01\t00000000000000ff\n";
  std::string text;
  while (text.empty() || text.size() % 8 != 0) text += row;
  EXPECT_EQ(values(text), std::vector<Fingerprint64>(text.size() / row.size(), 0xff));
  EXPECT_EQ(ids_.front(), "a\x01");
  EXPECT_EQ(values("a\\x01\tff\nb\tfe\n"), (std::vector<Fingerprint64>{0xff, 0xfe}));
  EXPECT_EQ(ids_.front(), "a\x01") << "as leitong writes it";
}

std::string gzip(const std::string& bytes) {
  const std::string packed_name =
      std::filesystem::temp_directory_path() / ("leitong_packed_" + std::to_string(getpid()) + ".gz");
  const auto out = OutputFile::create(packed_name, true);
  EXPECT_TRUE(out && (*out)->write(bytes) && (*out)->commit());
  std::ifstream file(packed_name, std::ios::binary);
  std::string packed(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(packed_name);
  return packed;
}

std::string npy(const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + data;
}

TEST_F(HammingFile, RawWordsAreTheFingerprints) {
  EXPECT_THAT(values(words({1, ~0ULL, 0x8000000000000000ULL})),
              ElementsAre(1u, ~0ULL, 0x8000000000000000ULL));
  EXPECT_THAT(values<Fingerprint128>(words({1, 2, 3, 4})),
              ElementsAre(Fingerprint128{1, 2}, Fingerprint128{3, 4}));
  EXPECT_TRUE(values("").empty());
}

TEST_F(HammingFile, ARawFileThatEndsWithinAFingerprintNamesTheOffset) {
  EXPECT_THAT(error(words({1, 2}) + "abc"), HasSubstr("offset 16"));
  EXPECT_THAT(error<Fingerprint128>(words({1, 2, 3})), HasSubstr("offset 16"));
}

TEST_F(HammingFile, ArraysOfNumPyAreRead) {
  const std::string header = "{'descr': '<u8', 'fortran_order': False, 'shape': (2,), }      \n";
  EXPECT_THAT(values(npy(header, words({7, 9}))), ElementsAre(7u, 9u));
  const std::string wide = "{'descr': '<u8', 'fortran_order': False, 'shape': (1, 2), }\n";
  EXPECT_THAT(values<Fingerprint128>(npy(wide, words({7, 9}))), ElementsAre(Fingerprint128{7, 9}));
}

TEST_F(HammingFile, ArraysThatAreNoFingerprintsSayWhatTheyAre) {
  const auto header = [](const std::string& type, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  };
  EXPECT_THAT(error(npy(header("<f8", "(2,)"), words({7, 9}))), HasSubstr("'<f8'"));
  EXPECT_THAT(error(npy(header("<u8", "(1, 2)"), words({7, 9}))), HasSubstr("shape (1, 2)"));
  EXPECT_THAT(error(npy(header("<u8", "(3,)"), words({7, 9}))), HasSubstr("2 of 3"));
  EXPECT_THAT(error(npy(header("<u8", "(1,)"), words({7, 9}))), HasSubstr("8 bytes follow the array"));
  EXPECT_THAT(error(npy(header("<u8", "(-2,)"), words({7, 9}))), HasSubstr("shape (-2,)"));
  EXPECT_THAT(error(npy(header("<u8", "(2,)"), words({7, 9})).substr(0, 30)), HasSubstr("header"));
  EXPECT_THAT(error(std::string("\x93NUMPY\x09\x00zzzzzzzz", 16)), HasSubstr("version 9"));
}

TEST_F(HammingFile, TextIsHexOrDecimalWithOrWithoutIds) {
  EXPECT_THAT(values("0xff\n10\r\n\nABCDEF0123456789\n"), ElementsAre(0xffu, 0x10u, 0xabcdef0123456789ULL));
  EXPECT_THAT(values("18446744073709551615\n7\n"), ElementsAre(~0ULL, 7u));
  EXPECT_THAT(values("a b\tff\nc\t1"), ElementsAre(0xffu, 1u));
  EXPECT_THAT(ids_, ElementsAre("a b", "c"));
  EXPECT_THAT(values<Fingerprint128>("0123456789abcdef0000000000000001\n"),
              ElementsAre(Fingerprint128{1, 0x0123456789abcdefULL}));
  EXPECT_THAT(values<Fingerprint128>("340282366920938463463374607431768211455\n1\n"),
              ElementsAre(Fingerprint128{~0ULL, ~0ULL}, Fingerprint128{1, 0}));
}

TEST_F(HammingFile, TextMayBeBinary) {
  const std::string zeros(60, '0');
  EXPECT_THAT(values("x\t" + zeros + "1010\ny\t" + zeros + "0001\n"), ElementsAre(10u, 1u))
      << "told by its length";
  EXPECT_THAT(ids_, ElementsAre("x", "y"));
  EXPECT_THAT(values("0b101\n11\n", FileFormat::binary), ElementsAre(5u, 3u));
  EXPECT_THAT(values<Fingerprint128>("1" + std::string(127, '0') + "\n"),
              ElementsAre(Fingerprint128{0, 1ULL << 63}));
  EXPECT_THAT(error(std::string(128, '0') + "\n"), HasSubstr("no binary number of 64 bits"));
  EXPECT_THAT(error(zeros + "0012\n" + zeros + "0000\n"), HasSubstr("hex or decimal"));
}

TEST_F(HammingFile, ALineWithoutAFingerprintIsNoRow) {
  EXPECT_THAT(values("a\t\nb\t00000000000000ff\nc\t\nd\t0000000000000001\n"), ElementsAre(0xffu, 1u));
  EXPECT_THAT(ids_, ElementsAre("b", "d"));
  EXPECT_EQ(without_, 2u);
}

TEST_F(HammingFile, IdsAreUnescaped) {
  values("a\\tb\tff\nc\\\\d\t1\n");
  EXPECT_THAT(ids_, ElementsAre("a\tb", "c\\d"));
}

TEST_F(HammingFile, FewRawWordsWithoutControlCharactersAreNoText) {
  EXPECT_THAT(values(words({0xd2c1b0a99f8e7d6cULL, 0x80ff41f3e4d5c6b7ULL})),
              ElementsAre(0xd2c1b0a99f8e7d6cULL, 0x80ff41f3e4d5c6b7ULL));
}

TEST_F(HammingFile, CompressedFilesAreReadAsWhatTheyHold) {
  const std::string header = "{'descr': '<u8', 'fortran_order': False, 'shape': (2,), }      \n";
  EXPECT_THAT(values(gzip(words({7, 9}))), ElementsAre(7u, 9u));
  EXPECT_THAT(values(gzip(npy(header, words({7, 9})))), ElementsAre(7u, 9u));
  EXPECT_THAT(values(gzip("x\tff\ny\t1\n")), ElementsAre(0xffu, 1u));
  EXPECT_THAT(error(gzip(words({7, 9})).substr(0, 15)), HasSubstr("file: "));
}

TEST_F(HammingFile, RawWordsMayBeginLikeACompressedFile) {
  const std::string bytes = words({0x1122334455088b1fULL, 9});
  EXPECT_THAT(values(bytes, FileFormat::raw), ElementsAre(0x1122334455088b1fULL, 9u));
  name_ = "file.gz";
  EXPECT_THAT(values(gzip(words({7, 9})), FileFormat::raw), ElementsAre(7u, 9u));
}

TEST_F(HammingFile, TextThatMayBeEitherMustBeNamed) {
  const std::string both = "1234567890123456\n6543210987654321\n";
  EXPECT_THAT(error(both), HasSubstr("hex or decimal"));
  EXPECT_THAT(values(both, FileFormat::decimal), ElementsAre(1234567890123456u, 6543210987654321u));
  EXPECT_THAT(values(both, FileFormat::hex), ElementsAre(0x1234567890123456u, 0x6543210987654321u));
}

TEST_F(HammingFile, WhatIsNoNumberNamesLineAndOffset) {
  EXPECT_THAT(error("ff\n0g\n"), HasSubstr(":2: offset 3: \"0g\""));
  EXPECT_THAT(error("id\t12345\nid\t0g\n"), HasSubstr(":2: offset 12"));
  EXPECT_THAT(error("no number here\n"), HasSubstr("the input format raw"));
  EXPECT_THAT(error("18446744073709551616\n1\n"), HasSubstr("64 bits"));
  EXPECT_THAT(error("00000000000000000\nff\n"), HasSubstr("64 bits"));
}

TEST_F(HammingFile, AMissingFileIsNamed) {
  const auto file = open_fingerprints<Fingerprint64>("/nonexistent/fingerprints", FileFormat::automatic);
  ASSERT_FALSE(file.has_value());
  EXPECT_THAT(file.error().message, HasSubstr("/nonexistent/fingerprints"));
}

}  // namespace
}  // namespace leitong::hamming
