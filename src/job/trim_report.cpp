#include "job/trim_report.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "job/report_words.hpp"
#include "job/span_rows.hpp"
#include "leitong/settings.hpp"
#include "report/excerpt.hpp"

namespace leitong {
namespace {

// More than are shown, so that most parts are in from early on and have their first examples.
constexpr std::size_t kWatched = 2 * PartsReportLimits::repeated;

std::string place_of(const Cut& cut, const Corpus& corpus) {
  return cut.kept ? corpus.place_name(cut.kept->document) : std::string();
}

ReportCutDocument shown_of(const TrimmedDocument& document, const Corpus& corpus) {
  ReportCutDocument shown{.id = id_or_place(corpus, document.document, document.id),
                          .place = corpus.place_name(document.document),
                          .removed = document.removed,
                          .bytes = document.text.size(),
                          .cuts = document.cuts.size()};
  std::vector<MarkedRange> marks;
  std::vector<ByteRange> seen;
  for (const Cut& cut : document.cuts) {
    marks.push_back({cut.bytes.begin, cut.bytes.end, static_cast<std::uint32_t>(marks.size() + 1)});
    seen.push_back(cut.bytes);
    shown.cut_bytes += cut.bytes.size();
  }
  std::vector<std::uint32_t> numbers(marks.size() + 1, 0);  // of the cuts that are shown, by all of them
  const ExcerptRoom room{.bytes = PartsReportLimits::document_bytes, .seen = seen};
  for (const ExcerptPart& part : excerpt(document.text, marks, room)) {
    if (part.passage > 0 && numbers[part.passage] == 0) {
      shown.stays.push_back(place_of(document.cuts[part.passage - 1], corpus));
      numbers[part.passage] = static_cast<std::uint32_t>(shown.stays.size());
    }
    shown.parts.push_back({std::string(part.text), part.skipped, numbers[part.passage]});
  }
  return shown;
}

}  // namespace

MostCut::Entry* MostCut::entry_of(std::uint64_t group, std::uint32_t times) {
  if (const auto known = at_.find(group); known != at_.end()) return &entries_[known->second];
  std::size_t number = entries_.size();
  if (number < kWatched) {
    entries_.emplace_back();
  } else {
    if (times <= least_) return nullptr;
    // Of entries that were cut equally often the last one leaves.
    const auto last = std::ranges::min_element(entries_, [](const Entry& x, const Entry& y) {
      return x.part.times != y.part.times ? x.part.times < y.part.times : x.number > y.number;
    });
    least_ = last->part.times;
    if (times <= least_) return nullptr;
    number = static_cast<std::size_t>(last - entries_.begin());
    at_.erase(last->group);
    *last = {};
  }
  at_[group] = number;
  entries_[number].group = group;
  entries_[number].number = added_++;
  return &entries_[number];
}

void MostCut::add(const TrimmedDocument& document, const Corpus& corpus) {
  for (const Cut& cut : document.cuts) {
    if (cut.group >= times_.size()) times_.resize(cut.group + 1, 0);
    std::uint32_t& times = times_[cut.group];
    times += times < UINT32_MAX ? 1 : 0;
    Entry* const entry = entry_of(cut.group, times);
    if (entry == nullptr) continue;
    ReportRepeated& part = entry->part;
    if (part.times == 0) {
      const std::string_view text = std::string_view(document.text).substr(cut.bytes.begin, cut.bytes.size());
      part.text = utf8_prefix(text, PartsReportLimits::repeated_bytes);
      part.bytes = text.size();
      part.documents = cut.documents;
      part.stays = place_of(cut, corpus);
    }
    part.times = times;
    if (part.examples.size() == PartsReportLimits::examples) continue;
    std::string id = id_or_place(corpus, document.document, document.id);
    if (part.examples.empty() || part.examples.back() != id) part.examples.push_back(std::move(id));
  }
}

std::vector<ReportRepeated> MostCut::take() {
  std::ranges::sort(entries_, [](const Entry& x, const Entry& y) {
    return x.part.times != y.part.times ? x.part.times > y.part.times : x.number < y.number;
  });
  std::vector<ReportRepeated> parts;
  for (Entry& entry : entries_) {
    if (parts.size() == PartsReportLimits::repeated) break;
    parts.push_back(std::move(entry.part));
  }
  return parts;
}

bool ShownCuts::wants(const std::vector<Entry>& heap, std::size_t most, std::uint64_t key, DocId document) {
  return heap.size() < most || key > heap.front().key ||
         (key == heap.front().key && document < heap.front().document);
}

void ShownCuts::put(std::vector<Entry>& heap, std::size_t most, Entry entry) {
  const auto stays_longer = [](const Entry& x, const Entry& y) {
    return x.key != y.key ? x.key > y.key : x.document < y.document;
  };
  heap.push_back(std::move(entry));
  std::ranges::push_heap(heap, stays_longer);
  if (heap.size() <= most) return;
  std::ranges::pop_heap(heap, stays_longer);
  heap.pop_back();
}

void ShownCuts::add(const TrimmedDocument& document, const Corpus& corpus) {
  std::uint64_t cut_bytes = 0;
  for (const Cut& cut : document.cuts) cut_bytes += cut.bytes.size();
  const DocId number = document.document;
  const std::uint64_t lot = mix64(number);
  if (wants(largest_, kLargest, cut_bytes, number))
    put(largest_, kLargest, {cut_bytes, number, shown_of(document, corpus)});
  if (wants(sample_, PartsReportLimits::documents, lot, number))
    put(sample_, PartsReportLimits::documents, {lot, number, shown_of(document, corpus)});
}

std::vector<ReportCutDocument> ShownCuts::take() {
  std::vector<Entry> all = std::move(largest_);
  std::ranges::sort(sample_, std::ranges::greater(), &Entry::key);
  const std::size_t largest = all.size();
  for (Entry& entry : sample_) {
    if (all.size() == PartsReportLimits::documents) break;
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(largest);
    if (std::find_if(all.begin(), end,
                     [&](const Entry& other) { return other.document == entry.document; }) == end)
      all.push_back(std::move(entry));
  }
  std::ranges::sort(all, {}, &Entry::document);
  std::vector<ReportCutDocument> shown;
  for (Entry& entry : all) shown.push_back(std::move(entry.shown));
  return shown;
}

void TrimReporter::add(const TrimmedDocument& document, const Corpus& corpus) {
  if (document.cuts.empty()) return;
  most_cut_.add(document, corpus);
  shown_.add(document, corpus);
}

Result<void> TrimReporter::write(const TrimJob& job, std::size_t least, const TrimSummary& summary,
                                 const Corpus& corpus, OutputFile& file) {
  TrimReport report;
  PartsRun& run = report.run;
  run.title = report_title(job.input.paths);
  run.command = job.command;
  run.date = job.date;
  run.settings = shown_settings(job, {"part", "kept_part"});
  if (job.settings.least_units == 0) run.settings.emplace_back("least_units", std::to_string(least));
  run.documents = summary.documents;
  run.quarantined = summary.quarantined;
  run.bytes = summary.text_bytes;
  run.seconds = summary.seconds;
  LEITONG_ASSIGN(run.quarantine_reasons, quarantine_reasons(corpus));
  report.kept = summary.kept;
  report.removed = summary.removed;
  report.changed = summary.changed;
  report.cuts = summary.cuts;
  report.parts = summary.parts;
  report.cut_bytes = summary.cut_bytes;
  report.repeated = most_cut_.take();
  report.shown = shown_.take();
  report.largest = ShownCuts::kLargest;
  if (job.outputs.spans != "-") report.rows_file = job.outputs.spans;
  return write_trim_report(report, [&](std::string_view part) { return file.write(part); });
}

}  // namespace leitong
