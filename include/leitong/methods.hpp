// The methods and their parameters: what `leitong methods` prints.
#pragma once

#include <string_view>
#include <vector>

namespace leitong {

/// A parameter of a method, given as "name=value".
struct MethodParam {
  std::string_view name;     ///< "distance"
  std::string_view value;    ///< the default
  std::string_view meaning;  ///< one line
  double least = 0;          ///< least value of a number
  double greatest = 0;       ///< greatest value of a number; equal to `least` for words and files
  std::string_view words;    ///< the possible values, "a|b|c"; empty for a number or a file
  bool is_file = false;      ///< the value is the path of a file
};

/// A method of finding near-duplicates: what it keeps of a text, and how it finds pairs.
struct MethodDescription {
  std::string_view name;     ///< "simhash"
  std::string_view summary;  ///< one line
  std::string_view source;   ///< paper and section; may be empty
  /// The kind of its signatures ("64-bit fingerprint"); empty if it makes none (leitong/sign.hpp).
  std::string_view signature;
  /// What a text must hold to be compared with others; for a text that lacks it, only copies are found.
  std::string_view needs;
  std::vector<MethodParam> params;  ///< in the order in which they are explained
};

/// All methods of this library. Does not fail. O(1).
[[nodiscard]] std::vector<MethodDescription> list_methods();

}  // namespace leitong
