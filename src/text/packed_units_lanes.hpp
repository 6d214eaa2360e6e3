// Implements pack_units() with vectors of units. Internal to src/text; see packed_units_kernel.hpp.
#pragma once

#include "text/packed_units_kernel.hpp"

namespace leitong {
namespace {

/// `Lanes` is a vector of kLanes 32-bit numbers with the operators that are used here, and Lanes::Mask holds
/// a truth value for each. less() and the shift are unsigned.
template <class Lanes>
class PackedByLanes {
  using Mask = typename Lanes::Mask;

 public:
  static std::size_t pack(const Unit* units, std::size_t count, std::uint16_t* words) {
    const typename Lanes::Bytes likely(kSecondLetters.likely), other(kSecondLetters.other);
    std::size_t i = 0;
    for (; i + Lanes::kLanes <= count; i += Lanes::kLanes) {
      const Lanes unit = Lanes::load(units + i);
      Lanes word = unit;
      Mask left = (!less(unit, all(UINT16_MAX + 1))) | are_codes(unit);
      for (const auto* letters : {&likely, &other}) {
        if (!left.any()) break;
        const Lanes second = letters->at(unit >> kSecondShift & all(0xFF));
        const Lanes first = (unit ^ second * all(kSecondFactor)) >> kFirstShift & all(kFirstMask);
        const Mask is_pair = left & are_letters(first) & (pairs(first, second) == unit);
        const Lanes code =
            numbers(first) * all(kSeconds) + unless_none(second, numbers(second) + all(1)) + all(kCodes);
        word = select(is_pair, code, word);
        left = left & !is_pair;
      }
      if (left.any()) break;
      word.store_words(words + i);
    }
    return i;
  }

  static std::size_t unpack(const std::uint16_t* words, std::size_t count, Unit* units) {
    std::size_t i = 0;
    for (; i + Lanes::kLanes <= count; i += Lanes::kLanes) {
      const Lanes word = Lanes::load_words(words + i);
      Lanes unit = word;
      if (const Mask codes = are_codes(word); codes.any()) {
        if ((word == all(kEscape)).any()) break;
        const Lanes code = word + all(0 - kCodes);
        const Lanes first = code * all(kReciprocal) >> kReciprocalShift;
        const Lanes second = code + first * all(0 - kSeconds);
        unit = select(codes, pairs(letters(first), unless_none(second, letters(second + all(UINT32_MAX)))),
                      unit);
      }
      unit.store(units + i);
    }
    return i;
  }

 private:
  // Replaces division by kSeconds, exactly for all codes.
  static constexpr unsigned kReciprocalShift = 16;
  static constexpr std::uint32_t kReciprocal = (1U << kReciprocalShift) / kSeconds + 1;
  static_assert([] {
    for (std::uint32_t code = 0; code < kFirsts * kSeconds; ++code)
      if (code * kReciprocal >> kReciprocalShift != code / kSeconds) return false;
    return true;
  }());

  static Lanes all(std::uint32_t value) { return Lanes::all(value); }
  static Mask are_codes(Lanes words) { return (words & all(~kCodeMask)) == all(kCodes); }
  static Mask are_lower(Lanes letters) { return less(letters + all(0U - 'a'), all(kLetters)); }
  static Mask are_letters(Lanes letters) {
    return are_lower(letters) | less(letters + all(0U - '0'), all(kFirsts - kLetters));
  }
  static Lanes pairs(Lanes first, Lanes second) {
    return (first * all(kFirstFactor) ^ second * all(kSecondFactor)) | all(kPairBit);
  }
  static Lanes numbers(Lanes letters) {
    return letters + select(are_lower(letters), all(0U - 'a'), all(kLetters - '0'));
  }
  static Lanes letters(Lanes numbers) {
    return numbers + select(less(numbers, all(kLetters)), all('a'), all('0' - kLetters));
  }
  // 0 means no second letter, as a letter and as a number.
  static Lanes unless_none(Lanes second, Lanes value) { return select(second == all(0), all(0), value); }
};

}  // namespace
}  // namespace leitong
