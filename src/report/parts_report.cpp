#include "report/parts_report.hpp"

#include "report/json_text.hpp"
#include "report/shown_json.hpp"

namespace leitong {
namespace {

void begin_page(JsonText& json, ReportKind kind, const PartsRun& run) {
  json.open('{');
  write_head(json, kind, run);
  json.field("documents", run.documents);
  json.field("quarantined", run.quarantined);
  json.field("bytes", run.bytes);
  json.field("seconds", run.seconds);
  write_named(json, "quarantine_reasons", run.quarantine_reasons);
}

void write_names(JsonText& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key);
  json.list(names, SIZE_MAX, [&](const std::string& name) { json.value(shown_name(name)); });
}

void write_repeated(JsonText& json, const ReportRepeated& part) {
  json.open('{');
  json.field("text", part.text);
  json.field("bytes", part.bytes);
  json.field("times", part.times);
  json.field("documents", part.documents);
  json.field("stays", shown_name(part.stays));
  write_names(json, "examples", part.examples);
  json.close('}');
}

/// Parts are [number of the cut or 0, text or the number of bytes left out].
void write_document(JsonText& json, const ReportCutDocument& document) {
  json.open('{');
  json.field("id", shown_name(document.id));
  json.field("place", shown_name(document.place));
  json.field("removed", document.removed ? 1 : 0);
  json.field("bytes", document.bytes);
  json.field("cut_bytes", document.cut_bytes);
  json.field("cuts", document.cuts);
  write_names(json, "stays", document.stays);
  json.key("parts");
  json.list(document.parts, SIZE_MAX, [&](const ReportCutDocument::Part& part) {
    if (part.skipped > 0)
      json.tuple(part.cut, part.skipped);
    else
      json.tuple(part.cut, part.text);
  });
  json.close('}');
}

void write_leak(JsonText& json, const ReportLeak& leak) {
  json.open('{');
  json.key("document");
  write_side(json, leak.document);
  json.key("item");
  write_side(json, leak.item);
  json.field("benchmark", leak.benchmark);
  json.field("leak", leak.leak ? 1 : 0);
  json.field("equal", leak.equal ? 1 : 0);
  json.field("share", leak.share);
  json.field("why", shown_name(leak.why));
  write_names(json, "answers", leak.answers);
  json.close('}');
}

}  // namespace

Result<void> write_trim_report(const TrimReport& report,
                               const std::function<Result<void>(std::string_view)>& write) {
  JsonText json;
  begin_page(json, ReportKind::trim, report.run);
  json.field("kept", report.kept);
  json.field("removed", report.removed);
  json.field("changed", report.changed);
  json.field("cuts", report.cuts);
  json.field("parts", report.parts);
  json.field("cut_bytes", report.cut_bytes);
  json.key("repeated");
  json.list(report.repeated, PartsReportLimits::repeated,
            [&](const ReportRepeated& part) { write_repeated(json, part); });
  json.key("shown");
  json.list(report.shown, PartsReportLimits::documents,
            [&](const ReportCutDocument& document) { write_document(json, document); });
  json.field("largest", report.largest);
  json.field("rows_file", shown_name(report.rows_file));
  json.close('}');
  return write_page(json.take(), write);
}

Result<void> write_leak_report(const LeakReport& report,
                               const std::function<Result<void>(std::string_view)>& write) {
  JsonText json;
  begin_page(json, ReportKind::leaks, report.run);
  json.field("leaking", report.leaking);
  json.field("removed", report.removed);
  json.field("cut", report.cut);
  json.field("hits", report.hits);
  json.field("leaks", report.leaks);
  json.key("benchmarks");
  json.list(report.benchmarks, SIZE_MAX, [&](const ReportBenchmark& file) {
    json.tuple(shown_name(file.file), file.items, file.too_short, file.leaked, file.doubtful, file.documents);
  });
  json.key("shown");
  json.list(report.shown, PartsReportLimits::hits, [&](const ReportLeak& leak) { write_leak(json, leak); });
  json.field("rows_file", shown_name(report.rows_file));
  json.close('}');
  return write_page(json.take(), write);
}

}  // namespace leitong
