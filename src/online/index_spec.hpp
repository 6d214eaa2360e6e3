// What made the keys of an index: fixed when the index is made, and stored with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/dictionaries.hpp"
#include "leitong/folding.hpp"
#include "leitong/scheme.hpp"

namespace leitong::online {

struct IndexSpec {
  SchemeId scheme;
  std::vector<std::string> given;  ///< parameters, as they were given for the new index: "name=value"
  Dictionaries dictionaries;       ///< dictionaries, as they were given
  unsigned distance = 0;           ///< for fingerprints: bits in which similar texts may differ
  bool keeps_texts = true;
  unsigned bits = 0;  ///< for fingerprints, by the scheme; otherwise 0
  Folding folding;    ///< of the texts, by the scheme
};

/// The form that an index stores: one line each.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& lines);
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

/// "user=PATH", "idf=PATH", ..: a line for each file that is named.
[[nodiscard]] std::vector<std::string> named_files(const Dictionaries& dictionaries);
/// The inverse; ignores other lines.
[[nodiscard]] Dictionaries dictionaries_of(const std::vector<std::string>& named);

}  // namespace leitong::online
