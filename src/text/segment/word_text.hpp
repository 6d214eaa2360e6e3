// What is true of a word by its characters alone.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong {

/// XXH3 of its bytes, by which it goes into signatures.
[[nodiscard]] std::uint64_t word_hash(std::string_view word) noexcept;

/// Its first 8 bytes as a number that orders as bytes do, zero-padded.
[[nodiscard]] std::uint64_t word_prefix(std::string_view word) noexcept;

[[nodiscard]] bool is_single_character(std::string_view word) noexcept;

/// At least two characters, one of them a letter or digit: what can tell texts apart.
[[nodiscard]] bool is_term(std::string_view word) noexcept;

}  // namespace leitong
