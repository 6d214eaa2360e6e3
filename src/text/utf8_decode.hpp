// Code points of valid UTF-8. Internal to src/text; internal linkage and no standard library (see
// units_kernel.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace leitong {
namespace {

[[maybe_unused]] inline std::uint32_t decode2(const std::uint8_t* p) {
  return (p[0] & 31u) << 6 | (p[1] & 63u);
}
[[maybe_unused]] inline std::uint32_t decode3(const std::uint8_t* p) {
  return (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
}
[[maybe_unused]] inline std::uint32_t decode4(const std::uint8_t* p) {
  return (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);
}

/// The number of bytes of the character that begins with this byte.
[[maybe_unused]] inline std::size_t character_length(std::uint8_t first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}
[[maybe_unused]] inline bool begins_character(std::uint8_t byte) { return (byte & 0xC0) != 0x80; }

[[maybe_unused]] inline std::uint32_t decode(const std::uint8_t* p) {
  return *p < 0x80 ? *p : *p < 0xE0 ? decode2(p) : *p < 0xF0 ? decode3(p) : decode4(p);
}

/// The beginning of the character that ends at p.
[[maybe_unused]] inline const std::uint8_t* character_before(const std::uint8_t* p) {
  do --p;
  while (!begins_character(*p));
  return p;
}
[[maybe_unused]] inline std::uint32_t decode_before(const std::uint8_t* p) {
  return decode(character_before(p));
}

}  // namespace
}  // namespace leitong
