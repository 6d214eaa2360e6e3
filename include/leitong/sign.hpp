// The signatures of texts, for your own indexes and comparisons: the same bits as `leitong sign` prints.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/dictionaries.hpp"
#include "leitong/folding.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong {

/// Which signatures are made.
struct SignSettings {
  /// A name from `leitong methods` that makes signatures (leitong/methods.hpp).
  std::string method = "simhash";
  /// Parameters of the method, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params = {};
  /// For methods that use words.
  Dictionaries dictionaries = {};
  /// What counts in the texts, for methods that look at their units.
  Folding folding = {};
};

/// The signature of each text in 64-bit words, as many as the parameters say (one for a 64-bit SimHash); no
/// words for a text without a signature, such as an empty one.
using Signatures = Lists<std::uint64_t>;

/// A method with its tables and dictionaries, ready to sign. Thread-safe; copies share them. It may outlive
/// the context that it was opened in.
class Signer {
 public:
  /// Fails with invalid_argument for an unknown method or parameter, for dictionaries with a method that does
  /// not use words, or for a folding other than the default with a method that does not use units; with
  /// unsupported for a method that compares the texts themselves; with not_found for a missing dictionary.
  /// Takes milliseconds if the dictionaries were compiled before, else about a second; a method that does not
  /// use words opens none.
  [[nodiscard]] static Result<Signer> open(const Context& context, const SignSettings& settings = {});

  /// The scheme of the signatures: keep it with signatures that outlive the program, and compare only
  /// signatures of equal ids.
  [[nodiscard]] const SchemeId& id() const noexcept;

  /// 64 or 128 if a signature is one fingerprint of so many bits, which leitong/hamming.hpp can search; else
  /// 0. A fingerprint of 128 bits has its low word first.
  [[nodiscard]] unsigned fingerprint_bits() const noexcept;

  /// Signs the texts in their order. Fails with corrupt, naming the first text that is not valid UTF-8, and
  /// with cancelled. Linear in the texts. The bits are the same for any number of threads.
  [[nodiscard]] Result<Signatures> sign(const Context& context,
                                        std::span<const std::string_view> texts) const;

 private:
  struct Impl;
  explicit Signer(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// Takes a document's id ("data.jsonl:12" if it has none) and its signature (no words if it has none). A
/// failure ends the run and is returned.
using SignatureFn = std::function<Result<void>(std::string_view id, std::span<const std::uint64_t> words)>;

/// What was signed.
struct SignSummary {
  std::uint64_t documents = 0;          ///< documents that were passed on
  std::uint64_t without_signature = 0;  ///< of these, documents without a signature
  std::uint64_t quarantined = 0;        ///< records that could not be read
  std::uint64_t truncated_inputs = 0;   ///< compressed files of which records are lost
  std::string first_quarantined;        ///< "place: reason", or empty
  SchemeId scheme;                      ///< the scheme of all signatures
  unsigned bits = 0;                    ///< what Signer::fingerprint_bits() returns
};

/// Signs the documents of files in input order, as `leitong sign` does. `each` is called by one thread at a
/// time. Fails as Signer::open() and read_documents() do. Linear in the input.
[[nodiscard]] Result<SignSummary> sign_files(const Context& context, const InputFiles& input,
                                             const SignSettings& settings, const SignatureFn& each);

}  // namespace leitong
