// Translates a caller's settings for the engine.
#pragma once

#include "dedup/find_options.hpp"
#include "dedup/pair_result.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Fails with invalid_argument for settings that contradict each other (check_settings()), and with
/// unsupported for an approximate search in a build without it. Which document of a cluster stays is not
/// decided by the engine, so it is not translated here.
Result<FindOptions> find_options(const DedupSettings& settings);

/// The recall that the engine measured, in the public form.
[[nodiscard]] RecallEstimate recall_of(const Audit& audit) noexcept;

}  // namespace leitong
