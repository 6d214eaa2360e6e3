// Passes the caller's groups of texts to a run.
#pragma once

#include <cstdint>
#include <functional>

#include "dedup/find_pairs.hpp"
#include "leitong/dedup.hpp"

namespace leitong {

/// Passes the groups to the run, which fails with invalid_argument if there is not one number for each of its
/// texts.
void set_groups(const TextGroups& groups, FindOptions& options, const std::function<std::uint64_t()>& texts);

}  // namespace leitong
