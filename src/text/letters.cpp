#include "text/letters.hpp"

#include "text/packed_units.hpp"
#include "text/packed_units_kernel.hpp"

namespace leitong {

void letters_of(std::span<const Unit> units, PodVector<std::uint32_t>& letters) {
  PodVector<std::uint16_t> words;
  pack_units(units, words);
  letters.resize_for_overwrite(2 * units.size());
  std::uint32_t* out = letters.data();
  for (std::size_t at = 0, i = 0; i < units.size(); ++i) {
    const std::uint32_t word = words[at];
    at += word == kEscape ? 3 : 1;
    if (word == kEscape || !is_code(word)) {
      *out++ = units[i];
      continue;
    }
    const std::uint32_t pair = word - kCodes;
    *out++ = first_of(pair / kSeconds);
    if (const std::uint32_t second = second_of(pair % kSeconds); second != 0) *out++ = second;
  }
  letters.resize_for_overwrite(static_cast<std::size_t>(out - letters.data()));
}

}  // namespace leitong
