// What one method alone says about two texts.
#pragma once

#include <optional>
#include <string>

namespace leitong {

struct MethodVerdict {
  std::string method;
  bool similar = false;
  double similarity = 0;                                ///< 0 to 1, by the method's own measure
  std::optional<unsigned> distance;                     ///< bits in which the fingerprints differ
  std::optional<std::string> signature_a, signature_b;  ///< hexadecimal; nothing if there is none
  std::optional<std::string> lacks_a, lacks_b;          ///< what a text lacks that the method needs
};

}  // namespace leitong
