// The parts of a text that do not count when it is checked.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

struct Exclusions {
  /// Text between quotation marks with a source beside it: a note within kNear characters behind the closing
  /// mark, or a title in 《》 before the opening mark.
  bool quotations = false;
  bool bibliography = false;  ///< from a heading such as "References" in the second half of the text on
  bool same_source = false;   ///< parts of texts that have the same source as the text

  static constexpr std::size_t kNear = 20;
};

/// Reads Wanted::exclude. Fails with invalid_argument for another word.
[[nodiscard]] Result<Exclusions> exclusions_of(const Wanted& wanted);

/// Text::text with white space of the same length in place of each excluded character, so that all places
/// stay; characters of four bytes stay as they are. Passages of Text::base are also excluded. A text that is
/// not UTF-8 stays as it is. Fails with corrupt if the base is not UTF-8. Linear in the text, beside the
/// comparison with the base.
[[nodiscard]] Result<std::string> without_excluded(const Text& text, const Exclusions& exclusions);

/// Leaves out the parts of texts of the index that have the text's own source.
void leave_own_source_out(std::span<const Text> texts, std::span<Answer> answers);

}  // namespace leitong::online
