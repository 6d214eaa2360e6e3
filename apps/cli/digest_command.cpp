#include <fmt/core.h>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/byte_stream.hpp"
#include "leitong/digest.hpp"
#include "named_files.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr std::size_t kDigestBlock = std::size_t{1} << 18;

struct DigestFlags {
  std::vector<std::string> files;
  std::string algorithm = "sha256", check;
};

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const DigestName& known : digest_names()) names.emplace_back(known.name);
  return names;
}

DigestKind kind_of(std::string_view name) {
  for (const DigestName& known : digest_names())
    if (known.name == name) return known.kind;
  return DigestKind::sha256;  // add_choice() allows no other word
}

Result<std::string> digest_file(DigestKind kind, const std::string& path) {
  LEITONG_ASSIGN(const auto digester, Digester::create(kind));
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path, told_to_stop()));
  std::string block(kDigestBlock, '\0');
  for (;;) {
    LEITONG_ASSIGN(const std::size_t size, file.read(block.data(), block.size()));
    if (size == 0) return digester->finish();
    digester->update(std::string_view(block).substr(0, size));
  }
}

// A name that would break its line is escaped, which a backslash before the line marks.
std::string escape_name(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else if (c == '\r')
      text += "\\r";
    else
      text += c;
  }
  return text;
}

std::string unescape_name(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\' || i + 1 == name.size()) {
      text += name[i];
      continue;
    }
    const char c = name[++i];
    text += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return text;
}

/// If a file cannot be read, the others are still digested; returns the last such error.
Result<void> print_digests(const DigestFlags& flags) {
  Result<void> all;
  for (const std::string& file : flags.files) {
    const Result<std::string> hex = digest_file(kind_of(flags.algorithm), file);
    if (!hex && hex.error().code == ErrorCode::cancelled) return tl::unexpected<Error>(hex.error());
    if (!hex) {
      if (!all) print_error(all.error().message);
      all = tl::unexpected<Error>(hex.error());
      continue;
    }
    const std::string name = escape_name(file);
    LEITONG_TRY(print_data(fmt::format("{}{}  {}\n", name == file ? "" : "\\", *hex, name)));
  }
  return all;
}

struct ManifestLine {
  std::string hex, file;
};

/// "HEX  NAME" or "HEX *NAME", after a backslash if the name is escaped; empty for other lines.
ManifestLine parse_line(std::string_view line, std::size_t digits) {
  const bool escaped = line.starts_with('\\');
  if (escaped) line.remove_prefix(1);
  if (line.size() < digits + 3 || line[digits] != ' ' || (line[digits + 1] != ' ' && line[digits + 1] != '*'))
    return {};
  std::string hex(line.substr(0, digits));
  for (char& c : hex) c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  if (hex.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const std::string_view name = line.substr(digits + 2);
  return {hex, escaped ? unescape_name(name) : std::string(name)};
}

Result<void> check_manifest(const DigestFlags& flags) {
  const DigestKind kind = kind_of(flags.algorithm);
  LEITONG_ASSIGN(const std::string of_nothing, digest(kind, ""));
  LEITONG_ASSIGN(const std::unique_ptr<ByteStream> list, open_decoded(flags.check, told_to_stop()));
  LEITONG_ASSIGN(const std::string manifest, read_all(*list, flags.check));
  std::uint64_t checked = 0, different = 0, unreadable = 0, malformed = 0;
  for (std::string_view rest = manifest; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const ManifestLine line = parse_line(rest.substr(0, end), of_nothing.size());
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.hex.empty()) {
      ++malformed;
      continue;
    }
    ++checked;
    const Result<std::string> found = digest_file(kind, line.file);
    const bool same = found && *found == line.hex;
    different += found && !same ? 1 : 0;
    unreadable += found ? 0 : 1;
    if (!found) print_warning(found.error().message);
    if (same && is_quiet()) continue;
    const std::string name = escape_name(line.file);
    LEITONG_TRY(print_data(fmt::format("{}{}: {}\n", name == line.file ? "" : "\\", name,
                                       same    ? "OK"
                                       : found ? "FAILED"
                                               : "FAILED open or read")));
  }
  if (malformed > 0 && checked > 0)
    print_warning(fmt::format("{}: {} no {} digest and {} passed over", flags.check,
                              human_counted(malformed, "line is", "lines are"), flags.algorithm,
                              malformed == 1 ? "was" : "were"));
  if (checked == 0)
    return fail(ErrorCode::corrupt, fmt::format("{}: no line is a {} digest with a name (\"HEX  NAME\")",
                                                flags.check, flags.algorithm));
  if (different + unreadable > 0)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: of {} {} and {} can't be read", flags.check, human_counted(checked, "file"),
                            human_counted(different, "differs", "differ"), human_count(unreadable)));
  return {};
}

Result<void> digest_command(DigestFlags& flags) {
  if (!flags.check.empty()) {
    if (flags.files.empty()) return check_manifest(flags);
    return fail(ErrorCode::invalid_argument,
                "name the files to be digested, or a list with --check: one of them");
  }
  LEITONG_TRY(resolve_inputs(flags.files));
  LEITONG_TRY(check_standard_input(flags.files));
  return print_digests(flags);
}

}  // namespace

Run add_digest(CLI::App& app) {
  auto flags = std::make_shared<DigestFlags>();
  add_arguments(app, "FILES", flags->files, "any files, text or not (standard input)");
  add_choice(app, "--algorithm", flags->algorithm, algorithm_names,
             "the kind of digest (sha256); md5 and xxh3 detect accidents only, not deliberate changes");
  add_text(
      app, "--check", flags->check, "MANIFEST",
      "compare files with a list of digests and names that this command, md5sum or sha256sum has printed");
  add_examples(app,
               "The output is that of md5sum, sha256sum, xxhsum -H2, b2sum or b3sum, byte for\n"
               "byte. With --check the exit code is 1 if a file differs or can't be read, and\n"
               "--quiet leaves out the files that agree.\n"
               "\n"
               "Examples:\n"
               "  leitong digest copy1.bin copy2.bin copy3.bin\n"
               "  leitong digest --algorithm md5 *.txt > manifest.md5\n"
               "  leitong digest --algorithm md5 --check manifest.md5");
  return [flags] { return digest_command(*flags); };
}

}  // namespace leitong::cli
