// Who makes the keys of an index: fixed when it is made, kept with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/dictionaries.hpp"
#include "leitong/folding.hpp"
#include "leitong/scheme.hpp"

namespace leitong::online {

struct Maker {
  SchemeId scheme;
  std::vector<std::string> given;  ///< parameters as they were given when the index was made: "name=value"
  Dictionaries dictionaries;       ///< the same of these
  unsigned distance = 0;           ///< of fingerprints: bits in which similar texts may differ
  bool keeps_texts = true;
  unsigned bits = 0;  ///< of fingerprints; 0 for a scheme without them. Follows from the scheme
  Folding folding;    ///< of the texts. The same
};

/// As an index keeps them: a line each.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& lines);
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);

/// "user=PATH", "idf=PATH", ..: a line for each file that is named.
[[nodiscard]] std::vector<std::string> named_files(const Dictionaries& dictionaries);
/// The inverse; other lines are passed over.
[[nodiscard]] Dictionaries dictionaries_of(const std::vector<std::string>& named);

}  // namespace leitong::online
