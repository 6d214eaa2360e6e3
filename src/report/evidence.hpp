// Two texts -> the parts that a page shows, with the shared passages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/folding.hpp"

namespace leitong {

/// Bytes that the other text lacks, or replaces by others (similarity/loss.hpp).
struct LostRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool reworded = false;

  friend bool operator==(const LostRange&, const LostRange&) = default;
};

/// A stretch of text with one marking, or a gap where text is left out.
struct EvidencePart {
  std::string text;           ///< empty for a gap
  std::uint32_t passage = 0;  ///< number of the shared passage, from 1; 0: not shared
  std::uint64_t skipped = 0;  ///< bytes left out here
  /// The number of families of texts that hold the part if it is a template, shared or not; 0 if it is none.
  std::uint32_t families = 0;
  std::vector<LostRange> lost = {};  ///< within `text`, in order
};

struct Evidence {
  std::vector<EvidencePart> a, b;
};

/// The excerpts of two texts (valid UTF-8), at most `most_bytes` of each. Passages are sought in the first
/// `compared_bytes` of each; what is left out is counted. `lost`: what b lacks of a, by position; the longest
/// stretches of it are always shown, and the positions in b where they would be. O(compared_bytes log
/// compared_bytes).
[[nodiscard]] Evidence evidence_of(std::string_view a, std::string_view b, std::size_t most_bytes,
                                   std::size_t compared_bytes, std::span<const LostRange> lost = {},
                                   const Folding& folding = {});
/// Marks what is lost in the parts of a text, which follow one another from its beginning.
void mark_lost(std::span<const LostRange> lost, std::vector<EvidencePart>& parts);

}  // namespace leitong
