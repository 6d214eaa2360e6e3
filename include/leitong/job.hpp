// A whole run from files to files, with its outputs, report and figures, as `leitong dedup` does it.
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

/// Files to write. An empty name: the file is not written; "-": standard output. A name that ends in .gz,
/// .zst, .bz2 or .xz is compressed. docs/format.md describes each file.
struct DedupOutputs {
  /// Kept records, byte for byte and in input order (a table is written again with all its columns and
  /// metadata); for folders of documents a list of their paths. If the name ends in / or is a folder: a
  /// folder with one file of kept records for each input file, and links to the kept documents.
  std::string kept = {};
  bool null_separated = false;  ///< the list's paths end with a zero byte instead of a line feed
  bool copy_files = false;      ///< copies documents into a folder instead of hard links
  /// The next five are tables, with the same columns, if their names end in .parquet, .arrow, .feather or
  /// .arrows.
  std::string removed = {};  ///< JSONL: removed documents, each with the kept one, the measure and the score
  /// JSONL: documents that stay beside similar ones that stay, with what each has of its own (LossLimits).
  std::string kept_similar = {};
  /// TSV: id and cluster of every document that has similar ones, and the id of the document that is kept in
  /// its place, unless every similar text leaves.
  std::string clusters = {};
  std::string components = {};  ///< TSV: id and connected component (chains of similar pairs count)
  std::string pairs = {};       ///< TSV: every similar pair with its scores
  std::string templates = {};  ///< TSV: passages that count as templates, with families, sites and an example
  /// All records in input order, none removed, each with the added fields `cluster`, `cluster_size`, `kept`,
  /// `kept_id`, `measure` and `score`; references are not in it. Records of JSON, CSV, TSV, Parquet and Arrow
  /// can carry fields; a field of such a name that is there already is an error before anything is compared.
  std::string annotated = {};
  bool add_fields = false;  ///< the kept records get the field `cluster_size`, as `annotated` adds it
  /// How often a kept record is written, by the size of its cluster: "N:K" writes it K times from N documents
  /// on, up to the next N. The N ascend; records of clusters with fewer documents are written once. A
  /// repeated record follows itself; repeated rows of Parquet and Arrow follow the rows of their file.
  std::vector<std::string> resample = {};
  std::string quarantine = {};  ///< JSONL: the records that could not be read, with place and reason
  /// A file from which restore_files() (restore.hpp) can make the input again, together with the kept
  /// records. It has each removed record as its difference from the kept one, and everything else that the
  /// kept records lack.
  std::string restorable = {};
  std::string report = {};  ///< one HTML page with figures and evidence side by side
  /// The whole texts of the pairs of the report, a line of JSON for each pair. A reader gives it to the page.
  std::string report_texts = {};
  /// A folder that does not exist yet. It becomes an online index (online.hpp) of the kept documents by the
  /// default rule, in which each of them represents itself.
  std::string index = {};
  bool force = false;  ///< replaces existing files; a folder has to be new or empty
};

/// A run over files.
struct DedupJob {
  InputFiles input = {};  ///< what is read
  /// Folders of online indexes (online.hpp) whose texts are references as well, after those of the input.
  /// They are only read, by any number of jobs at once; nothing may change them meanwhile. For an index of
  /// fingerprints the method must be the index's own.
  std::vector<std::string> reference_indexes = {};
  DedupSettings settings = {};  ///< what is similar, and what stays; not Keep::ranked
  DedupOutputs outputs = {};    ///< what is written
  /// False: only similar pairs are wanted. Report and warnings do not mention removals, and only `pairs`,
  /// `quarantine` and `report` can be written.
  bool decides = true;
  /// A folder, made if missing, that keeps finished stages until the outputs are in place. After a stop or a
  /// crash the same job continues from them to the same outputs. Empty: the run leaves no named files.
  std::filesystem::path resume_folder = {};
  /// The field of a record's source (site, author), for the report's table of who copies whom; empty: its
  /// file.
  std::string source_field = {};
  /// The field of a record's title, which the report shows beside the id; empty: the first words alone.
  std::string title_field = {};
  /// The command line, which the foot of the report shows as it is given here; empty: it is not shown.
  std::string command = {};
  /// The date of the run ("2026-11-27 06:45 UTC"), which the foot of the report shows; empty: it is not
  /// shown.
  std::string date = {};
  /// The field of a record's site (a URL, a host or any name): text that many pages of one site hold is a
  /// template there, and text that different sites share is a reprint. It has an effect only if templates are
  /// ignored.
  std::string site_field = {};
  /// A field: only documents with the same value are compared (snapshots, languages, sources). Those without
  /// a value are compared with each other. Which text is a template still depends on all documents. The
  /// fields of references from indexes are not known, so such references cannot be used with this setting and
  /// the next two.
  std::string within = {};
  /// A field: documents with the same value are never compared (versions by one author). Each document
  /// without a value counts as a value of its own.
  std::string across = {};
  /// A field: in each cluster one document stays for every value that its documents have. To have no value
  /// counts as a value.
  std::string keep_each = {};
  /// Files whose text does not count: handouts, question sheets, licences. Their text is template in all
  /// documents, even if few documents hold it. They have an effect only if templates are ignored. They are
  /// read like the input, each in the format that its name or content tells.
  std::vector<std::string> base = {};
  /// With DedupSettings::cosine: the name of a NumPy file (.npy) of float16, float32 or float64 with one row
  /// for each record in input order, references first; or the record field that holds its vector, a JSON
  /// array of numbers or a list in a table.
  std::string vectors = {};
};

/// What a user of the outputs should know in addition to the figures of the summary.
enum class RunWarning : std::uint8_t {
  no_records,          ///< the input holds no record
  all_quarantined,     ///< no record could be read: DedupSummary::first_quarantined says why
  without_signature,   ///< the method cannot compare some documents: only their copies were found
  without_keep_value,  ///< the keep policy ranked some documents last
  without_site,        ///< documents without a value of DedupJob::site_field; each counts as a site
  without_group,       ///< documents without a value of DedupJob::within, across or keep_each
  unusable_vectors,    ///< documents with unusable vectors: only their texts were compared
  repeated_ids,        ///< records with the id of an earlier record
  chained,             ///< components in which more than one document stays
  missed_pairs,     ///< by the measured recall, certainly more than one similar pair in a hundred was missed
  hash_collisions,  ///< different texts of equal hash; they were compared in full
  hot_unmatched,    ///< documents with common passages that found no pair
  hot_limited,      ///< documents of passages so common that not all of them were compared
  unverified        ///< the scores are estimates: DedupSettings::verify is false
};
/// The name for programs: "repeated_ids".
[[nodiscard]] std::string_view warning_name(RunWarning warning) noexcept;

/// The rule that decided in a run.
struct DecisionRule {
  /// "jaccard", "containment" or "edit", at `threshold`; or "jaccard or containment" for the default rule, to
  /// which the next three figures belong.
  std::string_view measure;
  double threshold = 0;             ///< the least value of `measure`, if it is a single one
  double jaccard_short = 0;         ///< for texts of up to 100 shingles
  double jaccard_long = 0;          ///< for texts of 300 shingles and more
  double containment = 0;           ///< least containment
  std::uint32_t shingle_units = 5;  ///< units of a shingle
  /// A shared passage of at least so many units makes two documents similar by itself; 0: none does.
  std::uint32_t passage_units = 0;
};

/// The results of the second decision, if templates are ignored.
struct TemplateCounts {
  std::uint64_t pairs_in_question = 0;  ///< pairs that may share only a template, or differ only by templates
  std::uint64_t documents_counted = 0;  ///< documents of which all shingles were counted
  std::uint64_t shingles = 0;           ///< shingles that are a template
  std::uint64_t pairs_refused = 0;      ///< pairs that are refused, though the rule alone accepts them
  std::uint64_t pairs_won = 0;          ///< pairs that are accepted, though the rule alone refuses them
  /// Accepted pairs of two families, where accepted pairs join at least three families: what they share may
  /// be a template of too few families, and DedupJob::site_field could change the decision.
  std::uint64_t pairs_doubtful = 0;
  /// Documents of pairs in question that hold nothing but DedupJob::base.
  std::uint64_t only_base = 0;
  /// Some pairs are doubtful and the records have a URL in a field "url": DedupJob::site_field would help.
  bool url_would_help = false;
};

/// The figures of a run.
struct DedupSummary {
  DecisionRule rule;            ///< the rule that decided
  std::uint64_t records = 0;    ///< records that were read: documents and quarantined records
  std::uint64_t documents = 0;  ///< references included
  std::uint64_t reference = 0;  ///< documents of InputFiles::reference_paths and of indexes
  std::uint64_t kept = 0;       ///< without references: kept + removed + reference = documents
  std::uint64_t removed = 0;    ///< documents that left
  /// Documents that stay beside a similar one because of what would be lost (LossLimits).
  std::uint64_t relatives = 0;
  /// Units of the removed documents; `lost_units` of them stand nowhere in the kept ones, reworded ones
  /// included. Both are 0 if every similar text leaves.
  std::uint64_t removed_units = 0;
  std::uint64_t lost_units = 0;        ///< see `removed_units`
  std::uint64_t quarantined = 0;       ///< records that could not be read
  std::string first_quarantined;       ///< "place: reason", or empty
  std::uint64_t other_records = 0;     ///< records of types that hold no document (in WARC); not in `records`
  std::uint64_t truncated_inputs = 0;  ///< compressed files of which records are lost
  std::uint64_t names_with_line_feeds = 0;  ///< paths with a line feed, in a list of kept files
  std::uint64_t copies = 0;                 ///< documents equal to an earlier one after folding
  std::uint64_t removed_copies = 0;         ///< removed copies that are no references
  std::uint64_t candidates = 0;             ///< pairs that were compared
  std::uint64_t pairs = 0;                  ///< similar pairs among them
  std::uint64_t clusters = 0;               ///< kept documents for which others left
  std::uint64_t largest_cluster = 0;        ///< documents of the largest cluster
  std::uint64_t components = 0;          ///< sets of two or more documents that chains of similar pairs join
  std::uint64_t largest_component = 0;   ///< documents of the largest component
  std::uint64_t chained_components = 0;  ///< components in which more than one document stays
  std::uint64_t hot_unmatched = 0;       ///< documents with common passages that found no pair
  /// With a rule below the default one: documents of passages so common that not all of them were compared.
  std::uint64_t hot_limited = 0;
  std::uint64_t without_signature = 0;  ///< documents that the method cannot compare, copies not counted
  /// Line numbers, page numbers, running heads, and hyphens at line ends, which were left out (docs/text.md).
  std::uint64_t page_artifacts = 0;
  std::uint64_t with_page_artifacts = 0;  ///< documents that have some
  std::uint64_t keep_asked = 0;           ///< documents that the keep policy had to rank
  std::uint64_t without_keep_value = 0;   ///< of these, those that it could not rank and put last
  std::uint64_t without_site = 0;         ///< documents without a value of DedupJob::site_field
  /// Documents without a value of DedupJob::within, across or keep_each, added up for these fields.
  std::uint64_t without_group = 0;
  std::uint64_t resampled = 0;        ///< records written by DedupOutputs::resample, repetitions included
  std::uint64_t kept_for_value = 0;   ///< similar documents that stay because of DedupJob::keep_each
  std::uint64_t hash_collisions = 0;  ///< different texts of equal hash
  std::uint64_t repeated_ids = 0;     ///< records with the id of an earlier record
  std::vector<RepeatedId> repeated_examples;  ///< the first few of them
  std::uint64_t bytes = 0;                    ///< size of the input as stored
  std::uint64_t text_bytes = 0;               ///< size of the documents' texts
  std::uint64_t kept_bytes = 0;               ///< size of DedupOutputs::kept
  std::uint64_t indexed = 0;                  ///< documents of DedupOutputs::index
  /// Kept documents that are not in the index: an earlier one has the same id, or the id is too long.
  std::uint64_t not_indexed = 0;
  bool one_document_a_file = false;  ///< true: the kept file is a list of paths, or a folder
  RecallEstimate recall;             ///< measured on a sample
  std::vector<std::pair<std::string, double>> stage_seconds;  ///< by stage, in order
  double seconds = 0;                                         ///< of the whole run
  std::uint64_t peak_memory = 0;                              ///< bytes resident, of the process
  unsigned threads = 0;                                       ///< the context's setting; 0: all cores
  std::uint64_t memory = 0;  ///< the context's setting in bytes; 0: a budget that grows with the input
  std::vector<std::pair<std::string, double>> method_figures;  ///< of the method, by name
  TemplateCounts templates;                                    ///< all 0 where templates count
  VectorCounts vectors;                                        ///< all 0 where there are none
  std::string first_unusable_vector;                           ///< "place: why", or empty
  std::vector<RunWarning> warnings;                            ///< the most serious first
};

/// Reads all input, decides, and writes all outputs or none of them: they appear under their names at the
/// end. The memory is the context's; if it sets none, about 60 MB, 100 bytes a document and twice the bytes
/// of the texts, but the texts take at most half of the memory that the documents leave free. What exceeds it
/// goes to the work folder. Linear in the input plus the pairs.
///
/// Fails with invalid_argument for impossible settings and for outputs that cannot be written from this
/// input; with not_found and io for files; with corrupt for bad records if InputFiles::strict, and for
/// damaged stages; with limit if the memory is not enough; with unsupported for an input that cannot be read
/// twice, with a resume folder; with cancelled. A record that cannot be read is no failure: it is
/// quarantined.
[[nodiscard]] Result<DedupSummary> dedup_files(const Context& context, const DedupJob& job);

/// Takes some texts of an index, with their ids.
using ReferencesFn =
    std::function<Result<void>(std::span<const std::string> ids, std::span<const std::string_view> texts)>;

/// Passes on the texts of an online index in a folder, in the order of their arrival, as a run with these
/// settings takes them from DedupJob::reference_indexes; for Deduplicator::add_references(). Fails with
/// not_found if there is no index, with io if another process has it open for writing, with invalid_argument
/// if the index compares in another way than the settings, and as `each` does.
[[nodiscard]] Result<void> read_reference_index(const Context& context, const std::string& place,
                                                const DedupSettings& settings, const ReferencesFn& each);

/// Makes an index like DedupOutputs::index from texts that a caller keeps. It appears when it is complete;
/// without finish() it does not.
class KeptIndex {
 public:
  /// `folding`: how texts were folded when it was decided that they stay. Fails with invalid_argument if
  /// there is anything at `place`, and with unsupported for a place on a server.
  [[nodiscard]] static Result<KeptIndex> begin(const Context& context, const std::filesystem::path& place,
                                               const Folding& folding = {});
  /// Moves the contents of another object, which may then only be destroyed.
  KeptIndex(KeptIndex&&) noexcept;
  /// Moves in the same way.
  KeptIndex& operator=(KeptIndex&&) noexcept;
  ~KeptIndex();

  /// Adds texts, each of which represents itself. Returns how many were added: texts with an id that an
  /// earlier one has, and texts that no index accepts, are not.
  [[nodiscard]] Result<std::uint64_t> add(std::span<const std::string> ids,
                                          std::span<const std::string_view> texts);
  /// Completes the index, makes it durable and puts it in place. Call it once.
  [[nodiscard]] Result<void> finish();

 private:
  struct Impl;
  explicit KeptIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The summary and the settings as one JSON object, as `leitong dedup --json` prints it.
[[nodiscard]] std::string to_json(const DedupSummary& summary, const DedupJob& job);

/// An estimate of a run's input and cost. `documents`, `seconds` and `memory` are for the whole input if its
/// size is known, otherwise for the sample.
struct Estimate {
  std::uint64_t input_bytes = 0;          ///< size as stored; 0 if the input includes a pipe
  std::uint64_t sampled_bytes = 0;        ///< of these, bytes that were read
  std::uint64_t sampled_documents = 0;    ///< documents in the sample
  std::uint64_t sampled_quarantined = 0;  ///< bad records in the sample
  bool whole = false;                     ///< the sample is all of the input
  std::uint64_t documents = 0;            ///< of the input
  std::uint64_t memory = 0;               ///< in bytes: the context's, or the size to which the budget grows
  double seconds = 0;                     ///< without writing outputs
  std::uint64_t least_memory = 0;         ///< in bytes: with less, a run of so many documents fails
  /// The share of documents that would be removed. A sample holds only some copies of each text, so the true
  /// share is usually larger.
  double removed = 0;
};

/// Reads up to 64 MB (as stored) from up to 16 places that are spread evenly over the list of files, and runs
/// the method on them. Writes only nameless files in the work folder. What it reads from a pipe is lost. Bad
/// records are counted, even if InputFiles::strict. Fails as dedup_files() does.
[[nodiscard]] Result<Estimate> estimate(const Context& context, const DedupJob& job);

}  // namespace leitong
