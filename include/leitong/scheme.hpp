// Who made these bits? The identity of signatures: two signatures compare if their ids are equal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// What signatures were made by. Every file of signatures carries one, and files whose ids differ are never
/// compared. A plain value.
struct SchemeId {
  std::string name;           ///< "simhash"
  std::uint32_t version = 0;  ///< rises whenever the same text and parameters give other bits
  /// "name=value name=value ..": all parameters that change the bits, defaults written out. Those that name
  /// files are left out, since the content of the files is in `model`.
  std::string parameters;
  std::uint64_t tables = 0;  ///< digest of the folding and word tables that are used; 0 for none
  /// Digest of the dictionary, IDF, term model and thesaurus that are used, by content and not by path; 0 for
  /// none.
  std::uint64_t model = 0;

  /// Equal in all five: the signatures compare.
  friend bool operator==(const SchemeId&, const SchemeId&) = default;
};

/// The whole id as one line of printable text without tabs or quotes:
/// "simhash/1 bits=64 .. @tables=0123456789abcdef @model=0123456789abcdef". Equal ids give equal text.
[[nodiscard]] std::string scheme_text(const SchemeId& id);

/// The id for people: the name, the version and 16 digits of a digest of scheme_text(),
/// "simhash/1:3f9c2a77d0b1e455". Different ids have the same one with a probability of 2^-64.
[[nodiscard]] std::string scheme_label(const SchemeId& id);

/// The inverse of scheme_text(). Fails with corrupt for any other text.
[[nodiscard]] Result<SchemeId> parse_scheme(std::string_view text);

/// What differs, as part of a sentence: "parameter bits: 64 and 128; the dictionaries or models differ".
/// Empty for equal ids.
[[nodiscard]] std::string explain_difference(const SchemeId& a, const SchemeId& b);

}  // namespace leitong
