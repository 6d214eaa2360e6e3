// JSON that is written: strings, and the answers of an index.
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

/// Appends a string in quotes. What is not valid UTF-8 becomes U+FFFD.
void append_json(std::string& json, std::string_view text);

/// Most bytes that a string of so many bytes becomes, or that write_word() touches for one.
[[nodiscard]] constexpr std::size_t most_json_bytes(std::size_t bytes) noexcept { return 6 * bytes + 10; }
/// Writes a string that is known to be valid UTF-8 in quotes, and returns where it ends. REQUIRES room for
/// most_json_bytes().
[[nodiscard]] char* write_json(char* to, std::string_view valid);

/// The same for words by the million, of which most have a few bytes. Up to `end` there is more behind the
/// word, which may be read; what is written behind its end the next one overwrites.
[[nodiscard]] inline char* write_word(char* to, std::string_view word, const char* end) {
  constexpr std::size_t kStep = sizeof(std::uint64_t);
  if (std::endian::native != std::endian::little || word.empty() || word.size() > kStep ||
      static_cast<std::size_t>(end - word.data()) < kStep)
    return write_json(to, word);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, word.data(), kStep);
  // The high bits of bytes that can't stand for themselves, right up to the first of them.
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

/// Appends one object without a line feed, as docs/format.md has it; without an id for nothing. The object is
/// left open, without its last brace, so that more may follow.
void append_open_answer(std::string& json, std::optional<std::string_view> id, const online::Answer& answer);

/// Appends the members of a text of an index, but for its id; its text where that is wished for.
void append_stored(std::string& json, const online::Stored& stored, bool text);

/// Appends what GET of an index and its metrics are made of, as an object.
void append_figures(std::string& json, const online::Figures& figures);

}  // namespace leitong::server
