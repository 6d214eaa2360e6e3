// The evidence report: what a run did, as one HTML file that a person can judge it by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/result.hpp"
#include "base/pair.hpp"
#include "similarity/passages.hpp"

namespace leitong {

/// What one file shows at most; whatever is left out is counted on the page. Together they hold a report of
/// any run under about 10 MB.
struct ReportLimits {
  static constexpr std::size_t removals = 5000;
  static constexpr std::size_t clusters = 20;
  static constexpr std::size_t members = 100;        ///< of one cluster
  static constexpr std::size_t pairs = 20;           ///< of each of the two lists
  static constexpr std::size_t pair_bytes = 8000;    ///< of each text of a pair
  static constexpr std::size_t name_bytes = 240;     ///< of an id, a place or a setting
  static constexpr std::size_t opening_bytes = 240;  ///< of the first words of a document
  static constexpr std::size_t examples = 10;        ///< of a warning
};

/// A document as the page names it. `text` may be whole: the writer shows its first words, or an excerpt
/// around what is shared.
struct ReportDocument {
  std::string id;
  std::string place;
  std::string text;
  std::uint64_t bytes = 0;  ///< of the whole text, where `text` is only its beginning
};

/// Something that the reader ought to know: repeated ids, bad records, chained components.
struct ReportWarning {
  std::string title;        ///< "12 ids occur more than once"
  std::string explanation;  ///< what it means and what to do
  std::vector<std::string> examples;
};

/// How many verified pairs have which value of a measure. Bin i holds [i/20, (i+1)/20), the last one
/// exactly 1.
struct ReportHistogram {
  std::string name;
  std::array<std::uint64_t, 21> bins{};
  std::vector<double> thresholds;  ///< from which on the rule calls two documents similar

  void add(double value) noexcept;
};

/// One document that left for another.
struct ReportRemoval {
  std::string id, place, kept;  ///< `kept`: the id of the document that stays for it
  Measure measure = Measure::jaccard;
  float score = 0;
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

/// Two documents side by side.
struct ReportPair {
  ReportDocument a, b;
  VerifiedPair scores;            ///< its document numbers aren't looked at
  std::vector<Passage> passages;  ///< bytes of a.text and b.text
  std::string outcome;            ///< "removed for B"; "both stay: .34 is below the threshold .35"
};

/// What was measured on a sample about pairs that the run may have missed.
struct ReportRecall {
  std::uint64_t sampled_documents = 0;
  std::uint64_t pairs = 0;      ///< similar pairs of sampled documents, by the exact join
  std::uint64_t direct = 0;     ///< of these, verified by the run
  std::uint64_t both_stay = 0;  ///< of the others, those of which both texts stay
};

struct ReportData {
  std::string title;                                          ///< names the input
  std::vector<std::pair<std::string, std::string>> settings;  ///< in the order in which they are shown
  std::uint64_t records = 0, kept = 0, removed = 0, quarantined = 0, reference = 0;
  std::uint64_t clusters = 0, pairs = 0, exact_copies = 0;
  std::uint64_t bytes = 0, kept_bytes = 0, peak_memory = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, double>> stage_seconds;
  std::optional<ReportRecall> recall;
  std::vector<ReportWarning> warnings;
  std::vector<std::pair<std::string, std::uint64_t>> quarantine_reasons;
  std::vector<ReportHistogram> histograms;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cluster_sizes;  ///< size, clusters of that size
  std::vector<ReportCluster> largest_clusters;
  std::vector<ReportPair> least_similar_removed;
  std::vector<ReportPair> most_similar_kept;
  std::vector<ReportRemoval> removals;  ///< all, or a selection by choose_removals()
  std::string removed_file;             ///< where the full list is; empty if nowhere
};

/// Which of `scores.size()` removals to show if only `most` fit: a fifth are the least similar ones, where
/// errors would be, the rest is an even sample by a hash of the index, so that no period of the input shows
/// through. Ascending; all of them if they fit. O(n).
[[nodiscard]] std::vector<std::size_t> choose_removals(const std::vector<float>& scores,
                                                       std::size_t most = ReportLimits::removals);

/// Writes the page through `write`, in order. The same data give the same bytes. Strings may hold anything:
/// what isn't UTF-8 is replaced, and text of documents reaches the browser only as data under a
/// Content-Security-Policy that names the one script. Fails only if `write` does.
Result<void> write_report(const ReportData& data, const std::function<Result<void>(std::string_view)>& write);

}  // namespace leitong
