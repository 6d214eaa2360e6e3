// An overview of an index: its largest families, its newest texts, and which source copies which.
#pragma once

#include <cstdint>
#include <string>

#include "leitong/online.hpp"
#include "problem.hpp"

namespace leitong::server {

/// The largest index with an overview, because all texts are read.
inline constexpr std::uint64_t kMostOverviewTexts = 500'000;

/// One JSON object. Problem 413 for a larger index.
[[nodiscard]] Outcome<std::string> overview_json(const online::Index& index);

}  // namespace leitong::server
