#include "text/packed_units.hpp"

#include <array>
#include <string>
#include <string_view>

namespace leitong {
namespace {

// Surrogates are no characters: their places stand for pairs of letters, the last one for "two words follow".
constexpr std::uint32_t kCodes = 0xD800, kCodeMask = 0x7FF, kEscape = kCodes + kCodeMask;
constexpr bool is_code(std::uint32_t word) { return (word & ~kCodeMask) == kCodes; }

// Of the units that have a code: by code, and the other way round in a table with linear probing.
class PairCodes {
 public:
  PairCodes() {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::string words;
    for (const char first : kLetters) {
      words += {first, ' '};
      for (const char second : kLetters) words += {first, second, ' '};
    }
    PodVector<Unit> units;
    to_units(words, units);
    static_assert(kLetters.size() * (kLetters.size() + 1) < kCodeMask);
    for (const Unit unit : units) {
      std::size_t at = slot_of(unit);
      while (slots_[at].code != 0) at = (at + 1) % slots_.size();
      slots_[at] = {unit, static_cast<std::uint16_t>(kCodes + count_)};
      units_[count_++] = unit;
    }
  }
  // 0 if it has none.
  [[nodiscard]] std::uint16_t code(Unit unit) const noexcept {
    std::size_t at = slot_of(unit);
    while (slots_[at].code != 0 && slots_[at].unit != unit) at = (at + 1) % slots_.size();
    return slots_[at].code;
  }
  [[nodiscard]] Unit unit(std::uint16_t code) const noexcept { return units_[code & kCodeMask]; }

 private:
  struct Slot {
    Unit unit;
    std::uint16_t code;
  };
  static std::size_t slot_of(Unit unit) noexcept { return unit * 0x9E3779B1U >> 20; }

  std::array<Slot, 4096> slots_ = {};
  std::array<Unit, kCodeMask + 1> units_ = {};
  std::uint32_t count_ = 0;
};

const PairCodes& pair_codes() {
  static const PairCodes codes;
  return codes;
}

}  // namespace

void pack_units(std::span<const Unit> units, PodVector<std::uint16_t>& words) {
  const PairCodes& codes = pair_codes();
  const std::size_t begin = words.size();
  words.resize_for_overwrite(begin + 3 * units.size());
  std::uint16_t* out = words.data() + begin;
  for (const Unit unit : units) {
    if (unit <= UINT16_MAX && !is_code(unit)) {
      *out++ = static_cast<std::uint16_t>(unit);
    } else if (const std::uint16_t code = codes.code(unit); code != 0) {
      *out++ = code;
    } else {
      *out++ = kEscape;
      *out++ = static_cast<std::uint16_t>(unit);
      *out++ = static_cast<std::uint16_t>(unit >> 16);
    }
  }
  words.resize_for_overwrite(static_cast<std::size_t>(out - words.data()));
}

void unpack_units(const std::uint16_t* words, std::size_t count, PodVector<Unit>& units) {
  const PairCodes& codes = pair_codes();
  units.resize_for_overwrite(count);
  for (Unit& unit : units) {
    const std::uint16_t word = *words++;
    if (!is_code(word)) {
      unit = word;
    } else if (word != kEscape) {
      unit = codes.unit(word);
    } else {
      unit = words[0] | static_cast<Unit>(words[1]) << 16;
      words += 2;
    }
  }
}

}  // namespace leitong
