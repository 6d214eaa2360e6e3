// Which of a text's words has this hash? Words themselves lie in an array of whoever asks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/pod_vector.hpp"

namespace leitong {

/// Numbers of words by their hashes: open addressing with linear probing. What it allocates stays for the
/// next text.
class WordTable {
 public:
  /// Forgets all words. The table shrinks if the last text had far fewer words than it holds: clearing it
  /// after a long text must not slow all short ones after it.
  void clear(std::size_t words_before) {
    if (places_.empty() || places_.size() > 8 * (words_before + kSmall)) {
      places_.clear();
      places_.resize(kSmall, 0);
    } else {
      std::fill(places_.begin(), places_.end(), 0);
    }
  }

  /// The number of the word with this hash for which `is(number)` holds; if there is none `words`, the number
  /// of words so far, which is entered: the caller appends it. `hash_of(number)` is asked when the table
  /// grows.
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
