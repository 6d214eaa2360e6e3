#include "job/report_rows.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "feature/shingles.hpp"
#include "job/lost_places.hpp"
#include "job/template_runs.hpp"
#include "report/excerpt.hpp"
#include "report/report.hpp"
#include "similarity/intersect.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

// Passages are searched for in so many bytes of all rows together, which takes seconds, and in at most so
// many bytes from the beginning of one text. Borderline rows always get the most.
constexpr std::size_t kComparedOfAll = 256'000'000;
constexpr std::size_t kComparedLeast = 16'000;
constexpr std::size_t kComparedMost = 1 << 20;

struct Worker {
  std::unique_ptr<ReadScratch> scratch;
  std::string a, b;
  PodVector<Unit> units;
  PodVector<std::uint32_t> set_a, set_b, space;
  LostPlaces lost;

  void shingle(std::string_view text, const Folding& folding, PodVector<std::uint32_t>& set) {
    units.clear();
    to_units(text, folding, units);
    shingle_set(units, set, space);
  }
};

/// Computes measures that are not known yet.
void complete(VerifiedPair& scores, std::size_t shared, std::size_t na, std::size_t nb) {
  const VerifiedPair exact = measured({scores.a, scores.b}, shared, na, nb);
  if (scores.jaccard < 0) scores.jaccard = exact.jaccard;
  if (scores.containment < 0) scores.containment = exact.containment;
  if (scores.score < 0) scores.score = exact.jaccard;
}

Uncounted uncounted_of(const Rule& rule, const ReportRow& row, std::size_t na, std::size_t nb) {
  const bool by_jaccard = !rule.measure && row.margin && row.margin->measure == Measure::jaccard;
  if (!by_jaccard || row.scores.containment < rule.containment) return Uncounted::none;
  if (std::min(na, nb) < rule.containment_min) return Uncounted::too_short;
  return std::max(na, nb) > rule.containment_max ? Uncounted::too_long : Uncounted::none;
}

Result<void> read_side(const Corpus& corpus, DocId document, const DocumentSources& sources,
                       const std::string& title_field, ReadScratch& scratch, ReportSide& side,
                       std::string& text) {
  LEITONG_ASSIGN(side.title, title_of(corpus, document, title_field, scratch));
  LEITONG_ASSIGN(const DocumentText read, corpus.read(document, scratch));
  side.place = corpus.place_name(document);
  side.id = read.id.empty() ? side.place : std::string(read.id);
  side.source = sources.of(document);
  side.bytes = read.text.size();
  text = read.text;
  return {};
}

using MarksOf = std::unordered_map<DocId, std::vector<ShingleMark>>;

Result<MarksOf> marks_of(std::span<const RowRequest> requests, const TemplateMarks* templates) {
  MarksOf marks;
  if (templates == nullptr) return marks;
  std::vector<DocId> documents;
  for (const RowRequest& request : requests)
    for (const DocId d : {request.a, request.b})
      if (templates->has_template(d)) documents.push_back(d);
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  std::vector<std::vector<ShingleMark>> marks_of(documents.size());
  LEITONG_TRY(templates->for_documents(documents, [&](std::size_t i, std::span<const ShingleMark> of) {
    marks_of[i].assign(of.begin(), of.end());
  }));
  for (std::size_t i = 0; i < documents.size(); ++i) marks[documents[i]] = std::move(marks_of[i]);
  return marks;
}

/// Appends a part of one text, which begins at `offset`. A shared passage is a template if half of it is,
/// since it has one number and one colour. Text that is not shared is cut where a template begins and ends.
void add_part(EvidencePart part, std::size_t offset, std::span<const TemplateRun> runs,
              std::vector<EvidencePart>& parts) {
  const std::size_t end = offset + part.text.size();
  const auto inside = [&](const TemplateRun& run) {
    return ByteRange{std::max(run.bytes.begin, offset), std::min(run.bytes.end, end)};
  };
  if (part.passage > 0) {
    std::size_t covered = 0, most = 0;
    std::uint32_t families = 0;
    for (const TemplateRun& run : runs) {
      const ByteRange bytes = inside(run);
      if (bytes.begin >= bytes.end) continue;
      covered += bytes.end - bytes.begin;
      if (bytes.end - bytes.begin <= most) continue;
      most = bytes.end - bytes.begin;
      families = run.families;
    }
    if (2 * covered >= part.text.size()) part.families = families;
    parts.push_back(std::move(part));
    return;
  }
  const auto add = [&](std::size_t from, std::size_t to, std::uint32_t families) {
    if (from < to) parts.push_back({part.text.substr(from - offset, to - from), 0, 0, families});
  };
  std::size_t at = offset;
  for (const TemplateRun& run : runs) {
    const ByteRange bytes = inside(run);
    if (bytes.end <= at || bytes.begin >= bytes.end) continue;
    add(at, std::max(at, bytes.begin), 0);
    add(std::max(at, bytes.begin), bytes.end, run.families);
    at = bytes.end;
  }
  add(at, end, 0);
}

/// The parts of a text with its templates marked. Templates are searched for in the first bytes, as passages
/// are.
std::vector<EvidencePart> with_templates(std::vector<EvidencePart> parts, std::string_view compared,
                                         DocId document, const MarksOf& marks, const Corpus& corpus) {
  const auto at = marks.find(document);
  if (at == marks.end()) return parts;
  const std::vector<TemplateRun> runs = template_runs(compared, at->second, corpus.size(), corpus.folding());
  std::vector<EvidencePart> marked;
  std::size_t offset = 0;
  for (EvidencePart& part : parts) {
    const std::size_t bytes = part.text.size() + part.skipped;
    if (part.text.empty())
      marked.push_back(std::move(part));
    else
      add_part(std::move(part), offset, runs, marked);
    offset += bytes;
  }
  return marked;
}

}  // namespace

void mark_borderline(std::span<RowRequest> requests, std::span<const double> margins) {
  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return margins[x] < margins[y]; });
  std::unordered_set<DocId> seen;
  for (const std::size_t i : order) {
    if (seen.size() == ReportLimits::pairs) break;
    if (seen.insert(requests[i].b).second) requests[i].borderline = true;
  }
}

Result<std::string> title_of(const Corpus& corpus, DocId document, const std::string& field,
                             ReadScratch& scratch) {
  if (field.empty()) return std::string();
  LEITONG_ASSIGN(std::string title, corpus.field(document, field, scratch));
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return title;
}

Result<std::vector<ReportRow>> read_rows(const Corpus& corpus, const Rule& rule, std::uint64_t whole_page,
                                         std::span<const RowRequest> requests, const DocumentSources& sources,
                                         const TemplateMarks* templates, StopToken stop,
                                         const std::string& title_field, const WriteTexts& texts) {
  std::vector<ReportRow> rows(requests.size());
  std::vector<std::string> whole(texts ? requests.size() : 0);
  LEITONG_ASSIGN(const MarksOf marks, marks_of(requests, templates));
  const std::size_t text_bytes = ReportLimits::text_of(whole_page);
  const std::size_t compared = std::clamp(kComparedOfAll / std::max<std::size_t>(2 * requests.size(), 1),
                                          kComparedLeast, kComparedMost);
  const auto make_row = [&](std::size_t i, Worker& worker) -> Result<void> {
    const RowRequest& request = requests[i];
    ReportRow& row = rows[i];
    row.outcome = request.outcome;
    row.scores = request.scores;
    row.borderline = request.borderline;
    LEITONG_TRY(read_side(corpus, request.a, sources, title_field, *worker.scratch, row.a, worker.a));
    LEITONG_TRY(read_side(corpus, request.b, sources, title_field, *worker.scratch, row.b, worker.b));
    worker.shingle(worker.a, corpus.folding(), worker.set_a);
    worker.shingle(worker.b, corpus.folding(), worker.set_b);
    const std::size_t na = worker.set_a.size(), nb = worker.set_b.size();
    if (na > 0 && nb > 0) {
      if (row.scores.score < 0) complete(row.scores, intersection_size(worker.set_a, worker.set_b), na, nb);
      row.margin = margin_of(rule, row.scores, na, nb);
      row.containment = uncounted_of(rule, row, na, nb);
    }
    const std::size_t most = row.borderline ? kComparedMost : compared;
    row.loss = request.loss;
    row.relation = request.relation;
    std::vector<LostRange> lost;
    if (row.loss) {
      const auto templates_of_a = marks.find(request.a);
      lost = worker.lost.find(
          worker.a, worker.b, *row.loss,
          templates_of_a == marks.end() ? std::span<const ShingleMark>() : std::span(templates_of_a->second),
          corpus.folding());
    }
    const auto set_parts = [&](std::size_t shown, std::size_t looked_at) {
      Evidence evidence = evidence_of(worker.a, worker.b, shown, looked_at, lost, corpus.folding());
      row.a.parts =
          with_templates(std::move(evidence.a), utf8_prefix(worker.a, looked_at), request.a, marks, corpus);
      mark_lost(lost, row.a.parts);
      row.b.parts =
          with_templates(std::move(evidence.b), utf8_prefix(worker.b, looked_at), request.b, marks, corpus);
    };
    if (texts) {
      set_parts(SIZE_MAX, kComparedMost);
      whole[i] = report_texts_json(row) + '\n';
    }
    set_parts(row.borderline ? ReportLimits::pair_bytes : text_bytes, most);
    return {};
  };
  std::size_t written = 0;
  const auto write = [&](std::size_t i) -> Result<void> {
    if (!texts) return {};
    rows[i].whole = {written, written + whole[i].size()};
    written += whole[i].size();
    const std::string line = std::exchange(whole[i], {});
    return texts(line);
  };
  LEITONG_TRY(parallel_in_order(
      stop, requests.size(), [&] { return Worker{corpus.new_scratch(), {}, {}, {}, {}, {}, {}, {}}; },
      make_row, write));
  return rows;
}

}  // namespace leitong
