// What made the keys of an index: fixed when the index is made, and stored with it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/dictionaries.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong::online {

struct IndexSpec {
  SchemeId scheme;
  std::vector<std::string> given;  ///< parameters, as they were given for the new index: "name=value"
  Dictionaries dictionaries;       ///< dictionaries, as they were given
  unsigned distance = 0;           ///< for fingerprints: bits in which similar texts may differ
  bool keeps_texts = true;
  unsigned bits = 0;  ///< for fingerprints, by the scheme; otherwise 0
  Folding folding;    ///< the folding of the texts, by the scheme

  /// The score of two fingerprints that differ in so many bits.
  [[nodiscard]] float score_at(unsigned differing) const noexcept {
    return 1 - static_cast<float>(differing) / static_cast<float>(bits);
  }
};

/// The form that an index stores: one line for each string.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& lines);
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

/// "user=PATH", "idf=PATH", ..: a line for each file that is named.
[[nodiscard]] std::vector<std::string> named_files(const Dictionaries& dictionaries);
/// The inverse of named_files(); ignores other lines.
[[nodiscard]] Dictionaries dictionaries_of(const std::vector<std::string>& named);

/// The fields by which an index on a server describes what made its keys.
using Fields = std::map<std::string, std::string, std::less<>>;

/// "scheme", "given", "distance", "texts", and "dictionaries" if files are named.
[[nodiscard]] Fields fields_of(const IndexSpec& spec);
/// Fails with unsupported unless the field "format" is `known`.
Result<void> check_format(const Fields& fields, std::string_view known, std::string_view place);
/// Returns nothing if the distance is impossible. Fails as parse_scheme() does. The number of bits follows
/// from the scheme.
Result<std::optional<IndexSpec>> spec_in(Fields& fields);

}  // namespace leitong::online
