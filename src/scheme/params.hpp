// The parameters of a scheme and of the search for pairs with it: names, defaults and ranges that the command
// line, the help and the library share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// What a parameter affects.
enum class ParamUse : std::uint8_t {
  sketch,  ///< the words of a sketch: two values make two schemes
  search,  ///< which pairs are found or called similar, but not the sketches
  file,    ///< the words of a sketch, through the content of the file that it names
};

/// One parameter. A number has a range; a choice has `words`; any other is text.
struct ParamInfo {
  std::string_view name;
  std::string_view fallback;  ///< the value if none is given
  std::string_view meaning;   ///< one line
  double least = 0, greatest = 0;
  bool whole = true;            ///< for a number: no fractions
  std::string_view words = {};  ///< "a|b|c"
  ParamUse use = ParamUse::sketch;
};

/// A parameter that is a number between two bounds, or a choice of some words.
[[nodiscard]] constexpr ParamInfo number_param(std::string_view name, std::string_view fallback, double least,
                                               double greatest, std::string_view meaning) {
  return {name, fallback, meaning, least, greatest, true, {}};
}
[[nodiscard]] constexpr ParamInfo fraction_param(std::string_view name, std::string_view fallback,
                                                 double least, double greatest, std::string_view meaning) {
  return {name, fallback, meaning, least, greatest, false, {}};
}
[[nodiscard]] constexpr ParamInfo word_param(std::string_view name, std::string_view fallback,
                                             std::string_view words, std::string_view meaning) {
  return {name, fallback, meaning, 0, 0, true, words};
}

[[nodiscard]] constexpr ParamInfo file_param(std::string_view name, std::string_view meaning) {
  return {name, "", meaning, 0, 0, true, {}, ParamUse::file};
}
/// The same parameter, but it affects only the search.
[[nodiscard]] constexpr ParamInfo of_search(ParamInfo param) {
  param.use = ParamUse::search;
  return param;
}

/// The values of all parameters of one method.
class Params;

/// "name=value name=value ..": the parameters of use `sketch`, in the order of `known`, with each number in
/// its one canonical form (3, not 3.0 or 03).
[[nodiscard]] std::string sketch_parameters(std::span<const ParamInfo> known, const Params& params);

class Params {
 public:
  /// `given` are "name=value"; of a repeated name the last value counts. Fails with invalid_argument for an
  /// unknown name (listing the known ones), a value outside its range, or a word that is not among its words.
  static Result<Params> parse(std::string_view method, std::span<const ParamInfo> known,
                              std::span<const std::string> given);

  /// REQUIRES a name that the method has.
  [[nodiscard]] std::string_view text(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::size_t whole(std::string_view name) const {
    return static_cast<std::size_t>(number(name));
  }
  /// The value in the row of `table` (rows of a name and something else) whose name was chosen.
  template <class Table, class Member>
  [[nodiscard]] auto choice(std::string_view name, const Table& table, Member member) const {
    for (const auto& row : table)
      if (row.name == text(name)) return row.*member;
    return (*table.begin()).*member;  // parse() accepts no other word
  }

  /// All parameters, in the method's order.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& values() const noexcept {
    return values_;
  }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace leitong
