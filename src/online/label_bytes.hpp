// What servers keep of a text's stamp and label, as bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/online.hpp"
#include "online/bytes.hpp"
#include "online/stamp.hpp"

namespace leitong::online {

/// A stamp of an index of fingerprints, whose scheme has so many bytes.
[[nodiscard]] std::string stamp_bytes(const Stamp& stamp, std::size_t width);
/// False for bytes that are none.
[[nodiscard]] bool take_stamp(std::string_view bytes, std::size_t width, Stamp& stamp);

struct Label {
  std::string id, source;
  std::optional<Seconds> time, expires;
};
[[nodiscard]] std::string label_bytes(std::string_view id, std::string_view source,
                                      std::optional<Seconds> time, std::optional<Seconds> expires);
/// Of a label behind its length, as append_text() writes it.
[[nodiscard]] bool take_label(std::string_view& bytes, Label& label);

/// What stands behind a stamp: the label behind its length, and the text.
[[nodiscard]] std::string rest_bytes(std::string_view id, std::string_view source,
                                     std::optional<Seconds> time, std::optional<Seconds> expires,
                                     std::uint32_t text_bytes, std::string_view packed);

}  // namespace leitong::online
