#include "job/template_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "feature/shingles.hpp"
#include "io/tsv.hpp"
#include "similarity/template_rule.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

constexpr std::size_t kAtOnce = 256;  // documents

struct TemplateRun {
  std::string passage;
  std::uint32_t families = 0, sites = 0;
  std::vector<std::uint32_t> shingles;
};

const ShingleMark* find(std::span<const ShingleMark> marks, std::uint32_t shingle) {
  const auto at = std::ranges::lower_bound(marks, shingle, {}, &ShingleMark::shingle);
  return at != marks.end() && at->shingle == shingle && at->is_template ? &*at : nullptr;
}

// The runs of template shingles of one text, in its order.
std::vector<TemplateRun> runs_of(std::string_view text, std::span<const ShingleMark> marks) {
  PodVector<Unit> units;
  std::vector<ByteRange> places;
  PodVector<std::uint32_t> shingles;
  to_units_with_places(text, units, places);
  shingle_hashes(units, shingles);
  std::vector<TemplateRun> runs;
  std::size_t begin = 0;
  TemplateRun run;
  const auto end_run = [&](std::size_t end) {
    if (end - begin >= TemplateRule::kTextRun) {
      const std::size_t last = std::min(end + kShingleUnits - 1, places.size()) - 1;
      run.passage = text.substr(places[begin].begin, places[last].end - places[begin].begin);
      runs.push_back(std::move(run));
    }
    run = {};
  };
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    const ShingleMark* const mark = find(marks, shingles[i]);
    const bool goes_on = mark != nullptr && !run.shingles.empty() && 2 * mark->families > run.families &&
                         mark->families < 2 * run.families;
    if (!goes_on) {
      end_run(i);
      begin = i;
    }
    if (mark == nullptr) {
      begin = i + 1;
      continue;
    }
    if (run.shingles.empty()) run.families = mark->families, run.sites = mark->sites;
    run.shingles.push_back(shingles[i]);
  }
  end_run(shingles.size());
  return runs;
}

struct Row {
  std::uint32_t families, sites;
  std::string example, passage;
};

std::string written(std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& x, const Row& y) {
    return x.families != y.families ? x.families > y.families : x.passage < y.passage;
  });
  std::string text = "families\tsites\texample\tpassage\n";
  for (const Row& row : rows) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t", row.families,
                   row.sites > 0 ? fmt::format("{}", row.sites) : "");
    append_tsv_field(row.example, text);
    text += '\t';
    append_tsv_field(row.passage, text);
    text += '\n';
  }
  return text;
}

}  // namespace

Result<std::string> list_templates(const Corpus& corpus, const Found& found) {
  const TemplateMarks& marks = *found.marks;
  const StopToken stop = found.pairs->run().stop;
  std::vector<Row> rows;
  std::unordered_set<std::uint32_t> listed;
  std::vector<DocId> documents;
  const auto list = [&]() -> Result<void> {
    std::vector<std::vector<ShingleMark>> marks_of(documents.size());
    LEITONG_TRY(marks.for_documents(documents, [&](std::size_t i, std::span<const ShingleMark> of) {
      marks_of[i].assign(of.begin(), of.end());
    }));
    std::vector<std::vector<TemplateRun>> runs(documents.size());
    const auto find_runs = [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
      LEITONG_ASSIGN(const DocumentText text, corpus.read(documents[i], *scratch));
      runs[i] = runs_of(text.text, marks_of[i]);
      return {};
    };
    LEITONG_TRY(parallel_for_each(
        stop, documents.size(), [&] { return corpus.new_scratch(); }, find_runs));
    const auto scratch = corpus.new_scratch();
    for (std::size_t i = 0; i < documents.size(); ++i)
      for (TemplateRun& run : runs[i]) {
        std::size_t is_new = 0;
        for (const std::uint32_t shingle : run.shingles) is_new += listed.insert(shingle).second;
        if (2 * is_new <= run.shingles.size()) continue;
        LEITONG_ASSIGN(std::string id, corpus.id(documents[i], *scratch));
        rows.push_back({run.families, run.sites, std::move(id), std::move(run.passage)});
      }
    documents.clear();
    return {};
  };
  for (DocId d = 0; d < marks.documents(); ++d) {
    if (!marks.has_template(d)) continue;
    documents.push_back(d);
    if (documents.size() == kAtOnce) LEITONG_TRY(list());
  }
  LEITONG_TRY(list());
  return written(std::move(rows));
}

}  // namespace leitong
