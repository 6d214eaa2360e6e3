#include "job/leak_report.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "job/report_words.hpp"
#include "report/choose_rows.hpp"
#include "report/evidence.hpp"
#include "report/excerpt.hpp"
#include "report/parts_report.hpp"

namespace leitong {
namespace {

/// The bytes of a text that are shown of a hit: its passage, and what stands around it.
ByteRange around(std::string_view text, ByteRange passage) {
  constexpr std::size_t kAround = PartsReportLimits::around_hit;
  const std::size_t begin = utf8_prefix(text, passage.begin - std::min(passage.begin, kAround)).size();
  const std::size_t end =
      std::min({text.size(), passage.end + kAround, begin + PartsReportLimits::hit_bytes});
  return {begin, utf8_prefix(text, std::max(end, begin)).size()};
}

/// The parts of both texts. If no passage is long enough to be marked, the whole of both is one.
Evidence leak_evidence(std::string_view document, ByteRange passage, std::string_view item) {
  const ByteRange window = around(document, passage);
  const std::string_view shown = document.substr(window.begin, window.size());
  Evidence evidence = evidence_of(shown, item, PartsReportLimits::hit_bytes, PartsReportLimits::hit_bytes);
  const auto is_marked = [](const EvidencePart& part) { return part.passage > 0; };
  if (std::ranges::none_of(evidence.a, is_marked)) {
    const std::size_t begin = passage.begin - window.begin,
                      end = std::min(passage.end - window.begin, shown.size());
    const std::string_view item_shown = utf8_prefix(item, PartsReportLimits::hit_bytes);
    evidence.a = {{std::string(shown.substr(0, begin))},
                  {std::string(shown.substr(begin, end - begin)), 1},
                  {std::string(shown.substr(end))}};
    evidence.b = {{std::string(item_shown), 1}};
    if (item_shown.size() < item.size()) evidence.b.push_back({{}, 0, item.size() - item_shown.size()});
    std::erase_if(evidence.a, [](const EvidencePart& part) { return part.text.empty(); });
  }
  if (window.begin > 0) evidence.a.insert(evidence.a.begin(), {{}, 0, window.begin});
  if (window.end < document.size()) evidence.a.push_back({{}, 0, document.size() - window.end});
  return evidence;
}

/// The numbers of the hits that are shown: leaks that were found most barely, and an even sample.
std::vector<std::uint64_t> choose_hits(const LeakSearch& search) {
  RowChooser chooser(PartsReportLimits::hits);
  const std::vector<LeakHit>& hits = search.hits();
  // Doubts come behind all leaks.
  for (std::size_t i = 0; i < hits.size(); ++i)
    chooser.add(double{hits[i].share} + (search.is_leak(hits[i]) ? 0 : 1), i);
  return chooser.take();
}

Result<std::vector<ReportLeak>> read_hits(const Corpus& corpus, const Benchmark& benchmark,
                                          const LeakSearch& search, StopToken stop) {
  const std::vector<std::uint64_t> chosen = choose_hits(search);
  std::vector<ReportLeak> leaks(chosen.size());
  LEITONG_TRY(parallel_for_each(
      stop, chosen.size(), [&] { return corpus.new_scratch(); },
      [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
        const LeakHit& hit = search.hits()[static_cast<std::size_t>(chosen[i])];
        const BenchmarkItem& item = benchmark.items[hit.item];
        LEITONG_ASSIGN(const DocumentText document, corpus.read(hit.document, *scratch));
        ReportLeak& leak = leaks[i];
        leak.document.place = corpus.place_name(hit.document);
        leak.document.id = document.id.empty() ? leak.document.place : std::string(document.id);
        leak.document.bytes = document.text.size();
        leak.item.id = item.id;
        leak.item.place = benchmark.files[item.file].path;
        leak.item.bytes = item.text.size();
        leak.benchmark = item.file;
        leak.leak = search.is_leak(hit);
        leak.equal = hit.equal;
        leak.share = double{hit.share};
        leak.why = search.why_doubtful(hit);
        leak.answers = item.answer_texts;
        Evidence evidence = leak_evidence(document.text, hit.place, item.text);
        leak.document.parts = std::move(evidence.a);
        leak.item.parts = std::move(evidence.b);
        return {};
      }));
  return leaks;
}

}  // namespace

Result<void> write_leak_report(const DecontaminateJob& job, const DecontaminateSummary& summary,
                               const Corpus& corpus, const Benchmark& benchmark, const LeakSearch& search,
                               const RunContext& run, OutputFile& file) {
  LeakReport report;
  report.run.title = report_title(job.input.paths);
  report.run.command = job.command;
  report.run.date = job.date;
  report.run.settings = shown_settings(job, {"action"});
  report.run.documents = summary.documents;
  report.run.quarantined = summary.quarantined;
  LEITONG_ASSIGN(report.run.quarantine_reasons, quarantine_reasons(corpus));
  report.leaking = summary.leaking;
  report.removed = summary.removed;
  report.cut = summary.cut;
  report.hits = summary.hits;
  report.leaks = summary.leaks;
  for (const BenchmarkFigures& of : summary.benchmarks)
    report.benchmarks.push_back({of.path, of.items, of.too_short, of.leaked, of.doubtful, of.documents});
  LEITONG_ASSIGN(report.shown, read_hits(corpus, benchmark, search, run.stop));
  if (job.hits != "-") report.rows_file = job.hits;
  return write_leak_report(report, [&](std::string_view part) { return file.write(part); });
}

}  // namespace leitong
