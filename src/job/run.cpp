#include "job/run.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "dedup/find_options.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/method.hpp"
#include "dedup/pair_result.hpp"
#include "dedup/rule_in_force.hpp"
#include "io/artifact_folder.hpp"
#include "job/groups.hpp"
#include "job/index_builder.hpp"
#include "job/index_kept.hpp"
#include "job/keep.hpp"
#include "job/outcome.hpp"
#include "job/outputs.hpp"
#include "job/report_data.hpp"
#include "job/resume.hpp"
#include "job/run_warnings.hpp"
#include "job/sites.hpp"
#include "job/vectors.hpp"
#include "report/report.hpp"
#include "scheme/resources.hpp"
#include "similarity/loss_limits.hpp"

namespace leitong {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

DecisionRule public_rule(const Rule& rule) {
  return {.measure = rule.measure ? measure_name(*rule.measure) : "jaccard or containment",
          .threshold = rule.threshold,
          .jaccard_short = rule.jaccard_short,
          .jaccard_long = rule.jaccard_long,
          .containment = rule.containment,
          .shingle_units = rule.shingle_units,
          .passage_units = rule.passage_units};
}

TemplateCounts public_counts(const TemplateFigures& figures) {
  return {.pairs_in_question = figures.asked_pairs + figures.aside_pairs,
          .documents_counted = figures.asked_documents,
          .shingles = figures.templates,
          .pairs_refused = figures.refused,
          .pairs_won = figures.won,
          .pairs_doubtful = figures.doubtful,
          .only_base = figures.only_base};
}

double figure(const MethodFigures& figures, std::string_view name) {
  for (const auto& [key, value] : figures)
    if (key == name) return value;
  return 0;
}

Result<ArtifactFolder> open_stages(const DedupJob& job, const FindOptions& find, const RunContext& run,
                                   const Corpus& corpus) {
  const auto resources = resources_of(run.context, find.dictionaries);
  LEITONG_ASSIGN(const auto scheme, make_scheme_of(find.method, find.params, *resources, find.folding));
  LEITONG_ASSIGN(std::string about, about_run(job, scheme->id(), run.memory.limit(), corpus));
  about += fmt::format("base shingles\t{:x}\n",
                       XXH3_64bits(find.base.data(), find.base.size() * sizeof(std::uint32_t)));
  return ArtifactFolder::open(job.resume_folder, about);
}

constexpr std::string_view kUrlField = "url";

// True if the first records have a URL.
Result<bool> has_urls(const Corpus& corpus) {
  constexpr std::uint64_t kLookedAt = 16;
  const auto scratch = corpus.new_scratch();
  for (DocId d = 0; d < std::min(corpus.size(), kLookedAt); ++d) {
    LEITONG_ASSIGN(const std::string value, corpus.field(d, kUrlField, *scratch));
    if (value.find("://") != std::string::npos) return true;
  }
  return false;
}

/// Memory of the budget that indexes take is not available to others.
Result<void> make_room_for_indexes(const InputOptions& input, MemoryBudget& memory) {
  std::uint64_t taken = 0;
  for (const InputOptions::Given& given : input.given_references) taken += given.memory;
  if (memory.limit() == 0) return {};
  memory.hold(taken);
  if (!memory.exceeded()) return {};
  return fail(
      ErrorCode::limit,
      fmt::format(
          "the memory budget is too small: the indexes take {} MB of it, most of it for what was added "
          "to them last; with {}M it can work",
          taken >> 20, (MemoryBudget::least(0) + 2 * taken) >> 20),
      "memory");
}

/// For a run in which templates count: refuses what depends on them.
Result<void> check_asks_for_no_templates(const DedupJob& job) {
  const auto refused = [](std::string_view what, std::string_view advice, const char* setting) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} templates count like any other text with this method, measure or setting; {}",
                            what, advice),
                setting);
  };
  if (!job.outputs.templates.empty())
    return refused("the list of templates:", "leave the list out", "templates");
  if (!job.site_field.empty())
    return refused("the site field: sites tell what is a template, and", "leave the field out", "site_field");
  if (!job.base.empty())
    return refused("the base: what it holds is a template, and",
                   "let templates be ignored, or leave the base out", "base");
  return {};
}

Result<DedupSummary> dedup(const DedupJob& job, InputOptions input, const FindOptions& asked,
                           const Context& context) {
  const auto begin = Clock::now();
  LEITONG_ASSIGN(FindOptions find, in_force(asked));
  LEITONG_ASSIGN(const bool templates, ignores_templates(find, find.rule));
  if (!templates) LEITONG_TRY(check_asks_for_no_templates(job));
  RunContext run(context);
  if (run.memory.too_small())
    return fail(
        ErrorCode::limit,
        fmt::format("the memory budget is too small; the smallest that can work is {}M and 100 bytes a "
                    "document",
                    MemoryBudget::least(0) >> 20),
        "memory");
  LEITONG_TRY(make_room_for_indexes(input, run.memory));
  ask_for(job.settings.keep, input);
  if (!job.source_field.empty()) input.extra_fields.push_back(job.source_field);
  if (!job.title_field.empty()) input.extra_fields.push_back(job.title_field);
  if (!job.site_field.empty()) input.extra_fields.push_back(job.site_field);
  if (templates && job.site_field.empty()) input.extra_fields.emplace_back(kUrlField);
  ask_for_groups(job, input);
  ask_for_vectors(job.vectors, input);
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(std::move(input), run));
  LEITONG_ASSIGN(OutputSet outputs, OutputSet::create(job.outputs, run));
  std::optional<online::IndexBuilder> index;
  if (!job.outputs.index.empty()) {
    LEITONG_ASSIGN(online::IndexBuilder builder,
                   online::IndexBuilder::begin(context, job.outputs.index, {.folding = find.folding}));
    index.emplace(std::move(builder));
  }

  KeepRanks ranks;
  auto precedence = [&](const DocumentTable& table, const std::vector<bool>& paired) -> Result<Precedence> {
    LEITONG_ASSIGN(ranks, keep_ranks(job.settings.keep, *corpus, table.units, paired));
    return Precedence{std::move(ranks.rank), corpus->reference_count()};
  };
  std::optional<ArtifactFolder> stages;
  if (!job.resume_folder.empty()) {
    LEITONG_ASSIGN(stages, open_stages(job, find, run, *corpus));
  }
  find.all_losses = !job.outputs.pairs.empty() && asks_for_losses(find.remove);
  find.stages = stages ? &*stages : nullptr;
  find.scanned = [&] { return outputs.check(*corpus); };
  std::uint64_t without_site = 0;
  if (!job.site_field.empty())
    find.sites = [&]() -> Result<Sites> {
      LEITONG_ASSIGN(ReadSites read, read_sites(*corpus, job.site_field, run));
      without_site = read.without;
      return std::move(read.sites);
    };
  std::uint64_t without_group = 0;
  set_groups(job, *corpus, run, without_group, find);
  if (!job.vectors.empty()) find.vectors = [&] { return read_vectors(job.vectors, *corpus, run); };
  LEITONG_ASSIGN(PairResult found, find_pairs(*corpus, find, precedence, run));
  LEITONG_ASSIGN(const Corpus::RepeatedIds repeated, corpus->repeated_ids());
  LEITONG_ASSIGN(Outcome outcome, conclude(std::move(found), corpus->reference_count()));

  // If a measure and its value do not say why a pair was decided as it was, a reason is written.
  const bool says_why = templates || find.rule.passage_units > 0;
  const auto lap = Clock::now();
  LEITONG_ASSIGN(const std::uint64_t kept_bytes, outputs.write(*corpus, outcome, find.method, says_why));
  outcome.found.stage_seconds.emplace_back("write", seconds_since(lap));

  IndexedDocuments indexed;
  if (index) {
    LEITONG_ASSIGN(indexed, index_kept(*corpus, outcome, index->index(), run));
    LEITONG_TRY(index->finish());
  }

  DedupSummary summary;
  summary.indexed = indexed.added;
  summary.not_indexed = indexed.refused;
  summary.rule = public_rule(find.rule);
  summary.records = corpus->records();
  summary.documents = outcome.documents();
  summary.reference = corpus->reference_count();
  summary.removed = outcome.removed;
  summary.kept = summary.documents - summary.reference - summary.removed;
  summary.quarantined = corpus->quarantined();
  summary.first_quarantined = corpus->first_quarantined();
  summary.other_records = corpus->other_records();
  summary.truncated_inputs = corpus->truncated_inputs();
  summary.names_with_line_feeds = outputs.names_with_line_feeds();
  summary.clusters = outcome.clusters;
  summary.largest_cluster = outcome.largest_cluster;
  summary.components = outcome.components;
  summary.largest_component = outcome.largest_component;
  summary.chained_components = outcome.chained_components;
  summary.relatives = outcome.relatives;
  summary.removed_units = outcome.removed_units;
  summary.lost_units = outcome.lost_units;
  summary.copies = outcome.found.copies.size();
  summary.removed_copies = outcome.removed_copies;
  summary.candidates = outcome.found.candidates;
  summary.pairs = outcome.found.pairs->size();
  summary.hot_unmatched = static_cast<std::uint64_t>(figure(outcome.found.figures, "hot_unmatched"));
  summary.hot_limited = static_cast<std::uint64_t>(figure(outcome.found.figures, "hot_limited"));
  summary.without_signature = outcome.found.without_signature;
  summary.with_page_artifacts = outcome.found.artifacts.documents;
  summary.page_artifacts = outcome.found.artifacts.places;
  summary.keep_asked = ranks.asked;
  summary.without_keep_value = ranks.without_value;
  summary.without_site = without_site;
  summary.without_group = without_group;
  summary.resampled = outputs.resampled();
  summary.kept_for_value = outcome.found.kept_for_value.size();
  summary.hash_collisions = outcome.found.hash_collisions;
  summary.repeated_ids = repeated.count;
  summary.repeated_examples = repeated.examples;
  summary.bytes = corpus->bytes_read();
  summary.text_bytes = outcome.found.text_bytes;
  summary.kept_bytes = kept_bytes;
  summary.one_document_a_file = corpus->one_document_a_file();
  summary.recall = recall_of(outcome.found.audit);
  summary.method_figures = outcome.found.figures;
  summary.templates = public_counts(outcome.found.templates);
  if (templates && job.site_field.empty() && summary.templates.pairs_doubtful > 0) {
    LEITONG_ASSIGN(summary.templates.url_would_help, has_urls(*corpus));
  }
  summary.vectors = outcome.found.vectors;
  if (summary.vectors.unusable > 0)
    summary.first_unusable_vector =
        fmt::format("{}: {}", corpus->place_name(summary.vectors.first_unusable), summary.vectors.why);
  summary.stage_seconds = outcome.found.stage_seconds;
  summary.seconds = seconds_since(begin);
  summary.peak_memory = peak_memory();
  summary.threads = context.settings().threads;
  summary.memory = context.settings().memory;
  summary.warnings = run_warnings(summary, outcome.found.audit, job);

  if (OutputFile* file = outputs.report()) {
    WriteTexts texts;
    if (OutputFile* whole = outputs.report_texts(); whole != nullptr)
      texts = [whole](std::string_view part) { return whole->write(part); };
    LEITONG_ASSIGN(const ReportData data, report_data(job, find, summary, *corpus, outcome, texts));
    LEITONG_TRY(write_report(data, [&](std::string_view part) { return file->write(part); }));
  }
  LEITONG_TRY(outputs.commit());
  if (index) LEITONG_TRY(index->put_in_place());
  if (stages) LEITONG_TRY(stages->clear());
  return summary;
}

}  // namespace

Result<DedupSummary> run_dedup(const DedupJob& job, InputOptions input, const FindOptions& find,
                               const Context& context) {
  return on_threads(context, [&] { return dedup(job, std::move(input), find, context); });
}

}  // namespace leitong
