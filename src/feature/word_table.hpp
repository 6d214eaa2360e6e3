// Finds the word of a text that has a hash. The words themselves are in an array of the caller.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/pod_vector.hpp"

namespace leitong {

/// A table of the numbers of words by their hashes: open addressing with linear probing. Its memory is reused
/// for the next text.
class WordTable {
 public:
  /// Removes all words. Shrinks the table if the last text had far fewer words than it holds, since otherwise
  /// clearing it after a long text would slow down all later short texts.
  void clear(std::size_t words_before) {
    if (places_.empty() || places_.size() > 8 * (words_before + kSmall)) {
      places_.clear();
      places_.resize(kSmall, 0);
    } else {
      std::fill(places_.begin(), places_.end(), 0);
    }
  }

  /// The number of the word with this hash for which `is(number)` is true. If there is none, enters and
  /// returns `words`, the number of words so far; the caller then appends the word. Calls `hash_of(number)`
  /// when the table grows.
  template <class Is, class HashOf>
  std::size_t find_or_enter(std::uint64_t hash, std::size_t words, const Is& is, const HashOf& hash_of) {
    if (2 * words >= places_.size()) grow(words, hash_of);
    std::size_t place = hash & (places_.size() - 1);
    for (; places_[place] != 0; place = next(place))
      if (is(places_[place] - 1)) return places_[place] - 1;
    places_[place] = static_cast<std::uint32_t>(words + 1);
    return words;
  }

 private:
  static constexpr std::size_t kSmall = 1 << 8;

  [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (places_.size() - 1); }

  template <class HashOf>
  void grow(std::size_t words, const HashOf& hash_of) {
    const std::size_t size = 4 * places_.size();
    places_.clear();
    places_.resize(size, 0);
    for (std::size_t i = 0; i < words; ++i) {
      std::size_t place = hash_of(i) & (size - 1);
      while (places_[place] != 0) place = next(place);
      places_[place] = static_cast<std::uint32_t>(i + 1);
    }
  }

  PodVector<std::uint32_t> places_;  // number + 1, or 0
};

}  // namespace leitong
