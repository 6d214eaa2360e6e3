// The evidence report: what a run did, as one HTML file by which a person can judge it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/result.hpp"
#include "report/evidence.hpp"
#include "similarity/margin.hpp"
#include "similarity/relation.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// The most that one file shows; the page tells how much is left out. The page holds the texts of every row:
/// with more rows, less of each text. The limits keep the texts of a page below 21 MB and the page of any run
/// below 32 MB (characters that JSON escapes, such as <, count up to six times).
struct ReportLimits {
  static constexpr std::size_t rows = 10'000;
  static constexpr std::size_t row_texts = 20'000'000;  ///< bytes of the texts of all rows
  static constexpr std::size_t row_text = 4'000;        ///< of one text, even with few rows
  static constexpr std::size_t clusters = 20;
  static constexpr std::size_t members = 100;          ///< of one cluster
  static constexpr std::size_t pairs = 20;             ///< borderline rows on each side of the rule
  static constexpr std::size_t pair_bytes = 8'000;     ///< of each text of a borderline row
  static constexpr std::size_t relatives = 2'000;      ///< rows of similar documents that stay
  static constexpr std::size_t flows = 200;            ///< rows of the table of sources
  static constexpr std::size_t name_bytes = 240;       ///< of an id, a place or a setting
  static constexpr std::size_t command_bytes = 4'000;  ///< of the command line
  static constexpr std::size_t opening_bytes = 240;    ///< of the first words of a document
  static constexpr std::size_t examples = 10;          ///< of a warning

  /// The bytes of each text of a row, for so many rows.
  [[nodiscard]] static constexpr std::size_t text_of(std::size_t rows_shown) noexcept {
    return std::min(row_text, row_texts / (2 * std::max<std::size_t>(rows_shown, 1)));
  }
};

/// The command that made the report, which determines what the page can say.
enum class ReportKind : std::uint8_t { dedup, pairs, cluster, eval, trim, leaks };

/// A document as the page names it. `text` may be its beginning.
struct ReportDocument {
  std::string id;
  std::string place;
  std::string text;
  std::uint64_t bytes = 0;  ///< of the whole text, if `text` is only its beginning
  std::string title = {};   ///< empty if it is not known
};

/// Something that the reader should know. The page has the words for each code, in every language.
struct ReportWarning {
  std::string code;                                          ///< "repeated_ids"
  std::vector<std::pair<std::string, std::string>> details;  ///< values for these words: "count", "12"
  std::vector<std::string> examples;
};

/// The number of verified pairs for each value of a measure. Bin i holds [i/20, (i+1)/20), the last one
/// exactly 1.
struct ReportHistogram {
  Measure measure = Measure::jaccard;
  std::array<std::uint64_t, 21> bins{};
  std::vector<double> thresholds;  ///< values from which the rule calls two documents similar

  void add(double value) noexcept;
};

/// What a row says about its two documents.
enum class RowOutcome : std::uint8_t {
  removed,         ///< a was removed for b
  stay,            ///< refused by the rule: both stay
  similar,         ///< a pair; nothing was decided
  false_positive,  ///< claimed to be the same, but different by the truth
  false_negative,  ///< the same by the truth, but not claimed
  relative         ///< a stays beside the similar b because of what would be lost
};

inline constexpr std::uint32_t kNoSource = UINT32_MAX;

/// One document of a row.
struct ReportSide {
  std::string id, place;
  std::uint32_t source = kNoSource;  ///< index in ReportSources::names
  std::uint64_t bytes = 0;           ///< of the whole text
  std::vector<EvidencePart> parts;   ///< empty if the texts are not known
  std::string title = {};            ///< empty if it is not known
};

/// Two documents, the decision about them, and its reason.
/// Why a containment that reaches the rule's bar does not count.
enum class Uncounted : std::uint8_t { none, too_short, too_long };

struct ReportRow {
  ReportSide a, b;
  RowOutcome outcome = RowOutcome::removed;
  VerifiedPair scores;  ///< its document numbers are ignored; measures that were not computed are below 0
  std::optional<Margin> margin;  ///< nothing if no rule decided
  Uncounted containment = Uncounted::none;
  bool borderline = false;             ///< among those that are shown first
  std::optional<Loss> loss = {};       ///< what b lacks of a; nothing if it was not computed
  Relation relation = Relation::copy;  ///< of the two, if there is a loss
  ByteRange whole = {};  ///< of both whole texts in ReportData::texts_file; empty: they are not there
};

/// A kept document and those that left for it; `members` are all of these, or the least similar ones.
struct ReportCluster {
  struct Member {
    ReportDocument document;
    Measure measure = Measure::jaccard;
    float score = 0;
  };
  ReportDocument kept;
  std::uint64_t size = 0;  ///< with the kept one
  std::vector<Member> members;
};

/// The sources of documents, and of those that they left for or are similar to.
struct ReportSources {
  enum class By : std::uint8_t { file, folder, field };
  struct Flow {
    std::uint32_t from = 0, to = 0;  ///< indexes in `names`
    /// Documents of `from` that left for one of `to`; for pairs: pairs between the two.
    std::uint64_t documents = 0;
    std::uint64_t of = 0;  ///< all documents of `from`
  };
  By by = By::file;
  std::string field;
  std::vector<std::string> names;
  std::vector<Flow> flows;      ///< the largest first
  std::uint64_t all_flows = 0;  ///< number of all, shown or not
};

/// The measurement, on a sample, of pairs that the run may have missed. It concerns the rule on texts, not
/// the cosine of vectors.
struct ReportRecall {
  std::uint64_t sampled_documents = 0;
  std::uint64_t pairs = 0;      ///< similar pairs of sampled documents, by the exact join
  std::uint64_t direct = 0;     ///< of these, verified by the run
  std::uint64_t both_stay = 0;  ///< of the others, those of which both texts stay
};

/// A result that was compared with the truth: figures, and errors.
struct ReportTrial {
  std::string name;                                     ///< of the method or file
  std::vector<std::pair<std::string, double>> figures;  ///< in the order of display
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  std::string errors;  ///< made by report_rows_json()
};

struct ReportData {
  ReportKind kind = ReportKind::dedup;
  std::string title;                                          ///< names the input
  std::string command, date;                                  ///< of the run, for the foot; may be empty
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value, as displayed
  Rule rule;
  double cosine = 0;     ///< least cosine of vectors that makes two documents similar; 0: no vectors
  bool verified = true;  ///< false: scores are estimates
  std::uint64_t records = 0, kept = 0, removed = 0, quarantined = 0, reference = 0;
  std::uint64_t documents = 0, clusters = 0, pairs = 0, copies = 0;
  bool by_losses = false;       ///< a text left only for one that lacks little of it
  std::uint64_t relatives = 0;  ///< similar documents that stay because of what would be lost
  /// Of removed documents; of these, nowhere in the kept ones.
  std::uint64_t removed_units = 0, lost_units = 0;
  std::uint64_t bytes = 0, kept_bytes = 0, peak_memory = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, double>> stage_seconds;
  std::optional<ReportRecall> recall;
  std::vector<ReportWarning> warnings;
  std::vector<std::pair<std::string, std::uint64_t>> quarantine_reasons;
  std::vector<ReportHistogram> histograms;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cluster_sizes;  ///< size, number of clusters
  std::vector<ReportCluster> largest_clusters;
  ReportSources sources;
  std::vector<ReportRow> rows;  ///< chosen by a RowChooser if there are more than ReportLimits::rows
  std::uint64_t all_rows = 0;   ///< number of all, without those that `stay` and relatives
  std::size_t least_rows =
      ReportLimits::rows / 5;  ///< of these, if not all are shown, by RowChooser::least()
  std::string rows_file;       ///< file of the full list; empty if there is none
  std::string texts_file;      ///< file of the whole texts of the rows; empty if there is none
  std::vector<ReportTrial> trials;
};

/// Rows and the names of their sources in the form that the page reads, for a report that another process
/// completes.
[[nodiscard]] std::string report_rows_json(const std::vector<ReportRow>& rows, const ReportSources& sources);

/// Writes the page around its data: JSON that is safe within a script element.
Result<void> write_page(std::string_view data, const std::function<Result<void>(std::string_view)>& write);

/// Writes the page through `write`, in order. Equal data give equal bytes. Strings may hold anything: what is
/// not UTF-8 is replaced, and text of documents reaches the browser only as data under a
/// Content-Security-Policy that allows only the one script. Fails only if `write` does.
Result<void> write_report(const ReportData& data, const std::function<Result<void>(std::string_view)>& write);

/// The data for the report's script, as one JSON object that is safe inside <script type="application/json">:
/// it holds none of < > & U+2028 U+2029 and is valid UTF-8 for any input. ReportLimits are applied here.
[[nodiscard]] std::string report_json(const ReportData& data);

/// The two sides of a row as one line of JSON, for the file of whole texts.
[[nodiscard]] std::string report_texts_json(const ReportRow& row);

}  // namespace leitong
