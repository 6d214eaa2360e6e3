#include "io/read_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "temp_path.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

TEST(WholeFile, IsReadToItsEnd) {
  const fs::path path = test::temp_path();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, std::size_t{1} << 20}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(size, 'a');
    EXPECT_EQ(read_whole_file(path).value().size(), size);
  }
  fs::remove(path);
}

TEST(WholeFile, MayBeAPipe) {
  const fs::path path = test::temp_path();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string sent(300'000, 'b');
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << sent; });
  EXPECT_EQ(read_whole_file(path).value(), sent);
  writer.join();
  fs::remove(path);
}

TEST(WholeFile, AMissingOneIsNamed) {
  const auto read = read_whole_file("/nowhere/at/all");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::not_found);
  EXPECT_NE(read.error().message.find("/nowhere/at/all"), std::string::npos);
}

// The system opens this file, and then refuses to read memory that is not mapped.
TEST(WholeFile, AReadThatFailsIsAnError) {
  const auto read = read_whole_file("/proc/self/mem");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::io);
}

TEST(WholeFile, OneWithoutAnEndIsRefused) {
  const auto read = read_whole_file("/dev/zero", 1 << 20);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::limit);
  EXPECT_NE(read.error().message.find("1 MB"), std::string::npos) << read.error().message;
}

TEST(WholeFile, TheMostIsStillTaken) {
  const fs::path path = test::temp_path();
  std::ofstream(path) << "12345678";
  EXPECT_TRUE(read_whole_file(path, 8).has_value());
  EXPECT_FALSE(read_whole_file(path, 7).has_value());
  fs::remove(path);
}

}  // namespace
}  // namespace leitong
