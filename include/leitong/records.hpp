// Which records are accepted: the rules that the command, the service, Python and tables share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace leitong {

/// Why a record or a table with these keys or column names is refused: a name occurs twice, and readers
/// differ in which value they take. Empty if each occurs once. `thing` is what the message calls the names
/// ("key", "column"). Sorts `names`. O(n log n).
[[nodiscard]] std::string repeated_name(std::string_view thing, std::span<std::string_view> names);

namespace online {

/// The last moment that an index accepts, in seconds since 1970: in the year 5138. Its negative is the first
/// one.
inline constexpr std::int64_t kMostSeconds = 99'999'999'999;

/// Can it be the date or the expiry of a text? It must be within kMostSeconds, which refuses milliseconds,
/// and must not look like a date without hyphens, such as 20261122 (as seconds, a moment in August 1970).
/// O(1).
[[nodiscard]] bool is_moment(std::int64_t seconds) noexcept;

}  // namespace online

}  // namespace leitong
