// Files that appear completely or not at all.
#include <gmock/gmock.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <atomic>

#include "io/faulty_calls.hpp"
#include "io/output_file.hpp"
#include "temporary_folder.hpp"

namespace leitong {
namespace {

using ::testing::HasSubstr;

std::size_t files_in(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) count += entry.exists();
  return count;
}

TEST(OutputFile, AppearsOnlyWithCommit) {
  TemporaryFolder folder;
  const auto path = folder / "out.txt";
  auto out = OutputFile::create(path, false);
  ASSERT_TRUE(out.has_value());
  ASSERT_TRUE((*out)->write("hello ").has_value());
  ASSERT_TRUE((*out)->write(std::string(3 << 20, 'x')).has_value());
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE((*out)->commit().has_value());
  EXPECT_EQ(read_file(path), "hello " + std::string(3 << 20, 'x'));
  out->reset();
  EXPECT_EQ(files_in(folder.str()), 1u);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  TemporaryFolder folder;
  {
    auto out = OutputFile::create(folder / "out.txt.gz", false);
    ASSERT_TRUE(out.has_value());
    ASSERT_TRUE((*out)->write(std::string(3 << 20, 'x')).has_value());
  }
  EXPECT_EQ(files_in(folder.str()), 0u);
}

TEST(OutputFile, AfterAStopNothingAppears) {
  TemporaryFolder folder;
  std::atomic<bool> flag = false;
  const StopToken stop(flag);
  {
    const auto one = OutputFile::create(folder / "one.txt", false, stop),
               two = OutputFile::create(folder / "two.txt", false, stop);
    ASSERT_TRUE(one.has_value() && two.has_value());
    ASSERT_TRUE((*one)->write("text").has_value());
    flag = true;
    Staged* const both[] = {one->get(), nullptr, two->get()};
    const Result<void> together = commit_all(both, stop), alone = (*one)->commit();
    ASSERT_FALSE(together.has_value() || alone.has_value());
    EXPECT_EQ(together.error().code, ErrorCode::cancelled);
    EXPECT_EQ(alone.error().code, ErrorCode::cancelled);
  }
  EXPECT_EQ(files_in(folder.str()), 0u);
}

TEST(OutputFile, OverwritesOnlyWithForce) {
  TemporaryFolder folder;
  const auto path = folder / "out.txt";
  write_file(path, "old");
  const auto refused = OutputFile::create(path, false);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("exists; force overwrites it"));
  auto out = OutputFile::create(path, true);
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(read_file(path), "old");
  ASSERT_TRUE((*out)->write("new").has_value());
  ASSERT_TRUE((*out)->commit().has_value());
  EXPECT_EQ(read_file(path), "new");
}

TEST(OutputFile, AFileThatAppearsMeanwhileIsNotReplaced) {
  TemporaryFolder folder;
  const auto path = folder / "out.txt";
  auto out = OutputFile::create(path, false);
  ASSERT_TRUE(out.has_value());
  write_file(path, "theirs");
  const auto committed = (*out)->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_THAT(committed.error().message, HasSubstr("appeared during the run"));
  out->reset();
  EXPECT_EQ(read_file(path), "theirs");
  EXPECT_EQ(files_in(folder.str()), 1u);
}

TEST(OutputFile, FollowsALinkToItsFile) {
  TemporaryFolder folder;
  write_file(folder / "real.txt", "old");
  std::filesystem::create_symlink(folder / "real.txt", folder / "link.txt");
  auto out = OutputFile::create(folder / "link.txt", true);
  ASSERT_TRUE(out.has_value());
  ASSERT_TRUE((*out)->write("new").has_value());
  ASSERT_TRUE((*out)->commit().has_value());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "real.txt"), "new");
}

TEST(OutputFile, RefusesALinkToNothing) {
  TemporaryFolder folder;
  std::filesystem::create_symlink("gone.txt", folder / "link.txt");
  for (const bool force : {false, true})
    EXPECT_THAT(OutputFile::create(folder / "link.txt", force).error().message,
                HasSubstr("link.txt: is a link to what isn't there"));
}

TEST(OutputFile, TheNewFileHasThePermissionsOfTheOldOne) {
  TemporaryFolder folder;
  for (const ::mode_t mode : {0600u, 0640u, 0664u}) {
    write_file(folder / "out.txt", "old");
    ASSERT_EQ(::chmod((folder / "out.txt").c_str(), mode), 0);
    auto out = OutputFile::create(folder / "out.txt", true);
    ASSERT_TRUE(out.has_value());
    for (const auto& entry : std::filesystem::directory_iterator(folder.str())) {
      struct stat status {};
      ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777u, mode) << entry.path();
    }
    ASSERT_TRUE((*out)->commit().has_value());
    struct stat status {};
    ASSERT_EQ(::stat((folder / "out.txt").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, mode);
  }
}

TEST(OutputFile, NamesAMissingFolderAndAFolderAsTarget) {
  TemporaryFolder folder;
  EXPECT_THAT(OutputFile::create(folder / "none/out.txt", false).error().message,
              HasSubstr("folder doesn't exist"));
  EXPECT_THAT(OutputFile::create(folder.str(), true).error().message, HasSubstr("is a folder"));
}

TEST(OutputFile, AFullDeviceIsAnErrorThatNamesIt) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  auto out = OutputFile::create("/dev/full", false);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  ASSERT_TRUE((*out)->write("x").has_value());
  const auto committed = (*out)->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_THAT(committed.error().message, HasSubstr("/dev/full: can't be written: No space left on device"));
}

TEST(OutputFile, AFullDiskLeavesNothingBehind) {
  TemporaryFolder folder;
  struct Limit {
    rlimit old{};
    void (*handler)(int) = ::signal(SIGXFSZ, SIG_IGN);
    Limit() {
      ::getrlimit(RLIMIT_FSIZE, &old);
      rlimit small = old;
      small.rlim_cur = 1 << 20;
      ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~Limit() {
      ::setrlimit(RLIMIT_FSIZE, &old);
      ::signal(SIGXFSZ, handler);
    }
  };
  {
    const Limit limit;
    auto out = OutputFile::create(folder / "out.txt", false);
    ASSERT_TRUE(out.has_value());
    const auto written = (*out)->write(std::string(8 << 20, 'x'));
    ASSERT_FALSE(written.has_value());
    EXPECT_THAT(written.error().message, HasSubstr("out.txt: can't be written: File too large"));
    EXPECT_FALSE((*out)->write("more").has_value());
    EXPECT_FALSE((*out)->commit().has_value());
  }
  EXPECT_EQ(files_in(folder.str()), 0u);
}

TEST(OutputFile, IsClosedWhetherItAppearsOrNot) {
  TemporaryFolder folder;
  const std::size_t before = testing::open_descriptors();
  for (const bool commit : {false, true}) {
    auto out = OutputFile::create(folder / "out.txt", false);
    ASSERT_TRUE(out.has_value());
    EXPECT_EQ(testing::open_descriptors(), before + 1);
    if (commit) {
      ASSERT_TRUE((*out)->commit().has_value());
    }
    out->reset();
    EXPECT_EQ(testing::open_descriptors(), before);
  }
}

TEST(OutputFile, ASignalWhileItIsWrittenOrClosedCostsNothing) {
  TemporaryFolder folder;
  const std::string text(3 << 20, 'x');
  auto out = OutputFile::create(folder / "out.txt", false);
  ASSERT_TRUE(out.has_value());
  testing::next_fault = {.write = EINTR, .close = EINTR};
  ASSERT_TRUE((*out)->write(text).has_value());
  ASSERT_TRUE((*out)->commit().has_value());
  EXPECT_EQ(read_file(folder / "out.txt"), text);
  EXPECT_EQ(testing::next_fault.write + testing::next_fault.close, 0) << "both were met";
}

TEST(OutputFile, ADiskThatFailsAtTheEndLeavesNothingBehind) {
  for (const testing::NextFault fault :
       {testing::NextFault{.close = EIO}, testing::NextFault{.fsync = EIO}}) {
    TemporaryFolder folder;
    auto out = OutputFile::create(folder / "out.txt", false);
    ASSERT_TRUE(out.has_value());
    ASSERT_TRUE((*out)->write("text").has_value());
    testing::next_fault = fault;
    const auto committed = (*out)->commit();
    ASSERT_FALSE(committed.has_value());
    EXPECT_THAT(committed.error().message, HasSubstr("out.txt: can't be written: Input/output error"));
    out->reset();
    EXPECT_EQ(files_in(folder.str()), 0u);
  }
}

/// Writes another file when it gets its name.
class LateFile final : public Staged {
 public:
  LateFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

 private:
  [[nodiscard]] const std::string& name() const override { return path_; }
  Result<void> finish() override { return {}; }
  [[nodiscard]] Result<void> check_place() const override { return {}; }
  Result<void> appear() override {
    write_file(path_, text_);
    return {};
  }
  [[nodiscard]] Result<void> make_durable() const override { return {}; }

  std::string path_, text_;
};

TEST(OutputFile, AFileSystemWithoutAnExclusiveRenameKeepsWhatIsThere) {
  TemporaryFolder folder;
  const auto path = folder / "out.txt";
  for (const bool is_there : {false, true}) {
    auto out = OutputFile::create(path, false);
    ASSERT_TRUE(out.has_value());
    ASSERT_TRUE((*out)->write("ours").has_value());
    LateFile theirs(is_there ? path : folder / "other.txt", "theirs");
    Staged* const both[] = {&theirs, out->get()};
    testing::next_fault.renameat2 = EINVAL;
    EXPECT_EQ(commit_all(both).has_value(), !is_there);
    EXPECT_EQ(read_file(path), is_there ? "theirs" : "ours");
    std::filesystem::remove(path);
  }
}

TEST(OutputFile, ARenameThatFailsNamesTheOutput) {
  TemporaryFolder folder;
  auto out = OutputFile::create(folder / "out.txt", false);
  ASSERT_TRUE(out.has_value());
  testing::next_fault.renameat2 = EIO;
  const auto committed = (*out)->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_THAT(committed.error().message, HasSubstr("out.txt: can't be put in place: Input/output error"));
}

TEST(OutputFile, TakesOneOfAHundredNamesWhileItIsWritten) {
  TemporaryFolder folder;
  const std::filesystem::path path = folder / "out.txt";
  for (int attempt = 0; attempt < 99; ++attempt) write_file(temporary_name(path, attempt), "of another run");
  {
    const auto last = OutputFile::create(path, false);
    ASSERT_TRUE(last.has_value()) << last.error().message;
    EXPECT_TRUE(std::filesystem::exists(temporary_name(path, 99)));
    EXPECT_THAT(OutputFile::create(path, false).error().message,
                HasSubstr("out.txt: can't be created: File exists"));
  }
  EXPECT_TRUE(OutputFile::create(path, false).has_value());
}

TEST(OutputFile, ALinkOfTheSystemToAPipeIsWrittenAsItComes) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  {
    auto file = OutputFile::create("/proc/self/fd/" + std::to_string(pipe[1]), false);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE((*file)->write("bytes"));
    ASSERT_TRUE((*file)->commit());
  }
  std::array<char, 8> read{};
  EXPECT_EQ(::read(pipe[0], read.data(), read.size()), 5);
  EXPECT_STREQ(read.data(), "bytes");
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace leitong
