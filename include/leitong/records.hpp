// Which records are taken: the rules that the command, the service, Python and tables share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace leitong {

/// Why a record or a table with these keys, or names of columns, is refused: one of them occurs twice, and
/// readers differ in which value they take. Empty if each occurs once. `thing` is what the message calls them
/// ("key", "column"). Sorts `names`. O(n log n).
[[nodiscard]] std::string repeated_name(std::string_view thing, std::span<std::string_view> names);

namespace online {

/// The last moment that an index takes, in seconds since 1970: in the year 5138. With a minus the first one.
inline constexpr std::int64_t kMostSeconds = 99'999'999'999;

/// May it be the date of a text, or when it expires? It is within kMostSeconds, so that milliseconds are
/// refused, and doesn't read as a date without hyphens, such as 20261122: as seconds that is a moment of
/// August 1970. O(1).
[[nodiscard]] bool is_moment(std::int64_t seconds) noexcept;

}  // namespace online

}  // namespace leitong
