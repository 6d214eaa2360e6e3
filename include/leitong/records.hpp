// Which records are accepted: the rules that the command, the service, Python and tables share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace leitong {

/// Returns why a record or a table with these keys or column names is refused: a name occurs twice, and
/// readers differ in which of its values they take. Empty if each name occurs once. `thing` is what the
/// message calls the names ("key", "column"). Sorts `names`. O(n log n).
[[nodiscard]] std::string repeated_name(std::string_view thing, std::span<std::string_view> names);

/// A place in a text, for messages. Both count from 1. A line ends with a line feed, and a column is a code
/// point of its line. If the bytes are not UTF-8, each byte that does not continue another one is a column.
struct TextPlace {
  std::uint64_t line = 1;    ///< line of the text
  std::uint64_t column = 1;  ///< column of the line
};
/// The place of a byte of `text`. O(n).
[[nodiscard]] TextPlace place_of(std::string_view text, std::size_t byte) noexcept;

/// The offset of the first byte that breaks UTF-8 (RFC 3629), or npos. O(n).
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view bytes) noexcept;

/// The offset of the fault in a text that should be one JSON value: of the first byte that cannot stand
/// there, of the quote or bracket that is never closed, or of what follows the value. npos if nothing is
/// wrong. NaN and infinities are accepted. O(n).
[[nodiscard]] std::size_t find_json_fault(std::string_view text);

namespace online {

/// The last moment that an index accepts, in seconds since 1970; it is in the year 5138. The first one is its
/// negative.
inline constexpr std::int64_t kMostSeconds = 99'999'999'999;

/// Can the moment be the date or the expiry of a text? It must be within kMostSeconds, which refuses
/// milliseconds, and must not look like a date without hyphens, such as 20261122 (as seconds, a moment in
/// August 1970). O(1).
[[nodiscard]] bool is_moment(std::int64_t seconds) noexcept;

}  // namespace online

}  // namespace leitong
