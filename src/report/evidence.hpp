// Two texts -> what a page shows of them, with the passages that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

/// A stretch of text with one marking, or a gap where something is left out.
struct EvidencePart {
  std::string text;           ///< empty for a gap
  std::uint32_t passage = 0;  ///< number of the shared passage, from 1; 0: not shared
  std::uint64_t skipped = 0;  ///< bytes left out here
  /// Families of texts that hold the part where it is a template, shared or not; 0 where it is none.
  std::uint32_t families = 0;
};

struct Evidence {
  std::vector<EvidencePart> a, b;
};

/// The excerpts of two texts (valid UTF-8), at most `most_bytes` of each. Passages are sought in the first
/// `compared_bytes` of each; whatever is left out is counted. O(compared_bytes log compared_bytes).
[[nodiscard]] Evidence evidence_of(std::string_view a, std::string_view b, std::size_t most_bytes,
                                   std::size_t compared_bytes);

}  // namespace leitong
