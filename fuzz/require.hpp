// What a fuzzer demands of the code that it feeds.
#pragma once

#include <cstdlib>

/// Ends the process where a demand does not hold, so that the fuzzer keeps the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}
