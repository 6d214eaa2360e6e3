// Semantic signatures of words: words of one meaning agree in most bits.
//
// Never compare texts by these alone: a thesaurus and, even more, word vectors put antonyms beside synonyms
// ("rise" and "fall" occur in the same contexts), so "prices rise" and "prices fall" become alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "leitong/result.hpp"

namespace leitong {

/// Maps a word to its group of meaning. A word of several groups belongs to the first.
class Thesaurus {
 public:
  /// Reads a file of either kind below. Its first line tells which: word vectors begin with two numbers.
  static Result<Thesaurus> load(const std::filesystem::path& path);
  /// Reads a text file, whose lines tell its kind: "Aa01A01= word word .." (Cilin: the code is the group; a
  /// code that ends in "@" has a single word), or "word TAB group". Fails with not_found or corrupt, naming
  /// file and line.
  static Result<Thesaurus> read(const std::filesystem::path& path);
  /// Reads word vectors in the format of word2vec, as text or binary. The group is the 16 signs of fixed
  /// random projections: near vectors often share it, but not always.
  static Result<Thesaurus> read_vectors(const std::filesystem::path& path);

  /// Finds the group by the word's hash (term_hash, XXH3).
  [[nodiscard]] std::optional<std::uint64_t> group(std::uint64_t word) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return groups_.size(); }
  /// A digest of the words and their groups. O(size).
  [[nodiscard]] std::uint64_t content_id() const noexcept;

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> groups_;
};

/// The signature of a word of a group: bit b is the sign of alpha g_b(group) + beta g_b(word), where g_b are
/// Gaussian numbers drawn by hash. Two words of one group differ in arccos(alpha^2 / (alpha^2 + beta^2)) / pi
/// of the bits on average (0.20 for alpha = 2 beta), words of two groups in half of them.
[[nodiscard]] std::uint64_t semantic_signature(std::uint64_t word, std::uint64_t group, double alpha,
                                               double beta) noexcept;

}  // namespace leitong
