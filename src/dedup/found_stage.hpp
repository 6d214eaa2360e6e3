// The result of a search as an artifact from which a later run continues.
#pragma once

#include <string_view>

#include "dedup/pair_result.hpp"
#include "io/artifact_folder.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The stage in which all pairs are found and copies are confirmed.
inline constexpr std::string_view kPairsStage = "pairs";
/// The stage in which it is decided which documents stay, and the recall is measured.
inline constexpr std::string_view kDecisionsStage = "decisions";

/// Writes what the stages so far have found, except the document table: the first pass makes that again from
/// its own files.
Result<void> save_found(const ArtifactFolder& folder, std::string_view stage, const PairResult& found);
/// Fills `found`, whose table is complete already. Fails with corrupt if the file does not match the table.
Result<void> load_found(const ArtifactFolder& folder, std::string_view stage, RunContext& run,
                        PairResult& found);

}  // namespace leitong
