// Makes a file of a term model from input files.
#pragma once

#include <cstdint>
#include <string>

#include "corpus/corpus.hpp"
#include "feature/model_trainer.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct TrainOptions {
  InputOptions input;
  std::string model;  ///< the output file, which is written completely or not at all
  bool force = false;
};

struct TrainSummary {
  TrainingFigures figures;
  std::uint64_t copies = 0;  ///< documents that were left out because the same text occurred before
  std::uint64_t quarantined = 0, truncated_inputs = 0;
  std::string first_quarantined;  ///< "place: reason", or empty
};

/// Reads all documents once, segments them, and writes the model. Of exact copies one counts. The context's
/// memory is for what grows with the input (ModelTrainer); 0 means 1 GiB. The model depends on it, but not on
/// the number of threads.
Result<TrainSummary> run_train(const TrainOptions& options, const Context& context);

}  // namespace leitong
