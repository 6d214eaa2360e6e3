#include "fingerprint_flags.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/compression.hpp"
#include "scheme/scheme_file.hpp"
#include "terminal.hpp"

namespace leitong::cli {

hamming::FileFormat FingerprintFlags::format() const {
  const auto& names = hamming::file_format_names();
  return static_cast<hamming::FileFormat>(std::find(names.begin(), names.end(), input) - names.begin());
}

void add_fingerprint_flags(CLI::App& app, FingerprintFlags& flags) {
  add_choice(
      app, "--input", flags.input, [] { return hamming::file_format_names(); },
      "the format of the file: raw little-endian words, a NumPy array (npy), or text with one "
      "fingerprint a line, also as \"id TAB fingerprint\" (auto: the content tells)");
  add_text(app, "--bits", flags.bits, "64|128", "the number of bits of a fingerprint (64)");
}

void add_show(CLI::App& app, std::string& show) {
  add_choice(
      app, "--show", show, [] { return hamming::digits_names(); },
      "also write both fingerprints of each row, in these digits (tsv only)");
}

hamming::Digits shown_digits(std::string_view show) {
  const auto& names = hamming::digits_names();
  return static_cast<hamming::Digits>(std::find(names.begin(), names.end(), show) - names.begin());
}

Result<void> check_show(const std::string& show, bool tsv) {
  if (show.empty() || tsv) return {};
  return fail(ErrorCode::invalid_argument,
              "--show writes fingerprints as text, and raw rows have no place for them; use --format tsv");
}

void warn_of_lines_without(const std::string& path, std::uint64_t lines) {
  print_warning(fmt::format("{}: {} an id without a fingerprint; passed over, and not counted as {}", path,
                            human_counted(lines, "line has", "lines have"), lines == 1 ? "a row" : "rows"));
}

Result<std::optional<SchemeId>> scheme_of_fingerprints(const std::string& path, const std::string& named) {
  if (named.empty()) return read_scheme_beside(path);
  LEITONG_ASSIGN(SchemeId id, read_scheme_file(named));
  return std::optional(std::move(id));
}

std::string scheme_line(const std::optional<SchemeId>& scheme) {
  return scheme ? fmt::format("{:<22}{} ({})\n", "scheme", scheme_label(*scheme), scheme_text(*scheme)) : "";
}

bool writes_tsv(const std::string& format, const std::string& output) {
  if (!format.empty()) return format == "tsv";
  return output == "-" ? is_terminal(Stream::out) : without_compression_ending(output).ends_with(".tsv");
}

void add_hamming_resources(CLI::App& app, ContextSettings& context) {
  add_settings(app, context, all_but({"memory"}));
  add_size(app, "--memory", context.memory,
           "use at most this much memory, such as 8G (no limit). Where it is scarce, the input is read "
           "several times and parts are kept in temporary files");
}

}  // namespace leitong::cli
