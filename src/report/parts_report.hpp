// The reports on parts of texts: what trimming cut, and which items of a benchmark leaked. They are the page
// of report.hpp with other sections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// The most that such a page shows, beside ReportLimits.
struct PartsReportLimits {
  static constexpr std::size_t repeated = 100;        ///< different parts that were cut most often
  static constexpr std::size_t repeated_bytes = 600;  ///< of the text of one
  static constexpr std::size_t examples = 3;          ///< documents that one was cut out of
  static constexpr std::size_t documents = 600;       ///< documents with cuts
  static constexpr std::size_t document_bytes = 8'000;
  static constexpr std::size_t hits = 2'000;  ///< items in documents
  static constexpr std::size_t hit_bytes = 4'000;
  static constexpr std::size_t around_hit = 1'200;  ///< bytes of a document on each side of an item
};

/// What both pages say of the run.
struct PartsRun {
  std::string title;                                          ///< names the input
  std::string command, date;                                  ///< for the foot; may be empty
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value, as displayed
  std::uint64_t documents = 0, quarantined = 0;
  std::uint64_t bytes = 0;  ///< of the texts; 0 if they were not counted
  double seconds = 0;
  std::vector<std::pair<std::string, std::uint64_t>> quarantine_reasons;
};

/// A part that was cut several times.
struct ReportRepeated {
  std::string text;             ///< as it stood where it was cut, or its beginning
  std::uint64_t bytes = 0;      ///< of the whole part
  std::uint64_t times = 0;      ///< it was cut
  std::uint64_t documents = 0;  ///< that hold it
  std::string stays;            ///< the place of the document that it stays in; empty if it stays in none
  std::vector<std::string> examples;  ///< ids of documents that lost it
};

/// A document that lost something.
struct ReportCutDocument {
  /// A stretch of its text, or a gap where text is left out.
  struct Part {
    std::string text;           ///< empty for a gap
    std::uint64_t skipped = 0;  ///< bytes left out here
    std::uint32_t cut = 0;      ///< number of the cut, from 1; 0: it stays
  };
  std::string id, place;
  bool removed = false;         ///< too little of it is left
  std::uint64_t bytes = 0;      ///< of the whole text
  std::uint64_t cut_bytes = 0;  ///< of these, bytes that were cut
  std::uint64_t cuts = 0;       ///< number of all, shown or not
  std::vector<Part> parts;
  std::vector<std::string> stays;  ///< by the number of a cut: the place of the document that it stays in
};

struct TrimReport {
  PartsRun run;
  std::uint64_t kept = 0, removed = 0, changed = 0, cuts = 0, parts = 0, cut_bytes = 0;
  std::vector<ReportRepeated> repeated;  ///< the most frequent first
  std::vector<ReportCutDocument> shown;  ///< in the order of the input
  std::size_t largest = 0;               ///< of these, so many lost most; the others are a sample
  std::string rows_file;                 ///< file of all cuts; empty if there is none
};

/// A file of a benchmark.
struct ReportBenchmark {
  std::string file;
  std::uint64_t items = 0, too_short = 0, leaked = 0, doubtful = 0, documents = 0;
};

/// An item in a document.
struct ReportLeak {
  ReportSide document, item;
  std::uint32_t benchmark = 0;  ///< index of its file
  bool leak = false;            ///< otherwise a doubt
  bool equal = false;           ///< all of it stands there as one run
  double share = 0;             ///< of the item
  std::string why;              ///< why it is a doubt
  std::vector<std::string> answers;
};

struct LeakReport {
  PartsRun run;
  std::uint64_t leaking = 0, removed = 0, cut = 0, hits = 0, leaks = 0;
  std::vector<ReportBenchmark> benchmarks;
  std::vector<ReportLeak> shown;  ///< some of all hits, in their order
  std::string rows_file;          ///< file of all hits; empty if there is none
};

/// As write_report().
Result<void> write_trim_report(const TrimReport& report,
                               const std::function<Result<void>(std::string_view)>& write);
Result<void> write_leak_report(const LeakReport& report,
                               const std::function<Result<void>(std::string_view)>& write);

}  // namespace leitong
