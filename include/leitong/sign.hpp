// The signatures of texts, for indexes and comparisons of your own: the same bits as `leitong sign` prints.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

struct SignSettings {
  /// A name from `leitong methods` that makes signatures.
  std::string method = "simhash";
  /// Its parameters, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params;
  /// 0 uses all cores. The result doesn't depend on it.
  unsigned threads = 1;
};

/// A method's signature in 64-bit words, as many as its parameters say (one for a 64-bit SimHash); none for a
/// text that has none, such as an empty one.
using Signature = std::vector<std::uint64_t>;

/// Signs each text, in their order. Texts must be valid UTF-8 (Error::corrupt names the first that isn't).
/// Fails with unsupported for a method that compares the texts themselves. Linear in the text.
Result<std::vector<Signature>> sign(std::span<const std::string_view> texts,
                                    const SignSettings& settings = {});

}  // namespace leitong
