#include "io/work_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace leitong {
namespace {

TEST(WorkFolder, ATmpdirThatIsNoFolderIsNamedWhereAFileIsWanted) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/none/such", 1);
  const WorkFolder folder;
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  const Result<TempFile> file = folder.new_file();
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::io);
  EXPECT_THAT(file.error().message,
              testing::AllOf(testing::HasSubstr("TMPDIR"), testing::HasSubstr("choose another work folder")));
}

}  // namespace
}  // namespace leitong
