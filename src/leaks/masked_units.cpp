#include "leaks/masked_units.hpp"

#include <array>
#include <string>

namespace leitong {
namespace {

constexpr std::size_t kSlots = 512;  // for 110 units

/// The units that are made of digits alone, in a table with open addressing.
class NumberUnits110 {
 public:
  NumberUnits110() {
    PodVector<Unit> unit;
    const auto add = [&](const std::string& digits) {
      to_units(digits, unit);
      std::size_t slot = slot_of(unit[0]);
      while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = unit[0];
      may_have_[bit_of(unit[0]) / 64] |= std::uint64_t{1} << bit_of(unit[0]) % 64;
    };
    for (char first = '0'; first <= '9'; ++first) {
      add({first});
      for (char second = '0'; second <= '9'; ++second) add({first, second});
    }
  }
  [[nodiscard]] bool has(Unit unit) const noexcept {
    // One test tells of nearly all others that they are none.
    if ((may_have_[bit_of(unit) / 64] >> bit_of(unit) % 64 & 1) == 0) return false;
    for (std::size_t slot = slot_of(unit); slots_[slot] != 0; slot = (slot + 1) % kSlots)
      if (slots_[slot] == unit) return true;
    return false;
  }

 private:
  static std::size_t slot_of(Unit unit) noexcept { return (unit * 0x9E3779B1U) >> 23; }
  static std::size_t bit_of(Unit unit) noexcept { return (unit * 0x9E3779B1U) >> 19; }
  std::array<Unit, kSlots> slots_{};
  std::array<std::uint64_t, 128> may_have_{};  // 1 of 74 bits
};

const NumberUnits110& number_units() {
  static const NumberUnits110 units;
  return units;
}

bool is_pair(Unit unit) { return (unit & 0x80000000U) != 0; }

}  // namespace

Unit label_unit(std::uint32_t letter) noexcept {
  static const std::array<Unit, 8> labels = [] {
    std::array<Unit, 8> all{};
    PodVector<Unit> unit;
    for (std::size_t i = 0; i < all.size(); ++i) {
      to_units(std::string(1, static_cast<char>('a' + i)), unit);
      all[i] = unit[0];
    }
    return all;
  }();
  return labels[letter];
}

void to_masked_units(std::string_view utf8, MaskedUnits& text) {
  to_units(utf8, text.units);
  const std::size_t size = text.units.size();
  text.masked.resize_for_overwrite(size);
  text.origin.resize_for_overwrite(size + 1);
  const NumberUnits110& numbers = number_units();
  std::size_t out = 0;
  bool in_number = false;
  for (std::size_t i = 0; i < size; ++i) {
    const Unit unit = text.units[i];
    const bool number = is_pair(unit) && numbers.has(unit);
    if (number && in_number) continue;
    in_number = number;
    text.masked[out] = number ? kNumberUnit : unit;
    text.origin[out++] = static_cast<std::uint32_t>(i);
  }
  text.origin[out] = static_cast<std::uint32_t>(size);
  text.masked.resize_for_overwrite(out);
  text.origin.resize_for_overwrite(out + 1);
}

}  // namespace leitong
