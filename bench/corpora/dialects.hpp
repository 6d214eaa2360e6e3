// An unlimited supply of phrases from one training text: the same Markov chain in other characters.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "corpora/markov_text.hpp"

namespace leitong::bench {

/// Ciphers of the training text's characters. A phrase in one dialect is another phrase in the next one, but
/// lengths, repetition and the frequency profile stay: every Han character is exchanged with one of about its
/// frequency, letters with letters. The 64 most frequent characters and everything else are the same in all
/// dialects, as function words are the same in texts on any subject. Dialect 0 is the training text's own.
class Dialects {
 public:
  explicit Dialects(const Text& training);

  /// Translates in place, from dialect 0. Takes a few operations for each character.
  void translate(std::uint32_t dialect, std::span<std::uint32_t> text) const;

 private:
  static constexpr std::uint32_t kBlock = 64;  // neighbours in frequency, which are exchanged
  static constexpr std::uint16_t kUnranked = UINT16_MAX;

  std::vector<std::uint16_t> rank_;     // by character
  std::vector<std::uint16_t> by_rank_;  // whole blocks
};

}  // namespace leitong::bench
