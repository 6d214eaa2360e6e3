// What an index looks like as a whole: its largest families, its newest texts, who copies whom.
#pragma once

#include <cstdint>
#include <string>

#include "leitong/online.hpp"
#include "problem.hpp"

namespace leitong::server {

/// Most texts of an index that is looked at in this way: all of them are read for it.
inline constexpr std::uint64_t kMostOverviewTexts = 500'000;

/// One JSON object. Problem 413 for a larger index.
[[nodiscard]] Outcome<std::string> overview_json(const online::Index& index);

}  // namespace leitong::server
