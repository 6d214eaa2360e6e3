// Files of tab-separated rows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/stop.hpp"
#include "io/tsv_field.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Calls `each` with the unescaped fields of every non-blank line, and its number (from 1). An error of
/// `each` gets "path:line: " before it. `path` may be "-" or compressed; a byte order mark, CRLF and a
/// missing last line feed are accepted.
Result<void> read_tsv(
    const std::string& path,
    const std::function<Result<void>(std::span<const std::string> fields, std::uint64_t line)>& each,
    StopToken stop = {});

}  // namespace leitong
