// Writes the answers of an index as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "leitong/online.hpp"

namespace leitong::server {

/// Appends one object without a line feed (docs/format.md), and without an id if there is none. The last
/// brace is left out, so that more members can follow.
void append_open_answer(std::string& json, std::optional<std::string_view> id, const online::Answer& answer);

/// Appends the members of a text of an index, except its id; its text if wanted.
void append_stored(std::string& json, const online::Stored& stored, bool text);

/// Appends the figures of an index, for GET and its metrics, as an object.
void append_figures(std::string& json, const online::Figures& figures);

}  // namespace leitong::server
