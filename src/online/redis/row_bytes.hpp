// What a Redis server keeps of a text: functions.cpp has the layout, and reads of it what it needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "online/check_text.hpp"
#include "online/label_bytes.hpp"
#include "online/row.hpp"
#include "online/segment.hpp"

namespace leitong::online {

/// The stamp of an index that compares texts: what is known of the text, and how its match was found.
[[nodiscard]] std::string stamp_bytes(const Row& row, const TextRecord& record);

/// A row as its home says, without the stamp's fingerprint where it isn't one of `width` bytes. False for
/// bytes that are none.
[[nodiscard]] bool unpack_redis_row(std::string_view bytes, std::size_t width, Row& row);

/// What stands behind a row's seats.
[[nodiscard]] std::string redis_row(const Row& row, const TextRecord& record);

}  // namespace leitong::online
