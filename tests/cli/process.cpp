#include "cli/process.hpp"
#include "test_places.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace leitong::test {

Outcome run_program(const std::vector<std::string>& arguments, std::string_view input,
                    const std::vector<std::string>& environment) {
  // Uses files in place of pipes, so there is no deadlock whatever the program writes first.
  const TempFolder folder;
  const std::string in = folder.write("in", input), out = folder / "out", err = folder / "err";
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::dup2(::open(in.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    for (const std::string& entry : environment) ::putenv(const_cast<char*>(entry.c_str()));
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

Outcome leitong(std::vector<std::string> arguments, std::string_view input,
                const std::vector<std::string>& environment) {
  // scripts/build-arm has the program of another machine run, under an emulator.
  const char* const other = std::getenv("LEITONG_TEST_PROGRAM");
  arguments.insert(arguments.begin(), other != nullptr ? other : LEITONG_BINARY);
  return run_program(arguments, input, environment);
}

bool have_program(const std::string& name) {
  return run_program({"sh", "-c", "command -v " + name}).code == 0;
}

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "leitong-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name, std::string_view bytes) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error("can't write " + file.string());
  return file.string();
}

std::string TempFolder::run(const std::string& script) const {
  const std::string beginning = "cd " + path_.string() + "; leitong() { exec " LEITONG_BINARY " \"$@\"; }\n";
  return run_program({"bash", "-c", beginning + script}).out;
}

std::vector<std::string> TempFolder::list() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
    names.push_back(std::filesystem::relative(entry.path(), path_).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

}  // namespace leitong::test
