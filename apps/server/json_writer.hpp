// Writes JSON: strings, and the answers of an index.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/online.hpp"

namespace leitong::server {

/// Appends a string in quotes. Bytes that are not valid UTF-8 become U+FFFD.
void append_json(std::string& json, std::string_view text);

/// The most bytes that a string of so many bytes becomes, or that write_word() touches for one.
[[nodiscard]] constexpr std::size_t most_json_bytes(std::size_t bytes) noexcept { return 6 * bytes + 10; }
/// Writes a valid UTF-8 string in quotes, and returns its end. REQUIRES room for most_json_bytes().
[[nodiscard]] char* write_json(char* to, std::string_view valid);

/// The same for millions of words, most of which have a few bytes. It may read up to `end`, and may write
/// bytes after the word that the next one overwrites.
[[nodiscard]] inline char* write_word(char* to, std::string_view word, const char* end) {
  constexpr std::size_t kStep = sizeof(std::uint64_t);
  if (std::endian::native != std::endian::little || word.empty() || word.size() > kStep ||
      static_cast<std::size_t>(end - word.data()) < kStep)
    return write_json(to, word);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, word.data(), kStep);
  // The high bits of bytes that need an escape, exact up to the first of them.
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x80 * kOnes;
  const auto below = [](std::uint64_t of, std::uint64_t limit) { return (of - limit * kOnes) & ~of; };
  const std::uint64_t escaped =
      (below(bytes, 0x20) | below(bytes ^ ('"' * kOnes), 1) | below(bytes ^ ('\\' * kOnes), 1)) & kHigh;
  if (escaped << (8 * (kStep - word.size())) != 0) return write_json(to, word);
  *to++ = '"';
  std::memcpy(to, &bytes, kStep);
  to += word.size();
  *to++ = '"';
  return to;
}

/// Appends one object without a line feed (docs/format.md), and without an id if there is none. The last
/// brace is left out, so that more members can follow.
void append_open_answer(std::string& json, std::optional<std::string_view> id, const online::Answer& answer);

/// Appends the members of a text of an index, except its id; its text if wanted.
void append_stored(std::string& json, const online::Stored& stored, bool text);

/// Appends the figures of an index, for GET and its metrics, as an object.
void append_figures(std::string& json, const online::Figures& figures);

}  // namespace leitong::server
