// The caller's vectors, as a run takes them.
#pragma once

#include <cstdint>
#include <functional>

#include "dedup/find_pairs.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Hands vectors to the run, one for each of the texts that there are in the end. Fails with
/// invalid_argument for vectors without a cosine.
Result<void> set_vectors(const TextVectors& vectors, double cosine, FindOptions& options,
                         std::function<std::uint64_t()> texts);

}  // namespace leitong
