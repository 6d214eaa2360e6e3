// The signatures of texts, for indexes and comparisons of your own: the same bits as `leitong sign` prints.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong {

/// Which signatures are made.
struct SignSettings {
  /// A name from `leitong methods` that makes signatures.
  std::string method = "simhash";
  /// Its parameters, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params;
};

/// A method's signature in 64-bit words, as many as its parameters say (one for a 64-bit SimHash); none for a
/// text that has none, such as an empty one.
using Signature = std::vector<std::uint64_t>;

/// Who makes the signatures of sign() with these settings: keep it beside signatures that outlive the
/// program, and compare none whose ids differ. Fails as sign().
Result<SchemeId> scheme_of(const Context& context, const SignSettings& settings = {});

/// Signs each text, in their order. Texts must be valid UTF-8 (Error::corrupt names the first that isn't).
/// Fails with unsupported for a method that compares the texts themselves. Linear in the text. Uses the
/// context's threads, dictionaries and stop; the result depends on the dictionaries alone.
Result<std::vector<Signature>> sign(const Context& context, std::span<const std::string_view> texts,
                                    const SignSettings& settings = {});
/// The same in a context of its own with one thread.
Result<std::vector<Signature>> sign(std::span<const std::string_view> texts,
                                    const SignSettings& settings = {});

}  // namespace leitong
