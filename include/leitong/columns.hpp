// Results for many texts at once, in flat arrays: the layout of Arrow's large lists and large strings, so
// that other languages take them over without a copy of each element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

/// A list of values for each text. `offsets` has one entry more than there are lists.
template <class T>
struct Lists {
  std::vector<T> values;                    ///< of all lists, one list after the other
  std::vector<std::int64_t> offsets = {0};  ///< where each list begins, and where the last one ends

  /// The number of lists.
  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  /// REQUIRES i < size().
  [[nodiscard]] std::span<const T> operator[](std::size_t i) const noexcept {
    const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
    return {values.data() + begin, end - begin};
  }
};

/// A string for each text.
struct Strings {
  std::string bytes;                        ///< of all strings, one after the other
  std::vector<std::int64_t> offsets = {0};  ///< where each string begins, and where the last one ends

  /// The number of strings.
  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  /// REQUIRES i < size(). The view lives as long as `bytes` is not changed.
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
    return std::string_view(bytes).substr(begin, end - begin);
  }
};

}  // namespace leitong
