// Fingerprints as people and other programs write them: numbers in base 16, 10 or 2.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/hamming/fingerprint.hpp"

namespace leitong::hamming {

enum class Digits { hex, decimal, binary };

/// The names, in their order.
[[nodiscard]] const std::vector<std::string>& digits_names();

/// A number of at most 64 or 128 bits; nothing for other text. Hexadecimal digits may follow 0x, binary ones
/// 0b.
template <Fingerprint F>
[[nodiscard]] std::optional<F> parse_digits(std::string_view number, Digits digits);

/// Appends the number: in hexadecimal and binary with all leading zeros, in decimal without.
template <Fingerprint F>
void append_digits(F fingerprint, Digits digits, std::string& out);

}  // namespace leitong::hamming
