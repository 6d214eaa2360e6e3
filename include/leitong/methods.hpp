// Which methods there are, with their parameters: what `leitong methods` prints.
#pragma once

#include <string_view>
#include <vector>

namespace leitong {

/// A parameter of a method, given as "name=value".
struct MethodParam {
  std::string_view name;     ///< "distance"
  std::string_view value;    ///< the one that is used where none is given
  std::string_view meaning;  ///< one line
  double least = 0;          ///< of a number
  double greatest = 0;       ///< of a number; of words and files it is equal to `least`
  std::string_view words;    ///< the values to choose from, "a|b|c"; empty for a number or a file
  bool is_file = false;      ///< the value is the path of a file
};

/// A way of finding near-duplicates: what is kept of a text, and how pairs are found.
struct MethodDescription {
  std::string_view name;     ///< "simhash"
  std::string_view summary;  ///< one line
  std::string_view source;   ///< paper and section; may be empty
  /// What its signatures are ("64-bit fingerprint"); empty where it makes none (leitong/sign.hpp).
  std::string_view signature;
  /// What a text must hold to be compared with others; of one that lacks it only copies are found.
  std::string_view needs;
  std::vector<MethodParam> params;  ///< in the order in which they are explained
};

/// All methods of this library. Does not fail. O(1).
[[nodiscard]] std::vector<MethodDescription> list_methods();

}  // namespace leitong
