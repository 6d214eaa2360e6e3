// Documents of files and pipes, on their way through an online index.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "corpus/live_corpus.hpp"
#include "io/run_context.hpp"
#include "leitong/online.hpp"

namespace leitong::online {
namespace {

Result<std::vector<Answer>> answers_for(std::span<const std::string> ids, std::span<const std::string> texts,
                                        FileTask task, Index& index) {
  if (texts.empty()) return std::vector<Answer>{};
  if (task == FileTask::check) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    return index.check(views);
  }
  std::vector<Text> named;
  for (std::size_t i = 0; i < texts.size(); ++i) named.push_back({ids[i], texts[i]});
  return index.check_and_add(named);
}

void count(const Answer& answer, FileSummary& summary) {
  ++summary.documents;
  summary.bounded += answer.bounds.any() ? 1 : 0;
  summary.known += answer.known ? 1 : 0;
  switch (answer.verdict) {
    case Verdict::fresh:
      ++summary.fresh;
      break;
    case Verdict::exact:
      ++summary.exact;
      break;
    case Verdict::near:
      ++summary.near;
      break;
    case Verdict::refused:
      ++summary.refused;
      break;
  }
}

}  // namespace

Result<FileSummary> index_files(const Context& context, Index& index, const InputFiles& input, FileTask task,
                                const AnswersFn& each) {
  const RunContext run(context);
  LEITONG_ASSIGN(const auto corpus, open_live_corpus(input, run));
  const auto scratch = corpus->new_scratch();
  FileSummary summary;
  std::vector<std::string> ids, texts;
  for (;;) {
    LEITONG_TRY(run.stop.check());
    LEITONG_ASSIGN(const auto batch, corpus->next_batch());
    if (batch == nullptr) break;
    ids.clear();
    texts.clear();
    corpus->parse(*batch, *scratch, [&](const DocumentText& document) {
      ids.emplace_back(document.id);
      texts.emplace_back(document.text);
    });
    const auto first = static_cast<DocId>(corpus->size());
    LEITONG_TRY(corpus->commit(*batch));
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (ids[i].empty()) ids[i] = corpus->place_name(static_cast<DocId>(first + i));
    LEITONG_ASSIGN(const std::vector<Answer> answers, answers_for(ids, texts, task, index));
    for (const Answer& answer : answers) count(answer, summary);
    LEITONG_TRY(each(ids, answers));
    run.report("indexing", corpus->bytes_read(), corpus->total_bytes(), "bytes");
  }
  summary.quarantined = corpus->quarantined();
  summary.truncated_inputs = corpus->truncated_inputs();
  summary.first_quarantined = corpus->first_quarantined();
  return summary;
}

}  // namespace leitong::online
