// Finds where a text holds templates.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dedup/template/marks.hpp"
#include "text/units.hpp"

namespace leitong {

struct TemplateRun {
  ByteRange bytes;                      ///< in the text
  std::uint32_t families = 0;           ///< number of families that hold its first shingle
  std::uint32_t sites = 0;              ///< number of sites that do; 0 if sites are not known
  std::uint32_t first_unit = 0;         ///< number of its first unit in the text
  std::vector<std::uint32_t> shingles;  ///< in the order of the text: the next one is a unit further
};

/// The passages of a text (valid UTF-8) that are template, in its order: runs of at least eight template
/// shingles, cut where the number of families changes by more than half. `marks` are those of the document,
/// in a corpus of so many `documents`.
[[nodiscard]] std::vector<TemplateRun> template_runs(std::string_view text,
                                                     std::span<const ShingleMark> marks,
                                                     std::uint64_t documents, const Folding& folding = {});

}  // namespace leitong
