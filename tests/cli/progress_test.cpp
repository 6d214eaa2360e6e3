// The progress line on a terminal, and messages during it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/process.hpp"
#include "test_places.hpp"

namespace leitong::test {
namespace {

using ::testing::HasSubstr;

/// What leitong writes if its standard streams are a terminal of 200 columns.
std::string on_terminal(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), LEITONG_BINARY);
  winsize size{50, 200, 0, 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(got));
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return said;
}

TEST(ProgressLine, GivesWayToAWarning) {
  const TempFolder folder;
  std::string lines;
  for (unsigned i = 0; i < 50'000; ++i) {
    for (unsigned word = i, j = 0; j < 3; ++j)
      lines += std::to_string(word = word * 2654435761u + 12345) + " ";
    lines += "\n";
  }
  const std::string said = on_terminal(
      {"dedup", folder.write("many.txt", lines), "--kind", "lines", "--all-pairs", "-o", folder / "kept"});
  EXPECT_THAT(said, HasSubstr("\r\033[Kreading  "));
  // On a line of its own, from its beginning.
  const std::size_t warning = said.find("the method all-pairs finds every similar pair");
  ASSERT_NE(warning, std::string::npos) << said;
  const std::size_t begin = said.rfind("leitong: ", warning);
  ASSERT_GE(begin, 4u);
  EXPECT_EQ(said.substr(begin - 4, 4), "\r\033[K") << said;
  EXPECT_THAT(said.substr(said.find('\n', warning)), HasSubstr("records")) << "and the summary comes behind";
}

}  // namespace
}  // namespace leitong::test
