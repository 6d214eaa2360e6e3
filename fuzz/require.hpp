// The assertion of fuzz targets.
#pragma once

#include <cstdlib>

/// Ends the process if the condition is false, so that the fuzzer keeps the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}
