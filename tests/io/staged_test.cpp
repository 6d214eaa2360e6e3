// Several outputs appear together when all of them are complete.
#include "io/staged.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <memory>

#include "io/faulty_calls.hpp"
#include "io/output_file.hpp"
#include "temp_path.hpp"

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Records its calls.
class Recorder final : public Staged {
 public:
  Recorder(std::string name, std::vector<std::string>& steps) : name_(std::move(name)), steps_(steps) {}
  std::string fails_at;

 private:
  [[nodiscard]] const std::string& name() const override { return name_; }
  Result<void> finish() override { return step("finish"); }
  [[nodiscard]] Result<void> check_place() const override { return step("check"); }
  Result<void> appear() override { return step("appear"); }
  [[nodiscard]] Result<void> make_durable() const override { return step("sync"); }

  [[nodiscard]] Result<void> step(const std::string& what) const {
    if (what == fails_at) return fail(ErrorCode::io, name_ + ": no " + what);
    steps_.push_back(what + " " + name_);
    return {};
  }

  std::string name_;
  std::vector<std::string>& steps_;
};

class Commit : public ::testing::Test {
 protected:
  Result<void> commit() {
    Staged* const all[] = {&a_, nullptr, &b_};
    return commit_all(all);
  }
  std::vector<std::string> steps_;
  Recorder a_{"a", steps_}, b_{"b", steps_};
};

TEST_F(Commit, FinishesAllBeforeOneAppears) {
  ASSERT_TRUE(commit());
  EXPECT_THAT(steps_, ElementsAre("finish a", "finish b", "check a", "check b", "appear a", "appear b",
                                  "sync a", "sync b"));
}

TEST_F(Commit, NothingAppearsIfOneIsNotFinishedOrHasNoPlace) {
  for (const char* step : {"finish", "check"}) {
    steps_.clear();
    b_.fails_at = step;
    const Result<void> result = commit();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, std::string("b: no ") + step);
    EXPECT_THAT(steps_, Not(::testing::Contains(HasSubstr("appear"))));
  }
}

TEST_F(Commit, ARenameThatFailsNamesWhatIsInPlace) {
  b_.fails_at = "appear";
  EXPECT_EQ(commit().error().message,
            "b: no appear; in place already, and to be removed before another run: a");
  a_.fails_at = "appear";
  EXPECT_EQ(commit().error().message, "a: no appear");
}

TEST(TemporaryName, LiesBesideItsPlaceAndFitsIntoAFileSystem) {
  EXPECT_EQ(temporary_name("folder/out", 0).parent_path(), "folder");
  EXPECT_NE(temporary_name("out", 0), temporary_name("out", 1));
  const std::string longest(255, 'x');
  EXPECT_LE(temporary_name(longest, 99).string().size(), 255u);
}

TEST(SyncFolder, SynchronisesTheFolderAndClosesIt) {
  const std::size_t before = testing::open_descriptors();
  EXPECT_TRUE(sync_folder_of("/tmp/out"));
  EXPECT_TRUE(sync_folder_of("out")) << "the working folder";
  EXPECT_EQ(testing::open_descriptors(), before);
}

TEST(SyncFolder, AFolderThatCannotBeOpenedIsNoError) {
  EXPECT_TRUE(sync_folder_of("/none/out")) << "stands for one that may be written but not read";
}

TEST(SyncFolder, AFileSystemThatKnowsNoSynchronisingIsNoError) {
  EXPECT_TRUE(sync_folder_of("/proc/self/fd/0"));
}

TEST(SyncFolder, NamesTheFolderThatCannotBeSynchronised) {
  testing::next_fault.fsync = EIO;
  EXPECT_EQ(sync_folder_of("/tmp/out").error().message,
            "/tmp: out is in place, but a loss of power may undo that: Input/output error");
}

}  // namespace
}  // namespace leitong
