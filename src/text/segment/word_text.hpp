// Properties of a word that follow from its characters alone.
#pragma once

#include <cstdint>
#include <string_view>

namespace leitong {

/// XXH3 of its bytes, which signatures use for the word.
[[nodiscard]] std::uint64_t word_hash(std::string_view word) noexcept;

/// Its first 8 bytes as a number that sorts as the bytes do, zero-padded.
[[nodiscard]] std::uint64_t word_prefix(std::string_view word) noexcept;

[[nodiscard]] bool is_single_character(std::string_view word) noexcept;

/// True if the word has at least two characters and one of them is a letter or digit, so that it can
/// distinguish texts.
[[nodiscard]] bool is_term(std::string_view word) noexcept;

}  // namespace leitong
