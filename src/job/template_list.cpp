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
#include "base/try.hpp"
#include "io/tsv.hpp"
#include "job/template_runs.hpp"

namespace leitong {
namespace {

constexpr std::size_t kTemplatesAtOnce = 256;  // documents

struct TemplatePassage {
  TemplateRun run;
  std::string text;
};

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

Result<std::string> list_templates(const Corpus& corpus, const PairResult& found) {
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
    std::vector<std::vector<TemplatePassage>> passages(documents.size());
    const auto find_runs = [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
      LEITONG_ASSIGN(const DocumentText text, corpus.read(documents[i], *scratch));
      for (TemplateRun& run : template_runs(text.text, marks_of[i], marks.documents(), corpus.folding())) {
        const auto bytes = text.text.substr(run.bytes.begin, run.bytes.end - run.bytes.begin);
        passages[i].push_back({std::move(run), std::string(bytes)});
      }
      return {};
    };
    LEITONG_TRY(parallel_for_each(
        stop, documents.size(), [&] { return corpus.new_scratch(); }, find_runs));
    const auto scratch = corpus.new_scratch();
    for (std::size_t i = 0; i < documents.size(); ++i)
      for (TemplatePassage& passage : passages[i]) {
        const TemplateRun& run = passage.run;
        std::size_t is_new = 0;
        for (const std::uint32_t shingle : run.shingles) is_new += listed.insert(shingle).second;
        if (2 * is_new <= run.shingles.size()) continue;
        LEITONG_ASSIGN(std::string id, corpus.id(documents[i], *scratch));
        rows.push_back({run.families, run.sites, std::move(id), std::move(passage.text)});
      }
    documents.clear();
    return {};
  };
  for (DocId d = 0; d < marks.documents(); ++d) {
    if (!marks.has_template(d)) continue;
    documents.push_back(d);
    if (documents.size() == kTemplatesAtOnce) LEITONG_TRY(list());
  }
  LEITONG_TRY(list());
  return written(std::move(rows));
}

}  // namespace leitong
