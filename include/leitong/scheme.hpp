// The identity of signatures: two signatures can be compared if their ids are equal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// What made a signature. Every file of signatures has an id, and files with different ids are never
/// compared. An id is a plain value.
struct SchemeId {
  std::string name;           ///< "simhash"
  std::uint32_t version = 0;  ///< is raised when the same text and parameters give other bits
  /// "name=value name=value ..": all parameters that change the bits, defaults included. Parameters that name
  /// files are left out, since `model` stands for the content of these files.
  std::string parameters;
  std::uint64_t tables = 0;  ///< digest of the folding and word tables in use; 0: none
  /// Digest of the contents of the dictionary, IDF, term model and thesaurus in use; 0: none.
  std::uint64_t model = 0;

  /// True if the signatures can be compared.
  friend bool operator==(const SchemeId&, const SchemeId&) = default;
};

/// The whole id as one line of printable text without tabs or quotes:
/// "simhash/1 bits=64 .. @tables=0123456789abcdef @model=0123456789abcdef". Equal ids give equal text.
[[nodiscard]] std::string scheme_text(const SchemeId& id);

/// A short form for people: the name, the version and 16 digits of a digest of scheme_text(),
/// "simhash/1:3f9c2a77d0b1e455". Different ids have the same label with a probability of 2^-64.
[[nodiscard]] std::string scheme_label(const SchemeId& id);

/// The inverse of scheme_text(). Fails with corrupt for any other text.
[[nodiscard]] Result<SchemeId> parse_scheme(std::string_view text);

/// The differences of two ids, as part of a sentence: "parameter bits: 64 and 128; the dictionaries or models
/// differ". Empty for equal ids.
[[nodiscard]] std::string explain_difference(const SchemeId& a, const SchemeId& b);

}  // namespace leitong
