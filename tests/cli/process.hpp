// Runs the real leitong binary on temporary files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::test {

struct Outcome {
  int code = -1;  ///< exit code, or 128 + the signal
  std::string out, err;
};

/// Any program of the PATH. `input` is its standard input; `environment` adds NAME=VALUE. Not a terminal.
Outcome run_program(const std::vector<std::string>& arguments, std::string_view input = {},
                    const std::vector<std::string>& environment = {});
/// leitong with these arguments.
Outcome leitong(std::vector<std::string> arguments, std::string_view input = {},
                const std::vector<std::string>& environment = {});
/// True if the PATH has this program.
bool have_program(const std::string& name);

/// A folder that is removed with its content at the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The full name of a file in it.
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file, with its folders, and returns its full name.
  std::string write(const std::string& name, std::string_view bytes) const;
  /// Runs a script in it, where `leitong` is the binary, and returns what the script prints.
  [[nodiscard]] std::string run(const std::string& script) const;
  /// Names of everything below it, sorted.
  [[nodiscard]] std::vector<std::string> list() const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::string& path);

}  // namespace leitong::test
