// What a spread run is about: its inputs, in parts, and its settings. Every part reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "leitong/spread.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {

/// An input file.
struct PlannedInput {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint32_t part = 0;  ///< the part that reads it
};

/// The plan in a work folder.
struct Plan {
  std::filesystem::path work, output;
  std::uint32_t parts = 1;
  bool write_kept = true;
  InputFiles input;  ///< how files are read; its paths are those of `inputs`
  DedupSettings settings;
  std::vector<PlannedInput> inputs;  ///< in the order of the run

  /// A file of a stage in the work folder.
  [[nodiscard]] std::filesystem::path file(std::string_view stage, std::size_t number) const;
  /// The numbers of the inputs of a part.
  [[nodiscard]] std::vector<std::uint32_t> inputs_of(std::uint32_t part) const;
  /// How these inputs are read. Fails if one of them is missing or has another size than planned.
  [[nodiscard]] Result<InputOptions> reading(std::span<const std::uint32_t> numbers) const;
};

/// Writes the plan of a job: see plan_spread().
Result<void> make_plan(const Context& context, const SpreadJob& job);
/// Reads it: see spread_stages().
Result<Plan> read_plan(const Context& context, const std::filesystem::path& work);

}  // namespace leitong::spread
