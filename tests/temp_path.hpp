// Places for the files of tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace leitong::test {

/// A path that no other test uses: tests of one program run in separate processes at the same time.
inline std::filesystem::path temp_path(const std::string& name) {
  return std::filesystem::path(::testing::TempDir()) / ("leitong-" + std::to_string(::getpid()) + "-" + name);
}

/// The same, with the name of the current test.
inline std::filesystem::path temp_path() {
  return temp_path(::testing::UnitTest::GetInstance()->current_test_info()->name());
}

}  // namespace leitong::test
