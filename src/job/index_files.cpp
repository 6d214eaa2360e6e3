// Documents of files and pipes, on their way through an online index.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "corpus/live_corpus.hpp"
#include "io/run_context.hpp"
#include "job/index_maker.hpp"
#include "leitong/online.hpp"

namespace leitong::online {
namespace {

/// A document as it was read, and what is wrong with it, if anything is.
struct ReadDocument {
  std::string id, text, source, problem;
  std::optional<Seconds> time, expires;
};

/// Reads what is asked for of a document beside its text.
class Details {
 public:
  explicit Details(const FileDetails& wanted)
      : wanted_(wanted),
        now_(std::chrono::duration_cast<std::chrono::seconds>(
                 std::chrono::system_clock::now().time_since_epoch())
                 .count()) {
    for (const std::string& field : {wanted.source_field, wanted.time_field, wanted.expires_field})
      if (!field.empty() && std::ranges::find(fields_, field) == fields_.end()) fields_.push_back(field);
  }
  [[nodiscard]] const std::vector<std::string>& fields() const noexcept { return fields_; }

  Result<void> read(const Corpus& corpus, DocId number, ReadScratch& scratch, ReadDocument& document) const {
    document.source = wanted_.source;
    if (!wanted_.source_field.empty()) {
      LEITONG_ASSIGN(std::string source, corpus.field(number, wanted_.source_field, scratch));
      if (!source.empty()) document.source = std::move(source);
    }
    LEITONG_TRY(read_time(corpus, number, wanted_.time_field, scratch, document.time, document.problem));
    LEITONG_TRY(
        read_time(corpus, number, wanted_.expires_field, scratch, document.expires, document.problem));
    if (!document.expires && wanted_.keep_seconds)
      document.expires = document.time.value_or(now_) + *wanted_.keep_seconds;
    return {};
  }

 private:
  static Result<void> read_time(const Corpus& corpus, DocId number, const std::string& field,
                                ReadScratch& scratch, std::optional<Seconds>& time, std::string& problem) {
    if (field.empty()) return {};
    LEITONG_ASSIGN(const std::string value, corpus.field(number, field, scratch));
    if (value.empty()) return {};
    time = parse_time(value);
    if (!time)
      problem =
          fmt::format("the field \"{}\" holds no time: {}; write 2026-11-22T08:30:00Z, or seconds since 1970",
                      field, value.substr(0, 60));
    return {};
  }

  const FileDetails& wanted_;
  Seconds now_;
  std::vector<std::string> fields_;
};

Result<std::vector<Answer>> answers_for(std::span<const ReadDocument> documents, FileTask task, Index& index,
                                        const Wanted& wanted) {
  if (task == FileTask::check) {
    std::vector<std::string_view> views;
    for (const ReadDocument& document : documents) views.push_back(document.text);
    return index.check(views, wanted);
  }
  std::vector<Text> texts;
  for (const ReadDocument& d : documents)
    if (d.problem.empty()) texts.push_back({d.id, d.text, d.source, d.time, d.expires});
  LEITONG_ASSIGN(std::vector<Answer> added, index.check_and_add(texts, wanted));
  std::vector<Answer> answers;
  auto next = added.begin();
  for (const ReadDocument& d : documents)
    answers.push_back(d.problem.empty() ? std::move(*next++)
                                        : Answer{.verdict = Verdict::refused, .reason = d.problem});
  return answers;
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

void take_figures(const Corpus& corpus, FileSummary& summary) {
  summary.quarantined = corpus.quarantined();
  summary.truncated_inputs = corpus.truncated_inputs();
  summary.first_quarantined = corpus.first_quarantined();
}

/// Documents that are read and parsed together, in their order.
struct PartOfInput {
  std::unique_ptr<RecordBatch> batch;
  std::unique_ptr<ReadScratch> scratch;
  DocId first = 0;
  std::vector<ReadDocument> documents;
};

// Each is some 256 KB, or a larger record. They are parsed together, and checked one after another: of texts
// that are checked at once many would be checked again, since others of them came under their keys.
constexpr std::size_t kPartsAtOnce = 4;

/// The next parts; none at the end.
Result<void> read_parts(Corpus& corpus, const RunContext& run, std::vector<PartOfInput>& parts) {
  parts.resize(kPartsAtOnce);
  for (std::size_t i = 0; i < kPartsAtOnce; ++i) {
    LEITONG_TRY(run.stop.check());
    LEITONG_ASSIGN(parts[i].batch, corpus.next_batch());
    if (parts[i].batch != nullptr) continue;
    parts.resize(i);
    break;
  }
  return {};
}

Result<void> parse_parts(Corpus& corpus, const Details& details, const RunContext& run,
                         std::vector<PartOfInput>& parts) {
  const auto nothing = [] { return 0; };
  LEITONG_TRY(parallel_for_each(run.stop, parts.size(), nothing, [&](std::size_t i, int) -> Result<void> {
    PartOfInput& part = parts[i];
    if (part.scratch == nullptr) part.scratch = corpus.new_scratch();
    part.documents.clear();
    corpus.parse(*part.batch, *part.scratch, [&](const DocumentText& document) {
      ReadDocument& read = part.documents.emplace_back();
      read.id = document.id;
      read.text = document.text;
    });
    return {};
  }));
  for (PartOfInput& part : parts) {
    part.first = static_cast<DocId>(corpus.size());
    LEITONG_TRY(corpus.commit(*part.batch));
  }
  return parallel_for_each(run.stop, parts.size(), nothing, [&](std::size_t i, int) -> Result<void> {
    PartOfInput& part = parts[i];
    for (std::size_t d = 0; d < part.documents.size(); ++d) {
      const auto number = static_cast<DocId>(part.first + d);
      if (part.documents[d].id.empty()) part.documents[d].id = corpus.place_name(number);
      LEITONG_TRY(details.read(corpus, number, *part.scratch, part.documents[d]));
    }
    return {};
  });
}

}  // namespace

Result<FileSummary> index_files(const Context& context, Index& index, const InputFiles& input, FileTask task,
                                const AnswersFn& each, const FileDetails& file_details,
                                const Wanted& wanted) {
  const RunContext run(context);
  const Details details(file_details);
  InputOptions options(input);
  options.extra_fields = details.fields();
  LEITONG_ASSIGN(const auto corpus, open_live_corpus(std::move(options), run));
  const auto scratch = corpus->new_scratch();
  FileSummary summary;
  std::vector<ReadDocument> documents;
  std::vector<std::string> ids;
  for (;;) {
    LEITONG_TRY(run.stop.check());
    LEITONG_ASSIGN(const auto batch, corpus->next_batch());
    if (batch == nullptr) break;
    documents.clear();
    corpus->parse(*batch, *scratch, [&](const DocumentText& document) {
      ReadDocument& read = documents.emplace_back();
      read.id = document.id;
      read.text = document.text;
    });
    const auto first = static_cast<DocId>(corpus->size());
    LEITONG_TRY(corpus->commit(*batch));
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto number = static_cast<DocId>(first + i);
      if (documents[i].id.empty()) documents[i].id = corpus->place_name(number);
      if (task != FileTask::check) LEITONG_TRY(details.read(*corpus, number, *scratch, documents[i]));
    }
    LEITONG_ASSIGN(const std::vector<Answer> answers, answers_for(documents, task, index, wanted));
    for (const Answer& answer : answers) count(answer, summary);
    ids.clear();
    for (ReadDocument& document : documents) ids.push_back(std::move(document.id));
    LEITONG_TRY(each(ids, answers));
    run.report("indexing", corpus->bytes_read(), corpus->total_bytes(), "bytes");
  }
  take_figures(*corpus, summary);
  return summary;
}

Result<FileSummary> build(const Context& context, const std::filesystem::path& place, const InputFiles& input,
                          const FileDetails& file_details, const Settings& settings) {
  LEITONG_ASSIGN(IndexMaker maker, IndexMaker::begin(context, place, settings));
  const RunContext run(context);
  const Details details(file_details);
  InputOptions options(input);
  options.extra_fields = details.fields();
  LEITONG_ASSIGN(const auto corpus, Corpus::open(std::move(options), run));
  FileSummary summary;
  for (std::vector<PartOfInput> parts;;) {
    LEITONG_TRY(read_parts(*corpus, run, parts));
    if (parts.empty()) break;
    LEITONG_TRY(on_threads(context, [&] { return parse_parts(*corpus, details, run, parts); }));
    for (const PartOfInput& part : parts) {
      std::vector<Text> texts;
      for (const ReadDocument& d : part.documents)
        if (d.problem.empty())
          texts.push_back({d.id, d.text, d.source, d.time, d.expires});
        else
          count(Answer{.verdict = Verdict::refused}, summary);
      LEITONG_ASSIGN(const std::vector<Answer> answers, maker.index().add(texts, Look::near, {}, {}));
      for (const Answer& answer : answers) count(answer, summary);
    }
    run.report("indexing", corpus->bytes_read(), corpus->total_bytes(), "bytes");
  }
  take_figures(*corpus, summary);
  LEITONG_TRY(maker.finish());
  LEITONG_TRY(maker.put_in_place());
  return summary;
}

}  // namespace leitong::online
