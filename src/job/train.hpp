// Input files -> a term model file.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "feature/model_trainer.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct TrainOptions {
  InputOptions input;
  std::string model;  ///< the file that is written, whole or not at all
  bool force = false;
  unsigned threads = 0;               ///< 0: all cores; the model is the same for any number
  std::uint64_t memory = 1ull << 30;  ///< bytes for what grows with the input; see ModelTrainer
};

struct TrainSummary {
  TrainingFigures figures;
  std::uint64_t copies = 0;  ///< documents that were left out: the same text had come before
  std::uint64_t quarantined = 0;
  std::string first_quarantined;  ///< "place: reason", or empty
};

/// Reads all documents once, segments them, and writes the model. Of exact copies one counts.
Result<TrainSummary> run_train(const TrainOptions& options, const ProgressFn& progress,
                               const std::atomic<bool>& stop);

}  // namespace leitong
