// A run that is spread over many processes, on any machines that see one file system: it is planned once, and
// then its stages follow each other, each in parts. Named files are all that the parts exchange. Decisions,
// their reasons and the pairs are those of dedup_files(), with one exception: of several equal texts only the
// first one is in pairs with others. docs/spread.md explains the stages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/dedup.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A spread run.
struct SpreadJob {
  InputFiles input = {};              ///< files of records, and folders of them; without references and pipes
  DedupSettings settings = {};        ///< settings that check_spread() accepts; `keep` is longest or first
  std::filesystem::path work = {};    ///< a folder for what the parts exchange
  std::filesystem::path output = {};  ///< a folder that gets kept/, removed/, pairs/ and quarantine/
  /// The parts of each stage. An input belongs to one part, so there should be as many inputs.
  std::uint32_t parts = 0;
  bool write_kept = true;  ///< false: only the decisions are written, without kept/
};

/// A stage of a spread run.
struct SpreadStage {
  std::string_view name;    ///< "sketch"
  std::uint32_t parts = 0;  ///< parts that may run at the same time: SpreadJob::parts, or 1
};

/// What a stage does.
struct SpreadStageInfo {
  std::string_view name;     ///< "sketch"
  std::string_view summary;  ///< one line, without a full stop
};

/// All stages, in their order.
[[nodiscard]] std::vector<SpreadStageInfo> spread_stage_infos();

/// Fails with invalid_argument for impossible settings, and with unsupported for those that can't be spread:
/// a method other than the default one, no verification, passages, edit distances, vectors, groups, and
/// thresholds so low that another search is needed.
[[nodiscard]] Result<void> check_spread(const DedupSettings& settings);

/// Writes the plan of a run to its work folder. A second call changes nothing. Fails as check_spread() does;
/// with invalid_argument for two inputs of one name, and if the folder holds the plan of another run; with
/// unsupported for inputs that can't be spread; with not_found and io for files.
[[nodiscard]] Result<void> plan_spread(const Context& context, const SpreadJob& job);

/// The stages of a planned run in their order. All parts of a stage must be done before the next one begins.
/// Fails with not_found if there is no plan, and with invalid_argument for one of another version.
[[nodiscard]] Result<std::vector<SpreadStage>> spread_stages(const Context& context,
                                                             const std::filesystem::path& work);

/// Does one part of a stage, on the threads of the context. Returns false if it was done before; it is
/// repeated only if `again` is set, with the same result. Its files appear complete or not at all, so a part
/// that was killed is simply run again. Two processes may do the same part at once. A record that can't be
/// read is no failure: it is written to quarantine/.
///
/// Fails with not_found if a part of an earlier stage has not been done, with invalid_argument for an unknown
/// stage or part and if an input has changed since the plan, with corrupt for a damaged file, and with io and
/// cancelled.
[[nodiscard]] Result<bool> run_part(const Context& context, const std::filesystem::path& work,
                                    std::string_view stage, std::uint32_t part, bool again = false);

}  // namespace leitong
