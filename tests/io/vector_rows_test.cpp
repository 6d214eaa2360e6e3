#include "io/vector_rows.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <vector>

#include "io/npy_bytes.hpp"

namespace leitong {
namespace {

using test::bytes_of;
using test::npy_bytes;
using testing::ElementsAre;
using testing::HasSubstr;

class VectorFiles : public testing::Test {
 protected:
  ~VectorFiles() override { std::filesystem::remove(path_); }
  const std::filesystem::path& write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
    return path_;
  }
  static std::vector<double> row(const VectorRows& rows, std::uint64_t number) {
    std::vector<std::byte> stored(rows.shape().row_bytes());
    std::vector<double> numbers(rows.shape().dimensions);
    EXPECT_TRUE(rows.read(number, 1, stored.data()).has_value());
    decode_row(rows.shape(), stored.data(), numbers.data());
    return numbers;
  }
  std::string refusal(std::string_view bytes) const {
    const auto rows = open_vector_file(write(bytes));
    EXPECT_FALSE(rows.has_value());
    return rows ? std::string() : rows.error().message;
  }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("leitong_vectors_" + std::to_string(getpid()) + ".npy");
};

TEST_F(VectorFiles, RowsOfEveryPrecisionAreReadByNumber) {
  const float singles[] = {1, 2, 3, 4, .1F, -6};
  auto rows = open_vector_file(write(npy_bytes("<f4", "(3, 2)", bytes_of<float>(singles))));
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ((*rows)->shape().count, 3u);
  EXPECT_THAT(row(**rows, 2), ElementsAre(double{.1F}, -6.0));
  EXPECT_THAT(row(**rows, 0), ElementsAre(1.0, 2.0));

  const double doubles[] = {.1, 1e-300};
  rows = open_vector_file(write(npy_bytes("<f8", "(1, 2)", bytes_of<double>(doubles))));
  EXPECT_THAT(row(**rows, 0), ElementsAre(.1, 1e-300));

  // 1, -2, the smallest subnormal, the largest number, infinity, NaN.
  const std::uint16_t halves[] = {0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00, 0x7E00};
  rows = open_vector_file(write(npy_bytes("<f2", "(1, 6)", bytes_of<std::uint16_t>(halves))));
  const std::vector<double> numbers = row(**rows, 0);
  EXPECT_THAT(std::vector(numbers.begin(), numbers.begin() + 4), ElementsAre(1.0, -2.0, 0x1p-24, 65504.0));
  EXPECT_TRUE(std::isinf(numbers[4]));
  EXPECT_TRUE(std::isnan(numbers[5]));
}

TEST_F(VectorFiles, OtherArraysAreNamedWithTheMend) {
  const float numbers[] = {1, 2, 3, 4};
  const std::string bytes = bytes_of<float>(numbers);
  EXPECT_THAT(refusal("text"), HasSubstr("this is no NumPy array; write the vectors with numpy.save()"));
  EXPECT_THAT(refusal(npy_bytes("<i8", "(1, 2)", bytes)), HasSubstr("the array holds '<i8'"));
  EXPECT_THAT(refusal(npy_bytes(">f4", "(2, 2)", bytes)), HasSubstr("convert it with astype()"));
  EXPECT_THAT(refusal(npy_bytes("<f4", "(4,)", bytes)), HasSubstr("shape (4,), and vectors have (rows, dim"));
  EXPECT_THAT(refusal(npy_bytes("<f4", "(2, 0)", "")), HasSubstr("shape (2, 0)"));
  EXPECT_THAT(refusal(npy_bytes("<f4", "(2, 2)", bytes, true)), HasSubstr("numpy.ascontiguousarray()"));
  EXPECT_THAT(refusal(npy_bytes("<f4", "(3, 2)", bytes)), HasSubstr("the array is cut off: 2 of 3 rows"));
  EXPECT_THAT(refusal(npy_bytes("<f4", "(1, 2)", bytes)), HasSubstr("8 bytes follow the array"));
  EXPECT_EQ(open_vector_file("/no/such/file.npy").error().code, ErrorCode::not_found);
}

TEST_F(VectorFiles, AFileThatShrinksIsAnError) {
  const std::vector<float> numbers(4000, 1);
  const auto rows = open_vector_file(write(test::npy_rows(numbers, 1000)));
  ASSERT_TRUE(rows.has_value());
  std::filesystem::resize_file(path_, 4096);
  std::vector<std::byte> stored((*rows)->shape().row_bytes());
  const auto result = (*rows)->read(3, 1, stored.data());
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("it must not change while it is read"));
}

TEST_F(VectorFiles, WhatIsSpooledIsReadBack) {
  auto spool = VectorSpool::create(WorkFolder(), 300);
  ASSERT_TRUE(spool.has_value());
  std::vector<double> numbers(300);
  for (int i = 0; i < 1000; ++i) {
    numbers[7] = i + .5;
    ASSERT_TRUE(spool->add(numbers).has_value());
  }
  const auto rows = spool->finish();
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ((*rows)->shape().count, 1000u);
  EXPECT_EQ(row(**rows, 0)[7], .5);
  EXPECT_EQ(row(**rows, 999)[7], 999.5);
}

}  // namespace
}  // namespace leitong
