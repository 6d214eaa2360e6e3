// Passes the caller's vectors to a run.
#pragma once

#include <cstdint>
#include <functional>

#include "dedup/find_pairs.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Passes vectors to the run, one for each of its texts. Fails with invalid_argument for vectors without a
/// cosine.
Result<void> set_vectors(const TextVectors& vectors, double cosine, FindOptions& options,
                         std::function<std::uint64_t()> texts);

}  // namespace leitong
