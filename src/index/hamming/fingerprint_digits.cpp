#include "index/hamming/fingerprint_digits.hpp"

#include <algorithm>

namespace leitong::hamming {
namespace {

__extension__ using Wide = unsigned __int128;

Wide wide(Fingerprint64 fingerprint) { return fingerprint; }
Wide wide(Fingerprint128 fingerprint) { return Wide{fingerprint.high} << 64 | fingerprint.low; }

template <Fingerprint F>
F narrow(Wide value) {
  if constexpr (kWords<F> == 1)
    return static_cast<F>(value);
  else
    return F{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)};
}

/// The bits of a digit; 0 for decimal ones.
unsigned bits_of(Digits digits) {
  if (digits == Digits::hex) return 4;
  return digits == Digits::binary ? 1 : 0;
}

std::string_view without_prefix(std::string_view number, Digits digits) {
  const char letter = digits == Digits::hex ? 'x' : 'b';
  const bool prefixed = number.size() > 1 && number[0] == '0' && (number[1] | 0x20) == letter;
  return number.substr(prefixed && digits != Digits::decimal ? 2 : 0);
}

/// The value of a digit; 16 if it is none.
unsigned value_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
}

}  // namespace

const std::vector<std::string>& digits_names() {
  static const std::vector<std::string> names{"hex", "decimal", "binary"};
  return names;
}

template <Fingerprint F>
std::optional<F> parse_digits(std::string_view number, Digits digits) {
  number = without_prefix(number, digits);
  if (number.empty()) return std::nullopt;
  Wide value = 0;
  if (const unsigned bits = bits_of(digits)) {
    // Leading zeros count: a longer number belongs to wider fingerprints.
    if (number.size() > kBits<F> / bits) return std::nullopt;
    for (const char c : number) {
      const unsigned digit = value_of(c);
      if (digit >> bits != 0) return std::nullopt;
      value = value << bits | digit;
    }
    return narrow<F>(value);
  }
  constexpr Wide kLargest = ~Wide{0} >> (128 - kBits<F>);
  for (const char c : number) {
    const unsigned digit = value_of(c);
    if (digit > 9 || value > (kLargest - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return narrow<F>(value);
}

template <Fingerprint F>
void append_digits(F fingerprint, Digits digits, std::string& out) {
  Wide value = wide(fingerprint);
  if (const unsigned bits = bits_of(digits)) {
    for (unsigned at = kBits<F>; at > 0;) {
      at -= bits;
      out += "0123456789abcdef"[static_cast<unsigned>(value >> at) & ((1u << bits) - 1)];
    }
    return;
  }
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  do {
    out += static_cast<char>('0' + static_cast<char>(value % 10));
    value /= 10;
  } while (value > 0);
  std::reverse(out.begin() + begin, out.end());
}

template std::optional<Fingerprint64> parse_digits(std::string_view, Digits);
template std::optional<Fingerprint128> parse_digits(std::string_view, Digits);
template void append_digits(Fingerprint64, Digits, std::string&);
template void append_digits(Fingerprint128, Digits, std::string&);

}  // namespace leitong::hamming
