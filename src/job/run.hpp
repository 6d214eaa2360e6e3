// The main job: inputs -> verified pairs -> clusters -> outputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_pairs.hpp"
#include "job/keep.hpp"
#include "job/outputs.hpp"
#include "leitong/result.hpp"
#include "similarity/rule.hpp"

namespace leitong {

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
  std::string source_field;  ///< field of a record that names its source in the report; empty: the file
};

struct DedupSummary {
  Rule rule;  ///< by which the run decided
  std::uint64_t records = 0, documents = 0, reference = 0, kept = 0, removed = 0, quarantined = 0;
  std::uint64_t clusters = 0, largest_cluster = 0;
  std::uint64_t components = 0, largest_component = 0;
  std::uint64_t chained_components = 0;     ///< components that hold more than one kept document
  std::string first_quarantined;            ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;       ///< compressed ones of which records are lost
  std::uint64_t names_with_line_feeds = 0;  ///< in a list of kept files, one a line
  std::uint64_t copies = 0, candidates = 0, pairs = 0;
  std::uint64_t hot_unmatched = 0;      ///< documents of common keys that found nobody
  std::uint64_t without_signature = 0;  ///< documents of which only copies were looked for; see Found
  std::uint64_t keep_asked = 0, without_keep_value = 0;  ///< see KeepRanks
  std::uint64_t hash_collisions = 0;
  std::uint64_t repeated_ids = 0;
  std::vector<Corpus::RepeatedId> repeated_examples;
  std::uint64_t bytes = 0, text_bytes = 0, kept_bytes = 0;
  bool one_document_a_file = false;  ///< then the kept file is a list of paths, or a folder
  Audit audit;
  std::vector<std::pair<std::string, double>> stage_seconds;
  double seconds = 0;
  std::uint64_t peak_memory = 0;  ///< bytes resident
  unsigned threads = 0;           ///< as the context has them: 0 stands for all cores
  std::uint64_t memory = 0;       ///< bytes, as the context has it: 0 stands for what the input asks for
  MethodFigures method_figures;
};

/// Runs it in the context. A memory budget that isn't given grows with the input: 600 bytes a document and
/// 128 MB. After a stop nothing is left of the outputs.
Result<DedupSummary> run_dedup(const DedupOptions& options, const Context& context);

/// The summary as one JSON object (settings included), as --json prints it.
[[nodiscard]] std::string to_json(const DedupSummary& summary, const DedupOptions& options);

}  // namespace leitong
