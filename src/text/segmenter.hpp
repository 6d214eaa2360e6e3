// Text -> words, where a language writes none.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "leitong/result.hpp"

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

/// The files of a jieba dictionary.
struct JiebaFiles {
  std::filesystem::path words;  ///< jieba.dict.utf8: "word frequency tag" a line
  std::filesystem::path model;  ///< hmm_model.utf8: the hidden Markov model of unknown words
};

/// jieba's own segmentation: the likeliest path through the dictionary, unknown runs cut by a hidden Markov
/// model; the words are those of cppjieba's MixSegment. About 10 MB/s; .4 s and 120 MB to load. Fails with
/// unsupported in a build without cppjieba, with not_found or corrupt (naming file and line) for files that
/// can't be used.
Result<std::unique_ptr<const Segmenter>> open_jieba_segmenter(const JiebaFiles& files);

}  // namespace leitong
