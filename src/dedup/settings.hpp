// What a caller's settings ask of the engine.
#pragma once

#include "dedup/find_pairs.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Fails with invalid_argument for settings that cannot be meant (check_settings()), and with unsupported for
/// an approximate search in a build without it. Who stays is not the engine's affair.
Result<FindOptions> find_options(const DedupSettings& settings);

/// What the engine measured, for callers.
[[nodiscard]] RecallEstimate recall_of(const Audit& audit) noexcept;

}  // namespace leitong
