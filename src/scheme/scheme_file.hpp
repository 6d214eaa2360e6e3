// Stores the scheme of a file of signatures that cannot hold it itself, as one line of text in a second file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong {

/// "FILE.scheme", which holds scheme_text() and a line feed.
[[nodiscard]] std::filesystem::path scheme_file_of(const std::filesystem::path& signatures);

/// Fails with not_found or io, and with corrupt, naming the file, if it is not such a file.
Result<SchemeId> read_scheme_file(const std::filesystem::path& path);

/// Reads the scheme of a file of signatures. Returns nothing if there is no scheme file, or for "-" (standard
/// input). Fails as read_scheme_file().
Result<std::optional<SchemeId>> read_scheme_beside(const std::string& signatures);

/// Signatures from one source, and their scheme if it is known.
struct NamedScheme {
  std::string_view place;
  std::optional<SchemeId> id;
};

/// Fails with invalid_argument if both are known and differ, naming both ids and what differs.
Result<void> check_same_scheme(const NamedScheme& a, const NamedScheme& b);

}  // namespace leitong
