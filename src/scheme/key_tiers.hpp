// The keys that the scheme "default" takes of a text, by its length: for the sketch, and for the join that
// depends on their number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace leitong {

// People's edits come in groups: one long shingle that survives says as much as two or three short ones.
// Short texts get dense keys, long ones sparse keys; documents of 64..255 units have both.
inline constexpr std::uint32_t kShortKeysBelow = 256, kLongKeysFrom = 64;
inline constexpr std::size_t kShortKeyUnits = 6, kShortKeyWindow = 4, kLongKeyUnits = 12;

/// The first word of a sketch is the number of keys of the short tier; these follow, then those of the long
/// tier. If the text is repetitive (feature/repetition.hpp) the first word has this bit, too, and the last
/// word is a hash of the text's shingle set.
inline constexpr std::uint64_t kHasSetHash = std::uint64_t{1} << 32;

/// The winnowing window of the long tier.
[[nodiscard]] constexpr std::uint32_t long_key_window(std::uint32_t units) {
  if (units < 512) return 16;
  if (units < 2'048) return 32;
  if (units < 8'192) return 64;
  if (units < 32'768) return 128;
  return 256;
}

/// The parts of a sketch.
struct SketchedKeys {
  std::array<std::span<const std::uint64_t>, 2> keys;  ///< of the short tier and of the long one
  std::optional<std::uint64_t> set;                    ///< hash of the shingle set of a repetitive text
};
[[nodiscard]] inline SketchedKeys sketched_keys(std::span<const std::uint64_t> words) {
  if (words.empty()) return {};
  SketchedKeys sketched;
  std::span<const std::uint64_t> keys = words.subspan(1);
  if ((words[0] & kHasSetHash) != 0) {
    sketched.set = keys.back();
    keys = keys.first(keys.size() - 1);
  }
  const std::size_t short_keys = words[0] & ~kHasSetHash;
  sketched.keys = {keys.first(short_keys), keys.subspan(short_keys)};
  return sketched;
}

}  // namespace leitong
