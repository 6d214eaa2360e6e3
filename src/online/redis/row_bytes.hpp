// What a Redis server keeps of a text: functions.cpp has the layout, and reads of it what it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "online/check_text.hpp"
#include "online/row.hpp"
#include "online/segment.hpp"
#include "online/stamp.hpp"

namespace leitong::online {

/// A stamp of an index of fingerprints, whose scheme has so many bytes.
[[nodiscard]] std::string stamp_bytes(const Stamp& stamp, std::size_t width);
/// The stamp of an index that compares texts: what is known of the text, and how its match was found.
[[nodiscard]] std::string stamp_bytes(const Row& row, const TextRecord& record);

/// What stands behind the stamp: the label, and the text.
[[nodiscard]] std::string rest_bytes(std::string_view id, std::string_view source,
                                     std::optional<Seconds> time, std::optional<Seconds> expires,
                                     std::uint32_t text_bytes, std::string_view packed);

struct Label {
  std::string id, source;
  std::optional<Seconds> time, expires;
};
[[nodiscard]] bool take_label(std::string_view& bytes, Label& label);

/// A row as its home says, without the stamp's fingerprint where it isn't one of `width` bytes. False for
/// bytes that are none.
[[nodiscard]] bool unpack_redis_row(std::string_view bytes, std::size_t width, Row& row);

/// What stands behind a row's seats.
[[nodiscard]] std::string redis_row(const Row& row, const TextRecord& record);

}  // namespace leitong::online
