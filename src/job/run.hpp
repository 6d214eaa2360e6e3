// The main job: inputs -> verified pairs -> clusters -> outputs.
#pragma once

#include <filesystem>
#include <string>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "job/keep.hpp"
#include "job/outputs.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A DedupJob as the rooms below want it.
struct DedupOptions {
  InputOptions input;
  FindOptions find;
  KeepPolicy keep;
  /// A folder in which finished stages are kept until the outputs stand; a later run of the same goes on from
  /// them. Empty: nothing with a name is left.
  std::filesystem::path stages;
  DedupOutputs outputs;
  bool decides = true;  ///< false: pairs alone are asked for, and nobody is told that anything leaves
  /// Field of a record that names its site: a URL, a host or any name (job/sites.hpp). Empty: no site is
  /// known.
  std::string site_field;
  std::string vectors;       ///< a NumPy file or the field of a record, where find.cosine is set
  std::string source_field;  ///< field of a record that names its source in the report; empty: the file
};

/// Runs it in the context. A memory budget that isn't given grows with the input: 600 bytes a document and
/// 128 MB. After a stop nothing is left of the outputs.
Result<DedupSummary> run_dedup(const DedupOptions& options, const Context& context);

}  // namespace leitong
