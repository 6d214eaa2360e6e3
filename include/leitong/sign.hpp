// The signatures of texts, for indexes and comparisons of your own: the same bits as `leitong sign` prints.
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
  /// Its parameters, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params = {};
  /// Of methods that look at words.
  Dictionaries dictionaries = {};
  /// What counts of the texts, for methods that look at their units.
  Folding folding = {};
};

/// A signature of each text in 64-bit words, as many as the parameters say (one for a 64-bit SimHash); none
/// for a text that has none, such as an empty one.
using Signatures = Lists<std::uint64_t>;

/// A method with its tables and dictionaries, ready to sign. Thread-safe; a copy shares them. It may outlive
/// the context that it was opened in.
class Signer {
 public:
  /// Fails with invalid_argument for an unknown method or parameter, or where dictionaries are named and the
  /// method does not look at words, or a folding other than the default and it does not look at units; with
  /// unsupported for a method that compares the texts themselves; with not_found where a dictionary is
  /// missing. Milliseconds if the dictionaries were compiled before, else about a second; methods that do not
  /// look at words open none.
  [[nodiscard]] static Result<Signer> open(const Context& context, const SignSettings& settings = {});

  /// Who made these bits: keep it beside signatures that outlive the program, and compare none whose ids
  /// differ.
  [[nodiscard]] const SchemeId& id() const noexcept;

  /// 64 or 128 if a signature is one fingerprint of so many bits, which leitong/hamming.hpp can search; else
  /// 0. The words of a fingerprint of 128 bits are its low one and its high one.
  [[nodiscard]] unsigned fingerprint_bits() const noexcept;

  /// Signs each text, in their order. Fails with corrupt, naming the first text that is not valid UTF-8, and
  /// with cancelled. Linear in the texts. The same bits for any number of threads.
  [[nodiscard]] Result<Signatures> sign(const Context& context,
                                        std::span<const std::string_view> texts) const;

 private:
  struct Inside;
  explicit Signer(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
  std::shared_ptr<const Inside> inside_;
};

/// Takes a document's id ("data.jsonl:12" where it has none) and its signature; no words where it has none. A
/// failure ends the run and is returned from it.
using SignatureFn = std::function<Result<void>(std::string_view id, std::span<const std::uint64_t> words)>;

/// What was signed.
struct SignSummary {
  std::uint64_t documents = 0;          ///< that were passed on
  std::uint64_t without_signature = 0;  ///< of these, those that have none
  std::uint64_t quarantined = 0;        ///< records that could not be read
  std::uint64_t truncated_inputs = 0;   ///< compressed ones of which records are lost
  std::string first_quarantined;        ///< "place: reason", or empty
  SchemeId scheme;                      ///< of all signatures
  unsigned bits = 0;                    ///< see Signer::fingerprint_bits()
};

/// Signs the documents of files in input order: what `leitong sign` does. `each` is called by one thread at a
/// time. Errors as Signer::open() and read_documents(). Linear in the input.
[[nodiscard]] Result<SignSummary> sign_files(const Context& context, const InputFiles& input,
                                             const SignSettings& settings, const SignatureFn& each);

}  // namespace leitong
