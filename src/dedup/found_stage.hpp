// What was found, as an artifact that a later run goes on from.
#pragma once

#include <string_view>

#include "dedup/find_pairs.hpp"
#include "io/artifact_folder.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// All pairs are found and copies confirmed.
inline constexpr std::string_view kPairsStage = "pairs";
/// It is decided who stays, and the recall is measured.
inline constexpr std::string_view kDecisionsStage = "decisions";

/// Writes what the stages so far have found, the document table apart: the first pass makes that anew from
/// its own files.
Result<void> save_found(const ArtifactFolder& folder, std::string_view stage, const PairResult& found);
/// Fills `found`, whose table is there already. Fails with corrupt where the file does not fit the table.
Result<void> load_found(const ArtifactFolder& folder, std::string_view stage, RunContext& run,
                        PairResult& found);

}  // namespace leitong
