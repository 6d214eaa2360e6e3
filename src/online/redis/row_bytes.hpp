// What a Redis server keeps of a text. functions.cpp documents the layout and reads what it needs of it.
#pragma once

#include <string>
#include <string_view>

#include "online/row.hpp"
#include "online/segment.hpp"

namespace leitong::online {

/// The stamp in an index that compares texts: what is known of the text, and how its match was found.
[[nodiscard]] std::string stamp_bytes(const Row& row, const TextRecord& record);

/// A row in the form of the other indexes, without the stamp's fingerprint unless this has `width` bytes.
/// False for bytes that are no row.
[[nodiscard]] bool unpack_redis_row(std::string_view bytes, std::size_t width, Row& row);

/// What follows the slots of a row.
[[nodiscard]] std::string redis_row(const Row& row, const TextRecord& record);

}  // namespace leitong::online
