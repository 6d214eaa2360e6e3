// Converts traditional to simplified Chinese by phrases, where OpenCC is installed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// OpenCC's own conversion t2s, which knows the phrases in which a character is simplified in another way
/// than alone ("乾坤" stays, while "乾" alone becomes "干"). The library is loaded when an object is opened,
/// so that nothing depends on it. Some tens of MB/s; not thread-safe.
class PhraseSimplifier {
 public:
  /// Fails with unsupported if OpenCC or its data is not installed.
  static Result<PhraseSimplifier> open();

  /// REQUIRES: valid UTF-8 without NUL. Fails only if memory is exhausted.
  Result<std::string> operator()(std::string_view utf8) const;

 private:
  struct Library;
  explicit PhraseSimplifier(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
};

}  // namespace leitong
