// Unlimited new text with the statistics of a given one, from which generated corpora are made.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace leitong::bench {

/// A small deterministic generator (SplitMix64: Steele, Lea, Flood 2014). The same seed gives the same corpus
/// on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Uniform in [0, n). REQUIRES n > 0.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }
  double normal();
  /// 0, 1, .. n - 1 with a probability proportional to 1 / (k + 1).
  std::uint32_t zipf(std::uint32_t n);

 private:
  std::uint64_t state_;
};

using Text = std::vector<std::uint32_t>;  ///< code points
inline constexpr std::uint32_t kFullStop = 0x3002;

/// Decodes valid UTF-8 and keeps what the model uses: letters, digits and everything from U+2000, but nothing
/// that JSON escapes.
[[nodiscard]] Text decode_for_model(std::string_view utf8);
void append_utf8(const Text& text, std::string& out);

/// Random words of an invented vocabulary (Zipf), in sentences: training text if there is no real one.
[[nodiscard]] Text made_up_text(std::size_t characters, std::uint64_t seed);

/// An order-3 character Markov chain with copied runs: sentences follow the training text and sometimes jump
/// to another place with the same last three characters. Building sorts the training text; a character takes
/// one or two cache misses.
class MarkovText {
 public:
  /// `run` is the mean number of characters copied between jumps. REQUIRES a training text with full stops.
  MarkovText(Text training, double run);

  /// Appends a new sentence of at most 60 characters.
  void sentence(Random& random, Text& out) const;
  /// Appends a sentence of the training text as it is; a few of them are very popular (Zipf).
  void shared_sentence(Random& random, Text& out) const;
  /// A random character, by its frequency.
  [[nodiscard]] std::uint32_t character(Random& random) const {
    return training_[random.below(static_cast<std::uint32_t>(training_.size()))];
  }

 private:
  Text training_;
  double jump_;
  std::vector<std::uint32_t> places_;       ///< positions, those with the same three last characters together
  std::vector<std::uint32_t> group_begin_;  ///< for each position, where its group begins in places_
  std::vector<std::uint32_t> group_size_;   ///< and how many are in it
  std::vector<std::uint32_t> sentences_;    ///< where the sentences begin
};

}  // namespace leitong::bench
