// Text -> words, where a language writes none.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "text/segment/model.hpp"

namespace leitong {

/// Takes a word: a part of the text that is cut, valid as long as that is.
using WordFn = std::function<void(std::string_view)>;

/// Cuts texts into words. Thread-safe.
class Segmenter {
 public:
  virtual ~Segmenter() = default;
  /// Calls `each_word` for every word, in order; what separates words (white space at least) may be left out.
  /// REQUIRES: valid UTF-8.
  virtual void segment(std::string_view utf8, const WordFn& each_word) const = 0;
};

/// jieba's segmentation (JiebaCutter::cut with its hidden Markov model), separators left out.
[[nodiscard]] std::unique_ptr<const Segmenter> make_jieba_segmenter(
    std::shared_ptr<const SegmentModel> model);

}  // namespace leitong
