#include "corpus/office_text.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/try.hpp"
#include "io/component.hpp"

extern "C" char** environ;

namespace leitong {
namespace {

using namespace std::string_view_literals;

constexpr ComponentNames kDocuments{.name = "leitong-documents",
                                    .object = "leitong-read-document",
                                    .entry = {},
                                    .what = "PDF, Word and OpenDocument texts",
                                    .failed = "can't be read"};

/// The directory of an archive's members stands at its end, their names also before each.
constexpr std::size_t kNamesWithin = std::size_t{64} << 10;

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

std::string_view converter_of(std::string_view kind) {
  if (kind == "pdf") return "pdftotext FILE.pdf";
  return kind == "docx" ? "pandoc -t plain -o FILE.txt FILE.docx" : "pandoc -t plain -o FILE.txt FILE.odt";
}

std::string_view name_of_kind(std::string_view kind) {
  if (kind == "pdf") return "a PDF document";
  return kind == "docx" ? "a Word document" : "an OpenDocument text";
}

tl::unexpected<Error> cant_start(int error) {
  return fail(ErrorCode::io, fmt::format("can't start what reads the document: {}", std::strerror(error)));
}

/// The end of what a program prints; it reads `input` as its standard input.
struct Started {
  pid_t process;
  int output;
};
Result<Started> start(const std::string& program, const std::array<std::string, 4>& words, int input) {
  // A process that another thread starts between pipe() and fcntl() would keep this pipe open.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  int ends[2];
  if (::pipe(ends) != 0) return cant_start(errno);
  for (const int each : {ends[0], ends[1], input}) ::fcntl(each, F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::array<char*, 5> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = const_cast<char*>(words[i].c_str());
  pid_t process = 0;
  const int error = ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), ::environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error == 0) return Started{process, ends[0]};
  ::close(ends[0]);
  return cant_start(error);
}

/// All that it prints; empty if it ended badly.
std::string receive(const Started& started) {
  std::string bytes;
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t got = ::read(started.output, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes.append(block.data(), static_cast<std::size_t>(got));
  }
  ::close(started.output);
  int status = 0;
  while (::waitpid(started.process, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) bytes.clear();
  return bytes;
}

}  // namespace

std::string_view office_kind(std::string_view first_bytes) noexcept {
  if (first_bytes.starts_with("%PDF-"sv)) return "pdf";
  if (!first_bytes.starts_with("PK\x03\x04"sv)) return {};
  const std::string_view names = first_bytes.substr(0, kNamesWithin);
  if (names.find("mimetypeapplication/vnd.oasis.opendocument.text"sv) != std::string_view::npos) return "odt";
  return names.find("word/"sv) != std::string_view::npos ? "docx"sv : std::string_view();
}

Result<std::string> office_text(std::string_view bytes, std::uint64_t most) {
  const std::string_view kind = office_kind(bytes);
  if (kind.empty()) return fail(ErrorCode::corrupt, "no PDF, Word or OpenDocument text");
  const auto instead = [&](Error error) -> tl::unexpected<Error> {
    error.message = fmt::format("{}: {}; or convert it first, for example: {}", name_of_kind(kind),
                                error.message, converter_of(kind));
    return tl::unexpected<Error>(std::move(error));
  };
  const Result<std::filesystem::path> program = find_component(kDocuments);
  if (!program) return instead(program.error());
  const OpenFile input(std::tmpfile());
  if (input == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), input.get()) != bytes.size() ||
      std::fflush(input.get()) != 0)
    return cant_start(errno);
  std::rewind(input.get());
  const std::string version =
      fmt::format("{}.{}.{}", LEITONG_VERSION_MAJOR, LEITONG_VERSION_MINOR, LEITONG_VERSION_PATCH);
  LEITONG_ASSIGN(
      const Started started,
      start(program->string(), {program->string(), version, std::string(kind), std::to_string(most)},
            ::fileno(input.get())));
  std::string said = receive(started);
  if (said.starts_with('?')) return other_version(kDocuments);
  if (said.starts_with('=')) {
    said.erase(0, 1);
    return said;
  }
  return instead({ErrorCode::corrupt,
                  said.starts_with('!') ? said.substr(1) : "it takes too long or too much memory to read"});
}

}  // namespace leitong
