// What is known of every document without reading it again.
#pragma once

#include <cstdint>

#include "base/pod_vector.hpp"

namespace leitong {

/// One row a document, by number; 12 bytes each. Filled while documents stream in.
struct DocumentTable {
  PodVector<std::uint32_t> units;  ///< number of units (text/units.hpp)
  PodVector<std::uint64_t>
      content;  ///< hash of the unit sequence; where one document must be preferred to another, this decides
                ///< and not the number, so that the order of input changes nothing
};

}  // namespace leitong
