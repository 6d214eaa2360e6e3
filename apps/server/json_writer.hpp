// JSON that is written: strings, and the answers of an index.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "leitong/online.hpp"

namespace leitong::server {

/// Appends a string in quotes. What is not valid UTF-8 becomes U+FFFD.
void append_json(std::string& json, std::string_view text);

/// Most bytes that a string of so many bytes becomes.
[[nodiscard]] constexpr std::size_t most_json_bytes(std::size_t bytes) noexcept { return 6 * bytes + 2; }
/// Writes a string that is known to be valid UTF-8 in quotes, and returns where it ends: for words by the
/// million. REQUIRES room for most_json_bytes().
[[nodiscard]] char* write_json(char* to, std::string_view valid);

/// Appends one object without a line feed, as docs/format.md has it; without an id for nothing. The object is
/// left open, without its last brace, so that more may follow.
void append_open_answer(std::string& json, std::optional<std::string_view> id, const online::Answer& answer);

/// Appends the members of a text of an index, but for its id; its text where that is wished for.
void append_stored(std::string& json, const online::Stored& stored, bool text);

/// Appends what GET of an index and its metrics are made of, as an object.
void append_figures(std::string& json, const online::Figures& figures);

}  // namespace leitong::server
