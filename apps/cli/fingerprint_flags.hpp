// The common flags of the hamming commands: how fingerprints are read, and resources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command.hpp"
#include "command_context.hpp"
#include "index/hamming/fingerprint_digits.hpp"
#include "index/hamming/fingerprint_file.hpp"
#include "leitong/scheme.hpp"

namespace leitong::cli {

struct FingerprintFlags {
  std::string input = "auto", bits;  // no bits: 64, or those of an index

  [[nodiscard]] hamming::FileFormat format() const;
  [[nodiscard]] bool wide() const { return bits == "128"; }
};

/// --input and --bits.
void add_fingerprint_flags(CLI::App& app, FingerprintFlags& flags);

/// --show, for commands that write rows.
void add_show(CLI::App& app, std::string& show);
/// The digits that --show names. REQUIRES one of its words.
[[nodiscard]] hamming::Digits shown_digits(std::string_view show);
/// Refuses --show for binary rows, which hold no fingerprints.
Result<void> check_show(const std::string& show, bool tsv);

void warn_of_lines_without(const std::string& path, std::uint64_t lines);

/// Opens the file, and warns of lines without a fingerprint.
template <hamming::Fingerprint F>
Result<hamming::FingerprintFile<F>> read_fingerprints(const std::string& path,
                                                      const FingerprintFlags& flags) {
  Result<hamming::FingerprintFile<F>> file =
      hamming::open_fingerprints<F>(path, flags.format(), told_to_stop());
  if (file && file->without > 0) warn_of_lines_without(path, file->without);
  return file;
}

/// The scheme of a file of fingerprints: that of `named`, a file of leitong sign, if given; else that in the
/// file beside it.
Result<std::optional<SchemeId>> scheme_of_fingerprints(const std::string& path,
                                                       const std::string& named = {});

/// The line "scheme" of a table for people, or nothing.
[[nodiscard]] std::string scheme_line(const std::optional<SchemeId>& scheme);

/// Are rows written as text? As --format says; otherwise if the output is a terminal or a .tsv file.
[[nodiscard]] bool writes_tsv(const std::string& format, const std::string& output);

/// --threads, --memory and --work.
void add_hamming_resources(CLI::App& app, ContextSettings& context);

}  // namespace leitong::cli
