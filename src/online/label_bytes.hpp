// The label of a text as bytes, for servers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/online.hpp"
#include "online/bytes.hpp"

namespace leitong::online {

struct Label {
  std::string id, source;
  std::optional<Seconds> time, expires;
};
[[nodiscard]] std::string label_bytes(std::string_view id, std::string_view source,
                                      std::optional<Seconds> time, std::optional<Seconds> expires);
/// Reads a label after its length, as append_text() writes it.
[[nodiscard]] bool take_label(std::string_view& bytes, Label& label);

/// The bytes after a stamp: the length of the label, the label, and the text.
[[nodiscard]] std::string rest_bytes(std::string_view id, std::string_view source,
                                     std::optional<Seconds> time, std::optional<Seconds> expires,
                                     std::uint32_t text_bytes, std::string_view packed);

}  // namespace leitong::online
