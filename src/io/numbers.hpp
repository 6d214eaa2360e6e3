// Whole numbers in as few bytes as necessary: seven bits in each byte, the lowest first; all bytes but the
// last have the top bit set (LEB128).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong {

inline void put_number(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Reads numbers that put_number() wrote. After a wrong one all others are 0.
class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) : left_(bytes) {}
  std::uint64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) break;
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    bad_ = true;
    left_ = {};
    return 0;
  }
  [[nodiscard]] bool bad() const noexcept { return bad_; }
  [[nodiscard]] std::string_view left() const noexcept { return left_; }

 private:
  std::string_view left_;
  bool bad_ = false;
};

}  // namespace leitong
