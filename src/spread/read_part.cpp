#include "spread/read_part.hpp"

#include <system_error>
#include <utility>

#include "base/try.hpp"

namespace leitong::spread {

Result<PartInputs> PartInputs::open(const PartRun& run) {
  PartInputs inputs;
  inputs.numbers_ = run.plan.inputs_of(run.part);
  LEITONG_ASSIGN(InputOptions options, run.plan.reading(inputs.numbers_));
  inputs.run_ = std::make_unique<RunContext>(run.context);
  if (options.paths.empty()) return inputs;
  LEITONG_ASSIGN(inputs.corpus_, Corpus::open(std::move(options), *inputs.run_));
  return inputs;
}

void PartInputs::report(std::string_view stage) const {
  run_->report(stage, corpus_->bytes_read(), corpus_->total_bytes(), "bytes");
}

Result<std::unique_ptr<OutputFile>> begin_output(const PartRun& run, std::string_view folder,
                                                 const std::string& name) {
  const std::filesystem::path path = run.plan.output / folder / name;
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  return OutputFile::create(path, true, StopToken(run.context.state().stop));
}

}  // namespace leitong::spread
