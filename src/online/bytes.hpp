// Short texts and numbers in rows, keys and messages.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/packing.hpp"

namespace leitong::online {

/// Appends the length of a text, and the text. REQUIRES fewer than 65,536 bytes.
inline void append_text(std::string_view text, std::string& bytes) {
  bytes.append(value_bytes(static_cast<std::uint16_t>(text.size()))).append(text);
}
[[nodiscard]] inline bool take_text(std::string_view& bytes, std::string& text) {
  std::uint16_t size = 0;
  if (!take_value(bytes, size) || bytes.size() < size) return false;
  text.assign(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return true;
}

/// Numbers as keys that sort as the numbers do.
template <class T>
void append_key(T number, std::string& key) {
  for (int shift = 8 * (int{sizeof(T)} - 1); shift >= 0; shift -= 8)
    key += static_cast<char>(number >> shift);
}
template <class T>
[[nodiscard]] std::string key_of(T number) {
  std::string key;
  append_key(number, key);
  return key;
}
/// The number in such a key.
[[nodiscard]] inline std::uint64_t number_in_key(std::string_view key) noexcept {
  std::uint64_t number = 0;
  for (const char byte : key) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

/// Reads a number in decimal digits, as servers write it.
[[nodiscard]] inline std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace leitong::online
