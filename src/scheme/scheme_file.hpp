// The scheme of a file of signatures that can't say it itself: one line of text in a file beside it.
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

/// Fails with not_found or io, and with corrupt, naming the file, for what isn't such a file.
Result<SchemeId> read_scheme_file(const std::filesystem::path& path);

/// What stands beside a file of signatures; nothing if there is no such file, or for "-" (standard input).
/// Fails as read_scheme_file().
Result<std::optional<SchemeId>> read_scheme_beside(const std::string& signatures);

/// Signatures of one place, and their scheme where it is known.
struct NamedScheme {
  std::string_view place;
  std::optional<SchemeId> id;
};

/// Fails with invalid_argument if both are known and differ, naming both ids and what differs.
Result<void> check_same_scheme(const NamedScheme& a, const NamedScheme& b);

}  // namespace leitong
