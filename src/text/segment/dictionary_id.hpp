// Identifies the words of a compiled dictionary.
#pragma once

#include <cstdint>

#include "text/segment/model.hpp"

namespace leitong {

/// A digest of the files from which it was compiled, by their content and their roles. Names of files and the
/// version of the compiled form do not matter.
[[nodiscard]] std::uint64_t dictionary_id(const SegmentModel& dictionary);

}  // namespace leitong
