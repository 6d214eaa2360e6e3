// Counts how often each word of a text occurs: words of the dictionary by id, others by their bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/pod_vector.hpp"
#include "feature/word_table.hpp"
#include "text/phrases.hpp"
#include "text/script_mix.hpp"

namespace leitong {

/// A word of the model.
struct KnownWord {
  std::uint32_t id;
  std::uint32_t count;
};

/// A word that the model does not know: digits, Latin words, and words that the hidden Markov model found.
struct UnknownWord {
  std::uint64_t hash;           ///< word_hash()
  std::uint32_t begin, length;  ///< its bytes in the text
  std::uint32_t count;
};

/// The words of two and more characters of one text. Its tables are reused for the next text, so that
/// counting allocates nothing; one for each thread.
class WordCounts {
 public:
  /// Segments the text (with the hidden Markov model), counts its words and forgets the previous text.
  /// `phrases`: counted as one word each; null: none.
  void count(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8,
             const Phrases* phrases = nullptr);
  /// Does the same; in_order() then returns the word of each token.
  void count_in_order(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8);

  /// The distinct words; the order of each list depends on the text alone.
  [[nodiscard]] std::span<const KnownWord> known() const noexcept { return known_; }
  [[nodiscard]] std::span<const UnknownWord> unknown() const noexcept { return unknown_; }

  /// A token that is no word of two and more characters.
  static constexpr std::uint32_t kNotCounted = UINT32_MAX;
  /// Added to the place of a word in unknown().
  static constexpr std::uint32_t kUnknown = 0x80000000u;
  /// After count_in_order(): for each token of the text the place of its word in known(), or kUnknown plus
  /// its place in unknown(), or kNotCounted.
  [[nodiscard]] std::span<const std::uint32_t> in_order() const noexcept { return order_; }
  /// The bytes of a token. REQUIRES the text that was counted.
  [[nodiscard]] std::string_view token(std::string_view utf8, std::size_t i) const noexcept {
    return utf8.substr(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  /// A token: where it begins, or its number if the order is kept; and first its slot, then its id (pairs_),
  /// or its length in bytes (others_).
  struct Place {
    std::uint32_t at, word;
  };

  template <bool kInOrder>
  void count_tokens(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8,
                    const Phrases* phrases);
  void forget();
  // Each function returns the word in the form of in_order().
  std::uint32_t add_token(const SegmentModel& model, std::string_view utf8, std::uint32_t begin,
                          std::uint32_t length);
  std::uint32_t add_known(std::uint32_t id);
  std::uint32_t add_unknown(std::string_view utf8, std::uint32_t begin, std::uint32_t length,
                            std::uint64_t hash);

  CutScratch scratch_;
  PodVector<std::uint32_t> starts_, order_;
  PodVector<Place> pairs_, others_;  // tokens of two characters of three bytes, and all others that count
  PodVector<KnownWord> known_;
  PodVector<UnknownWord> unknown_;
  WordTable known_table_, unknown_table_;
};

}  // namespace leitong
