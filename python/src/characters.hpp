// Python's strings are indexed by characters, those of the library by bytes of UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace leitong::python {

/// Turns a byte offset in UTF-8 into a number of characters, for ascending offsets.
class CharacterCounter {
 public:
  explicit CharacterCounter(std::string_view text) : text_(text) {}
  std::size_t at(std::size_t byte) {
    characters_ += static_cast<std::size_t>(std::count_if(
        text_.begin() + static_cast<std::ptrdiff_t>(byte_), text_.begin() + static_cast<std::ptrdiff_t>(byte),
        [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    byte_ = byte;
    return characters_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0, characters_ = 0;
};

}  // namespace leitong::python
