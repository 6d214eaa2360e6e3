// What of a text does not count where it is asked where its parts come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "problem.hpp"

namespace leitong::server {

struct Exclusions {
  /// What stands between quotation marks and has a source beside it: a note behind the closing mark, within
  /// kNear characters, or a title in 《》 before the opening one.
  bool quotations = false;
  bool bibliography = false;  ///< from a heading such as "References" in the second half of the text on
  bool same_source = false;   ///< texts of the index that have the source of the text

  static constexpr std::size_t kNear = 20;
  [[nodiscard]] bool any() const noexcept { return quotations || bibliography || same_source; }
};

/// Reads "quotations,bibliography,same_source". Problem 422 for another word.
[[nodiscard]] Outcome<Exclusions> exclusions_of(std::string_view names);

/// The text with white space of the same length in place of each excluded character, so that all places stay;
/// characters of four bytes stay as they are. `base` is a text whose passages do not count either, such as a
/// handout; it may be empty. Both are valid UTF-8. Linear in the text, beside the comparison with the base.
[[nodiscard]] Outcome<std::string> without_excluded(std::string_view text, std::string_view base,
                                                    const Exclusions& exclusions);

}  // namespace leitong::server
