// Files in, files out: a whole run with its outputs, report and figures, as `leitong dedup` makes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/dedup.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Files to write; an empty name means none, "-" standard output. A name that ends in .gz, .zst, .bz2 or .xz
/// is compressed. docs/format.md describes each file.
struct DedupOutputs {
  /// Kept records, byte for byte and in input order (tables anew, with all that belongs to them); for folders
  /// of documents a list of their paths. If it ends in / or is a folder: a folder with a file of kept records
  /// for each file of records, and links to the kept documents.
  std::string kept = {};
  bool null_separated = false;  ///< the list's paths end in a zero byte, not a line feed
  bool copy_files = false;      ///< copies instead of hard links into a folder
  /// The next five are tables if their names end in .parquet, .arrow, .feather or .arrows, with the same
  /// columns.
  std::string removed = {};  ///< JSONL: what was removed, for which kept document, by which measure and score
  /// JSONL: documents that stay beside similar ones that stay, with what each has of its own (LossLimits).
  std::string kept_similar = {};
  /// TSV: id and cluster, of every document with those that are similar to it, and the id of the document
  /// that is kept in its place, unless all that is similar leaves.
  std::string clusters = {};
  std::string components = {};  ///< TSV: id and connected component, where chains count as well
  std::string pairs = {};       ///< TSV: every similar pair with its scores
  std::string templates =
      {};  ///< TSV: the passages that count as templates, with families, sites, an example
  std::string quarantine = {};  ///< JSONL: the records that could not be read, with place and reason
  /// What leaves, so that restore_files() (restore.hpp) makes the input again of it and the kept records:
  /// each removed record as its difference to the kept one, and whatever else the kept records lack.
  std::string restorable = {};
  std::string report = {};  ///< one HTML page with figures and evidence side by side
  /// A folder that isn't there yet: an online index (online.hpp) by the default rule of the kept documents,
  /// each of which stands for itself.
  std::string index = {};
  bool force = false;  ///< replaces files that exist; a folder has to be new or empty
};

/// A run over files.
struct DedupJob {
  InputFiles input = {};  ///< what is read
  /// Folders of online indexes (online.hpp) whose texts are references, too, after those of the input. They
  /// are read alone, by any number of jobs at once, and nobody may change them meanwhile. Of an index by
  /// fingerprints the method must be its own.
  std::vector<std::string> reference_indexes = {};
  DedupSettings settings = {};  ///< what is similar, and what stays; not Keep::ranked
  DedupOutputs outputs = {};    ///< what is written
  /// False: similar pairs alone are asked for; report and warnings do not speak of removals, and only
  /// `pairs`, `quarantine` and `report` are meant to be written.
  bool decides = true;
  /// A folder, made if it is missing, in which finished stages are kept until the outputs stand. After a stop
  /// or a crash the same job goes on from them to the same outputs. Empty: nothing with a name is left.
  std::filesystem::path resume_folder = {};
  /// Where a record names its source (site, author), for the report's table of who copies whom; empty: its
  /// file.
  std::string source_field = {};
  /// Where a record names its site (a URL, a host or any name): what many pages of one site hold is a
  /// template there, and what different sites share is a reprint. Only where templates are ignored.
  std::string site_field = {};
  /// Where DedupSettings::cosine is set: the name of a NumPy file (.npy) of float16, float32 or float64 with
  /// one row for each record in the order of the input, references first; or the field of a record that holds
  /// its vector, a JSON array of numbers or a list of a table.
  std::string vectors = {};
};

/// What somebody who relies on the outputs ought to know besides. The figures stand in the summary.
enum class RunWarning : std::uint8_t {
  no_records,          ///< the input holds none
  all_quarantined,     ///< no record could be read: DedupSummary::first_quarantined says why
  without_signature,   ///< documents that the method cannot compare: only copies of them were looked for
  without_keep_value,  ///< documents that the keep policy had to put last
  without_site,        ///< documents without a value of DedupJob::site_field: each is a site of its own
  unusable_vectors,    ///< documents whose vectors have no direction: only their texts were compared
  repeated_ids,        ///< records with an id that an earlier one has
  chained,             ///< components of which more than one document stays
  missed_pairs,        ///< by the measured recall more than one similar pair in a hundred was missed
  few_sampled,         ///< the recall was measured on a handful of documents, which says little
  hash_collisions,     ///< texts of equal hash that differ; they were compared in full
  hot_unmatched,       ///< documents of common passages that found nobody
  hot_limited,         ///< documents of so common passages that not all of these were looked at
  unverified           ///< the scores are estimates: DedupSettings::verify is false
};
/// A name for programs: "repeated_ids".
[[nodiscard]] std::string_view warning_name(RunWarning warning) noexcept;

/// The rule by which a run decided.
struct DecisionRule {
  /// "jaccard", "containment" or "edit", at `threshold`; "jaccard or containment" for the default rule, to
  /// which the next three figures belong.
  std::string_view measure;
  double threshold = 0;             ///< of the one measure
  double jaccard_short = 0;         ///< least Jaccard of texts of up to 100 shingles
  double jaccard_long = 0;          ///< of 300 and more
  double containment = 0;           ///< least containment
  std::uint32_t shingle_units = 5;  ///< units of a shingle
  /// Units of a common passage that makes two documents similar whatever the measure says; 0: none does.
  std::uint32_t passage_units = 0;
};

/// What the second decision did, where templates are ignored.
struct TemplateCounts {
  std::uint64_t pairs_in_question = 0;  ///< a template may be all that they share, or hide what they share
  std::uint64_t documents_counted = 0;  ///< of which all shingles were counted
  std::uint64_t shingles = 0;           ///< that are a template
  std::uint64_t pairs_refused = 0;      ///< that the rule alone accepts
  std::uint64_t pairs_won = 0;          ///< that the rule alone refuses
  /// Accepted, of two families, where accepted pairs join three and more: what they share may be a template
  /// of too few families to be one, and DedupJob::site_field could change the decision.
  std::uint64_t pairs_doubtful = 0;
  /// Some are doubtful, and records have a URL in their field "url": DedupJob::site_field would help.
  bool url_would_help = false;
};

/// The figures of a run.
struct DedupSummary {
  DecisionRule rule;            ///< by which it decided
  std::uint64_t records = 0;    ///< read: documents and quarantined ones
  std::uint64_t documents = 0;  ///< references included
  std::uint64_t reference = 0;  ///< documents of InputFiles::reference_paths
  std::uint64_t kept = 0;       ///< without references: kept + removed + reference = documents
  std::uint64_t removed = 0;    ///< documents that left
  /// Documents that stay, though similar to one that does, for what would be lost of them (LossLimits).
  std::uint64_t relatives = 0;
  /// Units of the removed documents, and those of them that stand nowhere in the kept ones, reworded ones
  /// included. Both 0 where all that is similar leaves, and nobody asks.
  std::uint64_t removed_units = 0;
  std::uint64_t lost_units = 0;             ///< of these
  std::uint64_t quarantined = 0;            ///< records that could not be read
  std::string first_quarantined;            ///< "place: reason", or empty
  std::uint64_t other_records = 0;          ///< of types that hold no document (in WARC), not among `records`
  std::uint64_t truncated_inputs = 0;       ///< compressed ones of which records are lost
  std::uint64_t names_with_line_feeds = 0;  ///< in a list of kept files, one a line
  std::uint64_t copies = 0;                 ///< documents equal to an earlier one after folding
  std::uint64_t removed_copies = 0;         ///< of these, those that are no references
  std::uint64_t candidates = 0;             ///< pairs that were compared
  std::uint64_t pairs = 0;                  ///< similar ones among them
  std::uint64_t clusters = 0;               ///< kept documents for which others left
  std::uint64_t largest_cluster = 0;        ///< documents
  std::uint64_t components = 0;          ///< sets of two documents and more that chains of similar pairs join
  std::uint64_t largest_component = 0;   ///< documents
  std::uint64_t chained_components = 0;  ///< of which more than one document stays
  std::uint64_t hot_unmatched = 0;       ///< documents of common passages that found nobody
  /// Below the default rule: documents of so common passages that not all of these were looked at.
  std::uint64_t hot_limited = 0;
  std::uint64_t without_signature = 0;        ///< documents that the method cannot compare, copies aside
  std::uint64_t keep_asked = 0;               ///< documents that the keep policy had to rank
  std::uint64_t without_keep_value = 0;       ///< of these, those that it could not rank, and that came last
  std::uint64_t without_site = 0;             ///< documents without a value of DedupJob::site_field
  std::uint64_t hash_collisions = 0;          ///< texts of equal hash that differ
  std::uint64_t repeated_ids = 0;             ///< records with an id that an earlier one has
  std::vector<RepeatedId> repeated_examples;  ///< the first few of them
  std::uint64_t bytes = 0;                    ///< of the input, as stored
  std::uint64_t text_bytes = 0;               ///< of the documents' texts
  std::uint64_t kept_bytes = 0;               ///< of DedupOutputs::kept
  std::uint64_t indexed = 0;                  ///< documents of DedupOutputs::index
  /// Kept documents that aren't there: an earlier one has their id, or it is too long.
  std::uint64_t not_indexed = 0;
  bool one_document_a_file = false;  ///< then the kept file is a list of paths, or a folder
  RecallEstimate recall;             ///< measured on a sample
  std::vector<std::pair<std::string, double>> stage_seconds;  ///< by stage, in order
  double seconds = 0;                                         ///< of the whole run
  std::uint64_t peak_memory = 0;                              ///< bytes resident, of the process
  unsigned threads = 0;      ///< as the context has them: 0 stands for all cores
  std::uint64_t memory = 0;  ///< bytes, as the context has it: 0 stands for what the input asks for
  std::vector<std::pair<std::string, double>> method_figures;  ///< of the method, by name
  TemplateCounts templates;                                    ///< all 0 where templates count
  VectorCounts vectors;                                        ///< all 0 where there are none
  std::string first_unusable_vector;                           ///< "place: why", or empty
  std::vector<RunWarning> warnings;                            ///< the gravest first
};

/// Reads all input, decides, and writes all outputs, or none of them: they appear under their names at the
/// end. Memory is that of the context; where it names none, about 60 MB, 100 bytes a document and twice the
/// bytes of the texts, and at most half of what is free; beyond it things go to its work folder. Linear in
/// the input plus the pairs.
///
/// Fails with invalid_argument for settings that cannot be meant or outputs that cannot be written from this
/// input; with not_found and io for files; with corrupt for bad records if InputFiles::strict, and for damage
/// of kept stages; with limit where the memory does not suffice; with unsupported for an input that no later
/// run could read again, with a resume folder; with cancelled. A record that cannot be read is no failure,
/// but a quarantined record.
[[nodiscard]] Result<DedupSummary> dedup_files(const Context& context, const DedupJob& job);

/// Takes some texts of an index, with their ids.
using ReferencesFn =
    std::function<Result<void>(std::span<const std::string> ids, std::span<const std::string_view> texts)>;

/// Passes on the texts of an online index in a folder, in the order of their arrival, as a run by these
/// settings takes them from DedupJob::reference_indexes: for a Deduplicator's add_references(). Fails with
/// not_found where there is no index, with io if another process has it open for writing, with
/// invalid_argument for one that compares by something else than the settings do, and as `each` does.
[[nodiscard]] Result<void> read_reference_index(const Context& context, const std::string& place,
                                                const DedupSettings& settings, const ReferencesFn& each);

/// What DedupOutputs::index is, of texts that a caller keeps: it appears when it is whole, and not at all
/// without finish().
class KeptIndex {
 public:
  /// `folding`: how texts were folded where it was decided that they stay. Fails with invalid_argument if
  /// there is anything at `place`, and with unsupported for a server's.
  [[nodiscard]] static Result<KeptIndex> begin(const Context& context, const std::filesystem::path& place,
                                               const Folding& folding = {});
  /// Takes over from another one, which may only be destroyed afterwards.
  KeptIndex(KeptIndex&&) noexcept;
  /// The same.
  KeptIndex& operator=(KeptIndex&&) noexcept;
  ~KeptIndex();

  /// Adds texts, each of which stands for itself. How many are in the index then: not those of which an
  /// earlier one has the id, and those that no index takes.
  [[nodiscard]] Result<std::uint64_t> add(std::span<const std::string> ids,
                                          std::span<const std::string_view> texts);
  /// Once. It is whole and durable, and in its place.
  [[nodiscard]] Result<void> finish();

 private:
  struct Inside;
  explicit KeptIndex(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

/// The summary as one JSON object, settings included, as `leitong dedup --json` prints it.
[[nodiscard]] std::string to_json(const DedupSummary& summary, const DedupJob& job);

/// What a run would meet and cost. `documents`, `seconds` and `memory` are for the whole input where its size
/// is known, else for the sample.
struct Estimate {
  std::uint64_t input_bytes = 0;          ///< as stored; 0 if a pipe is among the inputs
  std::uint64_t sampled_bytes = 0;        ///< of these
  std::uint64_t sampled_documents = 0;    ///< documents in the sample
  std::uint64_t sampled_quarantined = 0;  ///< bad records in the sample
  bool whole = false;                     ///< the sample is all of the input
  std::uint64_t documents = 0;            ///< of the input
  std::uint64_t memory = 0;               ///< bytes: the context's, or what the budget grows to
  double seconds = 0;                     ///< without writing outputs
  std::uint64_t least_memory = 0;         ///< bytes: a run of so many documents fails with less
  /// Share of documents that would be removed. A sample holds only some copies of each text, so the true
  /// share is larger as a rule.
  double removed = 0;
};

/// Reads up to 64 MB (as stored) from up to 16 places that are spread evenly over the list of files, and runs
/// the method on them. Writes nothing but nameless files in the work folder. What is read from a pipe is
/// gone. Bad records are counted, strict or not. Errors as dedup_files().
[[nodiscard]] Result<Estimate> estimate(const Context& context, const DedupJob& job);

}  // namespace leitong
