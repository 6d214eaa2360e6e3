#include "io/draft_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "temp_path.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

class Draft : public testing::Test {
 protected:
  Draft() { fs::create_directories(folder_); }
  ~Draft() override { fs::remove_all(folder_); }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path folder_ = test::temp_path();
};

// However the process ends meanwhile, a file without a name disappears.
TEST_F(Draft, HasNoNameWhileItIsWritten) {
  auto draft = DraftFile::create(folder_, false);
  ASSERT_TRUE(draft.has_value()) << draft.error().message;
  ASSERT_TRUE(draft->write("half of it").has_value());
  EXPECT_EQ(files(), 0);
}

TEST_F(Draft, GetsItsNameWithAllOfItsBytes) {
  const fs::path name = folder_ / "name";
  {
    auto draft = DraftFile::create(folder_, true);
    ASSERT_TRUE(draft.has_value()) << draft.error().message;
    ASSERT_TRUE(draft->write("one, ").has_value());
    ASSERT_TRUE(draft->write("two").has_value());
    const auto kept = draft->keep_as(name);
    ASSERT_TRUE(kept.has_value()) << kept.error().message;
  }
  EXPECT_EQ(content(name), "one, two");
  EXPECT_EQ(files(), 1);
  struct stat status {};
  ASSERT_EQ(::stat(name.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Draft, IsGoneIfItIsNotKept) {
  {
    auto draft = DraftFile::create(folder_, true);
    ASSERT_TRUE(draft.has_value());
    ASSERT_TRUE(draft->write("never mind").has_value());
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(Draft, TwoOfOneNameLeaveOne) {
  const fs::path name = folder_ / "name";
  for (int i = 0; i < 2; ++i) {
    auto draft = DraftFile::create(folder_, true);
    ASSERT_TRUE(draft.has_value());
    ASSERT_TRUE(draft->write("the same").has_value());
    EXPECT_TRUE(draft->keep_as(name).has_value());
  }
  EXPECT_EQ(content(name), "the same");
  EXPECT_EQ(files(), 1);
}

TEST_F(Draft, AMissingFolderIsNamed) {
  const auto draft = DraftFile::create(folder_ / "missing", true);
  ASSERT_FALSE(draft.has_value());
  EXPECT_EQ(draft.error().code, ErrorCode::io);
  EXPECT_NE(draft.error().message.find("missing"), std::string::npos) << draft.error().message;
}

}  // namespace
}  // namespace leitong
