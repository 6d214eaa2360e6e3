// The inputs of a part, and the files of its outputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {

/// The records of a part's inputs, as dedup_files() reads them.
class PartInputs {
 public:
  /// Fails if an input has changed since the run was planned.
  static Result<PartInputs> open(const PartRun& run);
  /// Null if the part has no inputs.
  [[nodiscard]] Corpus* corpus() const noexcept { return corpus_.get(); }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(numbers_.size()); }
  /// The number of an input of which the corpus knows the source.
  [[nodiscard]] std::uint32_t number(std::uint32_t source) const noexcept { return numbers_[source]; }
  [[nodiscard]] StopToken stop() const noexcept { return run_->stop; }
  void report(std::string_view stage) const;

 private:
  std::vector<std::uint32_t> numbers_;
  std::unique_ptr<RunContext> run_;
  std::unique_ptr<Corpus> corpus_;
};

/// Begins a file in a folder of the output. It replaces an older one when it is committed.
Result<std::unique_ptr<OutputFile>> begin_output(const PartRun& run, std::string_view folder,
                                                 const std::string& name);

}  // namespace leitong::spread
