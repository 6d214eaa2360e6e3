// Chinese texts cut into words, and their keywords, exactly as cppjieba does it with the same dictionaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/dictionaries.hpp"
#include "leitong/result.hpp"

namespace leitong {

enum class SegmentMode : std::uint8_t {
  mix,     ///< the likeliest words
  full,    ///< all dictionary words, overlapping ones too
  search,  ///< the likeliest words, each after the shorter words in it
};

/// How texts are cut.
struct SegmentSettings {
  SegmentMode mode = SegmentMode::mix;  ///< which words are given
  bool hmm = true;  ///< a hidden Markov model joins characters that no dictionary word covers
  /// Words of scripts that jieba does not know follow the rules of those scripts. Goes with SegmentMode::mix.
  bool all_scripts = false;
};

/// A word by its place in its text, in bytes.
struct Word {
  std::uint32_t begin = 0;  ///< its first byte
  std::uint32_t end = 0;    ///< the byte after its last one

  /// The word itself. REQUIRES its own text.
  [[nodiscard]] std::string_view in(std::string_view text) const noexcept {
    return text.substr(begin, end - begin);
  }
  /// The same place.
  friend bool operator==(const Word&, const Word&) = default;
};

/// A word that says what a text is about.
struct Keyword {
  std::string_view word;  ///< part of the text or of the Segmenter: lives as long as both
  double weight = 0;      ///< occurrences times inverse document frequency
};

/// Dictionaries, ready for use. Thread-safe; a copy shares them.
class Segmenter {
 public:
  /// Opens the dictionaries: milliseconds if they were compiled before, else about a second. Fails with
  /// not_found for a file that is not there, with corrupt for a damaged one, with invalid_argument where a
  /// model stands beside other files.
  [[nodiscard]] static Result<Segmenter> open(const Context& context, const Dictionaries& dictionaries = {});

  /// The words of each text. In the mode mix every byte belongs to a word; what separates (white space,
  /// punctuation) is a word of its own. Fails with corrupt, naming the first text that is not valid UTF-8;
  /// with limit for a text of 4 GiB and more; with invalid_argument for all_scripts in another mode than mix;
  /// with cancelled. Linear.
  [[nodiscard]] Result<Lists<Word>> segment(const Context& context, std::span<const std::string_view> texts,
                                            const SegmentSettings& settings = {}) const;

  /// The `count` heaviest words of each text by TF-IDF, the heaviest first: words of two characters and more
  /// that are no stop words, as cppjieba's KeywordExtractor has them. Errors as segment(). Linear.
  [[nodiscard]] Result<Lists<Keyword>> keywords(const Context& context,
                                                std::span<const std::string_view> texts,
                                                std::size_t count = 20, bool all_scripts = false) const;

  /// The part of speech of a word: the dictionary's, or m (a number), eng (it has ASCII letters) or x.
  [[nodiscard]] std::string_view tag(std::string_view word) const;

 private:
  struct Inside;
  explicit Segmenter(std::shared_ptr<const Inside> inside);
  std::shared_ptr<const Inside> inside_;
};

}  // namespace leitong
