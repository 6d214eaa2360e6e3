// The data of every document that are kept in memory.
#pragma once

#include <cstdint>

#include "base/pod_vector.hpp"

namespace leitong {

/// One row for each document, by number; 12 bytes each. Filled while documents are streamed.
struct DocumentTable {
  PodVector<std::uint32_t> units;    ///< number of units (text/units.hpp)
  PodVector<std::uint64_t> content;  ///< hash of the sequence of units; it decides between equal documents
                                     ///< instead of the number, so that the input order changes nothing
};

}  // namespace leitong
