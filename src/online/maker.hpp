// Who makes the keys of an index: fixed when it is made, kept with it.
#pragma once

#include <string>
#include <vector>

#include "leitong/scheme.hpp"

namespace leitong::online {

struct Maker {
  SchemeId scheme;
  std::vector<std::string> given;  ///< parameters as they were given when the index was made: "name=value"
  unsigned distance = 0;           ///< of fingerprints: bits in which similar texts may differ
  bool keeps_texts = true;
  unsigned bits = 0;  ///< of fingerprints; 0 for a scheme without them. Follows from the scheme
};

}  // namespace leitong::online
