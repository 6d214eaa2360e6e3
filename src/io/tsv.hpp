// Files of tab-separated rows, whose fields are escaped so that they may hold anything.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Calls `each` with the unescaped fields of every non-blank line, and its number (from 1). An error of
/// `each` gets "path:line: " before it. `path` may be "-" or compressed; a byte order mark, CRLF and a
/// missing last line feed are accepted.
Result<void> read_tsv(
    const std::string& path,
    const std::function<Result<void>(std::span<const std::string> fields, std::uint64_t line)>& each,
    StopToken stop = {});

/// Appends `field` with tab, line feed, carriage return and backslash written as \t \n \r \\, and other ASCII
/// control characters as \x and two hexadecimal digits, so that a row is text for any fields.
void append_tsv_field(std::string_view field, std::string& out);

/// The inverse. A backslash before anything that append_tsv_field() does not write stands for itself.
void append_unescaped_tsv_field(std::string_view escaped, std::string& out);

}  // namespace leitong
