// Collects what the report of trimming shows, while documents are trimmed in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "job/trimmed_documents.hpp"
#include "leitong/result.hpp"
#include "leitong/trim.hpp"
#include "report/parts_report.hpp"

namespace leitong {

/// What was cut most often. Exact: a part that is among the most frequent ones at the end was among them when
/// it was cut the last time, and its text is taken then at the latest.
class MostCut {
 public:
  void add(const TrimmedDocument& document, const Corpus& corpus);
  /// The most frequent parts, the most frequent first; of equal ones the one that came first.
  [[nodiscard]] std::vector<ReportRepeated> take();

 private:
  struct Entry {
    std::uint64_t group = 0, number = 0;
    ReportRepeated part;
  };
  /// The entry for a part that has been cut so often, or null if that is too seldom.
  Entry* entry_of(std::uint64_t group, std::uint32_t times);

  PodVector<std::uint32_t> times_;  // by group
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> at_;  // of groups, in entries_
  std::uint64_t least_ = 0;                            // no entry was cut less often
  std::uint64_t added_ = 0;
};

/// The documents that the page shows: half of them those that lost most, and the others an even sample.
class ShownCuts {
 public:
  void add(const TrimmedDocument& document, const Corpus& corpus);
  /// By their place.
  [[nodiscard]] std::vector<ReportCutDocument> take();
  /// Of the documents that were added.
  static constexpr std::size_t kLargest = PartsReportLimits::documents / 2;

 private:
  struct Entry {
    std::uint64_t key = 0;  // a greater one stays
    DocId document = 0;
    ReportCutDocument shown;
  };
  static bool wants(const std::vector<Entry>& heap, std::size_t most, std::uint64_t key, DocId document);
  static void put(std::vector<Entry>& heap, std::size_t most, Entry entry);

  std::vector<Entry> largest_, sample_;  // heaps, the entry that leaves first on top
};

/// Both, and the page.
class TrimReporter {
 public:
  /// In the order of the documents; those without cuts are left out.
  void add(const TrimmedDocument& document, const Corpus& corpus);
  /// Writes the page, once all are added.
  Result<void> write(const TrimJob& job, std::size_t least, const TrimSummary& summary, const Corpus& corpus,
                     OutputFile& file);

 private:
  MostCut most_cut_;
  ShownCuts shown_;
};

}  // namespace leitong
