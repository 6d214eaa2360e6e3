// Which words does a compiled dictionary hold?
#pragma once

#include <cstdint>

#include "text/segment/model.hpp"

namespace leitong {

/// A digest of the files that it was compiled from: by their content and their roles, whatever they are
/// called and whichever version of the compiled form they have.
[[nodiscard]] std::uint64_t dictionary_id(const SegmentModel& dictionary);

}  // namespace leitong
