// Which words of a text count: terms.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "base/pod_vector.hpp"
#include "feature/bag.hpp"
#include "feature/term_hash.hpp"
#include "leitong/result.hpp"
#include "text/segmenter.hpp"

namespace leitong {

/// A word of at least two characters, one of them a letter or digit.
[[nodiscard]] bool is_wordlike(std::string_view word) noexcept;

/// Cuts texts into words and tells terms (word-like, no stop words) from the rest. Thread-safe.
class WordList {
 public:
  /// `stop_words`: a word a line. Fails with not_found.
  static Result<WordList> load(std::shared_ptr<const Segmenter> segmenter,
                               const std::filesystem::path& stop_words);

  /// Calls `each(word, id, is_term)` for every word in order.
  template <class Each>
  void for_each(std::string_view utf8, const Each& each) const {
    segmenter_->segment(utf8, [&](std::string_view word) {
      const std::uint64_t id = term_hash(TermHash::xxh3, word);
      each(word, id, is_wordlike(word) && !stop_words_.contains(id));
    });
  }

  /// Appends the terms of a text.
  void terms(std::string_view utf8, TermHash hash, PodVector<Occurrence>& occurrences) const;

 private:
  WordList() = default;

  std::shared_ptr<const Segmenter> segmenter_;
  std::unordered_set<std::uint64_t> stop_words_;
};

}  // namespace leitong
