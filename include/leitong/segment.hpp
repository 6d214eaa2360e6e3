// Cuts Chinese texts into words and finds their keywords, exactly as cppjieba does with the same
// dictionaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/dictionaries.hpp"
#include "leitong/result.hpp"

namespace leitong {

enum class SegmentMode : std::uint8_t {
  mix,     ///< the most likely words
  full,    ///< all dictionary words, overlapping ones included
  search,  ///< the most likely words, each after the shorter words in it
};

/// How texts are cut.
struct SegmentSettings {
  SegmentMode mode = SegmentMode::mix;  ///< which words are returned
  bool hmm = true;  ///< a hidden Markov model joins characters that no dictionary word covers
  /// Scripts that jieba does not know are cut by their own rules. Only with SegmentMode::mix.
  bool all_scripts = false;
};

/// The place of a word in its text, in bytes.
struct Word {
  std::uint32_t begin = 0;  ///< its first byte
  std::uint32_t end = 0;    ///< the byte after its last one

  /// The word itself. REQUIRES the text from which it was cut.
  [[nodiscard]] std::string_view in(std::string_view text) const noexcept {
    return text.substr(begin, end - begin);
  }
  /// The same place.
  friend bool operator==(const Word&, const Word&) = default;
};

/// A word that is typical of a text.
struct Keyword {
  std::string_view word;  ///< part of the text or of the Segmenter; valid as long as both live
  double weight = 0;      ///< occurrences times inverse document frequency
};

/// Dictionaries that are ready for use. Thread-safe; copies share them.
class Segmenter {
 public:
  /// Opens the dictionaries. This takes milliseconds if they were compiled before, else about a second. Fails
  /// with not_found for a missing file, with corrupt for a damaged one, with invalid_argument for a model
  /// together with other files.
  ///
  /// `phrases`: a file with a word that holds spaces ("machine learning") on each line, and if wanted a tab
  /// and its part of speech. A phrase in a text becomes one word if it begins where a word begins and ends
  /// where a word ends. Fails with corrupt, naming the line, for a line that is no phrase. An empty name
  /// means that there are no phrases.
  [[nodiscard]] static Result<Segmenter> open(const Context& context, const Dictionaries& dictionaries = {},
                                              const std::filesystem::path& phrases = {});

  /// The words of each text. With SegmentMode::mix every byte belongs to a word; separators (white space,
  /// punctuation) are words of their own. Fails with corrupt, naming the first text that is not valid UTF-8;
  /// with limit for a text of 4 GiB or more; with invalid_argument for all_scripts or phrases in another mode
  /// than mix; with cancelled. Linear.
  [[nodiscard]] Result<Lists<Word>> segment(const Context& context, std::span<const std::string_view> texts,
                                            const SegmentSettings& settings = {}) const;

  /// The `count` heaviest words of each text by TF-IDF, the heaviest first: words of two or more characters
  /// that are no stop words, as cppjieba's KeywordExtractor returns them. Fails as segment() does. Linear.
  [[nodiscard]] Result<Lists<Keyword>> keywords(const Context& context,
                                                std::span<const std::string_view> texts,
                                                std::size_t count = 20, bool all_scripts = false) const;

  /// The part of speech of a word: the one in the file of phrases or in the dictionary, or else m (a number),
  /// eng (the word has ASCII letters) or x.
  [[nodiscard]] std::string_view tag(std::string_view word) const;

 private:
  struct Impl;
  explicit Segmenter(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace leitong
