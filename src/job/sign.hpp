// Input files -> one signature a document, in input order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"
#include "scheme/resources.hpp"
#include "scheme/text_sketcher.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

struct SignOptions {
  InputOptions input;
  std::string method = "simhash";
  std::vector<std::string> params;  ///< "name=value"
  ModelChoice dictionaries = {};    ///< of methods that look at words; jieba's unless something is chosen
};

struct SignSummary {
  std::uint64_t documents = 0, without_signature = 0, quarantined = 0, truncated_inputs = 0;
  std::string first_quarantined;  ///< "place: reason", or empty
  SchemeId scheme;                ///< of all signatures
  unsigned bits = 0;              ///< 64 or 128 for one fingerprint a document; 0 for other signatures
};

/// Takes a document's id (or place) and its signature; no words where it has none. A failure ends the run.
using SignatureFn = std::function<Result<void>(std::string_view id, std::span<const std::uint64_t> words)>;

/// 64 digits 0 and 1 a word.
[[nodiscard]] std::string signature_binary(std::span<const std::uint64_t> words);

/// 16 hexadecimal digits a word.
[[nodiscard]] std::string signature_hex(std::span<const std::uint64_t> words);

/// The scheme of a method that makes signatures. Fails with unsupported where its sketches are none, and as
/// make_scheme_of() and SchemeResources::check_used().
Result<TextSketcher> open_signing(std::string_view method, std::span<const std::string> params,
                                  SchemeResources& resources);

/// Fails as open_signing() and as the corpus does.
Result<SignSummary> run_sign(const SignOptions& options, const SignatureFn& each, const Context& context);

}  // namespace leitong
