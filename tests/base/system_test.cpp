// The promises of system calls that only Linux has, and of their replacements on other systems.
#include "base/system.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string>

#include "temp_path.hpp"

namespace leitong::system {
namespace {

namespace fs = std::filesystem;

class System : public testing::Test {
 protected:
  fs::path folder_ = make_folder();

  static fs::path make_folder() {
    fs::path folder = test::temp_path("system");
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
  }
  ~System() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  static std::string content_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(System, TheProgramKnowsItsFile) {
  EXPECT_TRUE(fs::is_regular_file(program_file()));
  EXPECT_EQ(program_file().filename(), "test_base");
}

TEST_F(System, AFileWithoutANameGetsOneThatIsFree) {
  const int descriptor = open_unnamed(folder_);
  if (descriptor < 0) GTEST_SKIP() << "the file system of " << folder_ << " has no files without a name";
  ASSERT_EQ(::write(descriptor, "whole", 5), 5);
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_FALSE(name_unnamed(descriptor, folder_ / "named"));
  ::close(descriptor);
  EXPECT_EQ(content_of(folder_ / "named"), "whole");
  const int second = open_unnamed(folder_);
  EXPECT_EQ(name_unnamed(second, folder_ / "named"), std::errc::file_exists);
  ::close(second);
  EXPECT_EQ(content_of(folder_ / "named"), "whole");
}

TEST_F(System, ARenameLeavesWhatIsThere) {
  const fs::path from = file("from", "new"), to = file("to", "old");
  EXPECT_EQ(rename_to_new(from, to), std::errc::file_exists);
  EXPECT_EQ(content_of(to), "old");
  fs::remove(to);
  EXPECT_FALSE(rename_to_new(from, to));
  EXPECT_EQ(content_of(to), "new");
  EXPECT_FALSE(fs::exists(from));
}

TEST_F(System, WhatCannotBeSynchronisedSaysWhy) {
  EXPECT_FALSE(sync_tree(folder_));
  EXPECT_EQ(sync_tree(folder_ / "none"), std::errc::no_such_file_or_directory);
  EXPECT_EQ(sync_content(-1), std::errc::bad_file_descriptor);
}

TEST_F(System, AChangeIsLaterThanTheOneBefore) {
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat(file("changed", "1").c_str(), &before), 0);
  fs::last_write_time(folder_ / "changed",
                      fs::last_write_time(folder_ / "changed") + std::chrono::nanoseconds(5));
  ASSERT_EQ(::stat((folder_ / "changed").c_str(), &after), 0);
  EXPECT_EQ(changed_at(after) - changed_at(before), 5);
}

/// The result of a lock for reading while another process holds one for writing.
TEST_F(System, ALockOfAnotherProcessIsRespected) {
  const fs::path path = file("LOCK", "");
  std::array<int, 2> ready{}, done{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  ASSERT_EQ(::pipe(done.data()), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    const int descriptor = ::open(path.c_str(), O_RDWR);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    char byte = ::fcntl(descriptor, F_SETLK, &whole) == 0 ? 'y' : 'n';
    if (::write(ready[1], &byte, 1) != 1 || ::read(done[0], &byte, 1) != 1) ::_exit(1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  EXPECT_EQ(shared_lock(descriptor), Lock::refused);
  ASSERT_EQ(::write(done[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(shared_lock(descriptor), Lock::held);
  ::close(descriptor);
  for (const int end : {ready[0], ready[1], done[0], done[1]}) ::close(end);
}

TEST_F(System, ALockOfThisProcessIsDistinguished) {
  const fs::path path = file("LOCK", "");
  const int writer = ::open(path.c_str(), O_RDWR), reader = ::open(path.c_str(), O_RDONLY);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  ASSERT_EQ(::fcntl(writer, F_SETLK, &whole), 0);
  EXPECT_EQ(shared_lock(reader), Lock::held_here);
  EXPECT_EQ(shared_lock(-1), Lock::failed);
  ::close(reader);
  ::close(writer);
}

TEST_F(System, RandomBytesDiffer) {
  std::array<std::uint64_t, 4> one{}, other{};
  fill_random(one.data(), sizeof one);
  fill_random(other.data(), sizeof other);
  EXPECT_NE(one, other);
}

TEST_F(System, AvailableMemoryIsSomeOfTheMachines) {
  const auto whole = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                     static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_GT(available_memory(), 100'000u);
  EXPECT_LE(available_memory(), whole);
}

TEST_F(System, TheProcessIsMeasured) {
  EXPECT_GT(resident_bytes().value_or(0), 100'000u);
  const std::size_t before = open_descriptors().value_or(0);
  const int descriptor = ::open(file("open", "").c_str(), O_RDONLY);
  EXPECT_EQ(open_descriptors().value_or(0), before + 1);
  ::close(descriptor);
}

}  // namespace
}  // namespace leitong::system
