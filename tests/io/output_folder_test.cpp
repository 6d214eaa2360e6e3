// A folder that appears completely or not at all.
#include "io/output_folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "temporary_folder.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Folder : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<OutputFolder> create(const std::string& name) const {
    auto folder = OutputFolder::create((place_ / name).string());
    EXPECT_TRUE(folder) << folder.error().message;
    return folder ? std::move(*folder) : nullptr;
  }
  static Result<void> commit(OutputFolder& folder) {
    Staged* const alone[] = {&folder};
    return commit_all(alone);
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(place_.str()), {}));
  }
  TemporaryFolder place_;
};

TEST_F(Folder, AppearsOnlyWithCommit) {
  write_file(place_ / "in/a.txt", "text");
  const auto folder = create("out/");
  ASSERT_TRUE(folder->add_file(place_ / "in/a.txt", "deep/a.txt", false));
  EXPECT_FALSE(fs::exists(place_ / "out"));
  ASSERT_TRUE(commit(*folder));
  EXPECT_EQ(read_file(place_ / "out/deep/a.txt"), "text");
  EXPECT_EQ(fs::hard_link_count(place_ / "in/a.txt"), 2u);
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Folder, LeavesNothingWithoutCommit) {
  write_file(place_ / "in/a.txt", "text");
  ASSERT_TRUE(create("out")->add_file(place_ / "in/a.txt", "a.txt", true));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Folder, NeverTakesOverWhatLiesThere) {
  const fs::path stale = temporary_name(place_ / "out", 0);
  write_file(stale / "stale.txt", "of another run");
  {
    const auto folder = create("out");
    ASSERT_TRUE(commit(*folder));
    EXPECT_TRUE(fs::is_empty(place_ / "out"));
  }
  static_cast<void>(create("other/out"));
  EXPECT_TRUE(fs::exists(stale / "stale.txt"));
}

TEST_F(Folder, ASymbolicLinkMeansItsFile) {
  write_file(place_ / "real.txt", "text");
  fs::create_symlink("real.txt", place_ / "link.txt");
  const auto folder = create("out");
  ASSERT_TRUE(folder->add_file(place_ / "link.txt", "linked.txt", false));
  ASSERT_TRUE(folder->add_file(place_ / "link.txt", "copied.txt", true));
  ASSERT_TRUE(commit(*folder));
  for (const char* name : {"out/linked.txt", "out/copied.txt"}) {
    EXPECT_FALSE(fs::is_symlink(place_ / name)) << name;
    EXPECT_EQ(read_file(place_ / name), "text") << name;
  }
}

TEST_F(Folder, HasThePermissionsOfTheMask) {
  const ::mode_t old = ::umask(022);
  const auto folder = create("out");
  ASSERT_TRUE(commit(*folder));
  ::umask(old);
  struct stat status {};
  ASSERT_EQ(::stat((place_ / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0755u);
}

TEST_F(Folder, APlaceThatWasFilledMeanwhileIsLeftAsItIs) {
  const auto folder = create("out");
  write_file(place_ / "out/theirs.txt", "theirs");
  const Result<void> committed = commit(*folder);
  ASSERT_FALSE(committed);
  EXPECT_THAT(committed.error().message, HasSubstr("the folder isn't empty"));
  EXPECT_EQ(read_file(place_ / "out/theirs.txt"), "theirs");
}

}  // namespace
}  // namespace leitong
