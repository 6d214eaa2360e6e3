#include "summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "human.hpp"
#include "method_params.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

void row(std::string& out, std::string_view label, std::string_view value, std::string_view remark = {}) {
  out += fmt::format("{:<12} {:>13}", label, value);
  if (!remark.empty()) out += fmt::format("   {}", remark);
  out += '\n';
}

/// The sample measures the rule on texts; `has_vectors` notes that it does not include all similar pairs.
void recall_rows(std::string& out, const RecallEstimate& recall, bool decided, bool has_vectors) {
  if (recall.sampled == 0) return;
  if (recall.pairs == 0) {
    row(out, "recall", "-",
        fmt::format("measured: no {} among {} sampled",
                    has_vectors ? "pair that is similar by its texts" : "similar pair",
                    human_counted(recall.sampled, "document")));
    return;
  }
  row(out, "recall", fmt::format("{:.4f}", recall.direct()),
      fmt::format("measured: {} of {} of {} sampled documents ({:.4f} directly or by a chain)",
                  human_count(recall.found), human_counted(recall.pairs, "pair"), human_count(recall.sampled),
                  recall.by_chains()));
  row(out, "", "",
      recall.all_sampled
          ? "all documents were sampled"
          : fmt::format("between {:.4f} and {:.4f} with {:.0f} % confidence (Wilson's interval)", recall.low,
                        recall.high, 100 * RecallEstimate::kConfidence));
  if (has_vectors) row(out, "", "", "pairs by the cosine of the vectors are not in it");
  if (decided && recall.found < recall.pairs)
    row(out, "", "",
        fmt::format("of the {} that were missed both texts stay in {}",
                    human_count(recall.pairs - recall.found), human_count(recall.both_stay)));
}

/// What left, which documents stayed because of it, and what is lost.
void loss_rows(std::string& out, const DedupSummary& s, const DedupJob& job) {
  if (s.removed_units > 0)
    row(out, "lost",
        fmt::format("{:.2f} %",
                    100 * static_cast<double>(s.lost_units) / static_cast<double>(s.removed_units)),
        "of the removed text stands nowhere in the kept text");
  if (s.relatives > 0)
    row(out, "relatives", human_count(s.relatives),
        fmt::format("similar to kept ones and kept for what would be lost{}",
                    job.outputs.kept_similar.empty() ? " (--kept-similar FILE lists them)" : ""));
}

void vector_rows(std::string& out, const DedupSummary& s, const DedupJob& job) {
  if (job.settings.cosine == 0) return;
  const VectorCounts& vectors = s.vectors;
  row(out, "cosine", human_count(vectors.pairs),
      fmt::format("{} by the vectors alone, of {}", vectors.pairs == 1 ? "pair" : "pairs",
                  human_counted(vectors.compared, "document")));
  if (const VectorRecall& recall = vectors.recall; recall.sampled > 0)
    row(out, "", "",
        recall.pairs == 0
            ? fmt::format("approximate search: no pair among {} sampled",
                          human_counted(recall.sampled, "vector"))
            : fmt::format("approximate search: found {} of {} of {} sampled vectors, {:.4f} (between {:.4f} "
                          "and {:.4f} with {:.0f} % confidence)",
                          human_count(recall.found), human_counted(recall.pairs, "pair"),
                          human_count(recall.sampled), recall.direct(), recall.low, recall.high,
                          100 * RecallEstimate::kConfidence));
  if (vectors.limited > 0)
    row(out, "", "",
        fmt::format("{} so many vectors like their own that they were compared with a part of them",
                    human_counted(vectors.limited, "document has", "documents have")));
}

/// The size of the kept documents' file or folder. A list of paths is not as large as the texts.
std::string size_of_kept(const DedupSummary& summary, std::string_view name) {
  const std::string bytes = human_bytes(static_cast<double>(summary.kept_bytes));
  if (!summary.one_document_a_file) return fmt::format(", {} of records", bytes);
  const std::uint64_t files = summary.kept;
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored))
    return fmt::format(", {} of {}", human_counted(files, "file"), bytes);
  return fmt::format(", the {} of {} of {}", files == 1 ? "path" : "paths", human_counted(files, "file"),
                     bytes);
}

void quarantined_row(std::string& out, const DedupSummary& s, const DedupJob& job) {
  row(out, "quarantined", human_count(s.quarantined),
      s.quarantined > 0 ? fmt::format("the first: {}{}", s.first_quarantined,
                                      job.decides && s.quarantined > 1 && job.outputs.quarantine.empty()
                                          ? " (--quarantine FILE for all)"
                                          : "")
                        : "");
}

void site_field_row(std::string& out, const DedupSummary& s) {
  if (s.templates.url_would_help)
    row(out, "", "",
        fmt::format("{} may share a template of fewer than 8 families of texts; --site-field url finds it",
                    human_counted(s.templates.pairs_doubtful, "pair")));
}

/// The documents that the list of templates covers, if not all.
void template_row(std::string& out, const DedupSummary& s, const DedupJob& job) {
  const std::uint64_t different = s.documents - s.copies;
  if (job.outputs.templates.empty() || s.templates.documents_counted >= different) return;
  const bool has_most = job.settings.preset == Preset::reuse && job.settings.method == "all-pairs";
  out +=
      fmt::format("templates were looked for in {} of {}, those of pairs that a template may decide{}\n",
                  human_count(s.templates.documents_counted), human_counted(different, "different document"),
                  has_most ? "" : "; leitong pairs --preset reuse --all-pairs looks in more, slowly");
}

void written_rows(std::string& out, const DedupSummary& summary, const DedupOutputs& outputs) {
  for (const auto& [flag, name] : named_outputs(outputs)) {
    std::error_code ignored;
    // If no table could be read, there is none of kept rows.
    if (name == "-" || !std::filesystem::exists(name, ignored)) continue;
    out +=
        fmt::format("wrote {} ({}{})\n", name, flag, flag == "--output" ? size_of_kept(summary, name) : "");
  }
}

}  // namespace

std::string summary_text(const DedupSummary& s, const DedupJob& job) {
  std::string out;
  const auto records = static_cast<double>(s.records);
  std::string read = human_bytes(static_cast<double>(s.bytes));
  if (s.reference > 0) read += fmt::format(", and {}, which stay", human_counted(s.reference, "reference"));
  if (s.other_records > 0) read += fmt::format("; {} more hold no document", human_count(s.other_records));
  row(out, "records", human_count(s.records), read);
  if (job.decides) {
    row(out, "kept", human_count(s.kept),
        human_share(static_cast<double>(s.kept), records) +
            (s.relatives > 0 ? fmt::format(", {} of them beside similar ones, for text of their own",
                                           human_count(s.relatives))
                             : ""));
    row(out, "removed", human_count(s.removed),
        human_share(static_cast<double>(s.removed), records) +
            (s.removed_copies > 0
                 ? fmt::format(", of which {}", human_counted(s.removed_copies, "copy", "copies"))
                 : "") +
            (s.removed_units > 0 && s.lost_units > 0
                 ? fmt::format("; {:.2f} % of the removed text stands nowhere in the kept text",
                               100 * static_cast<double>(s.lost_units) / static_cast<double>(s.removed_units))
                 : ""));
  }
  if (s.quarantined > 0) quarantined_row(out, s, job);
  row(out, "pairs", human_count(s.pairs),
      job.decides && s.clusters > 0
          ? fmt::format("similar, in {}, the largest of {}", human_counted(s.clusters, "cluster"),
                        human_counted(s.largest_cluster, "document"))
          : "similar");
  site_field_row(out, s);
  const RecallEstimate& recall = s.recall;
  if (recall.sampled > 0 && recall.pairs > 0)
    row(out, "recall", fmt::format("{:.3f}", recall.direct()),
        recall.all_sampled ? "of all similar pairs were found"
                           : fmt::format("between {:.3f} and {:.3f}", recall.low, recall.high));
  if (job.settings.vector_search == VectorSearch::approximate) vector_rows(out, s, job);
  template_row(out, s, job);
  return out;
}

std::string full_summary_text(const DedupSummary& s, const DedupJob& job) {
  const bool decided = job.decides;
  std::string out;
  const auto records = static_cast<double>(s.records);
  row(out, "records", human_count(s.records), human_bytes(static_cast<double>(s.bytes)));
  if (s.reference > 0) row(out, "reference", human_count(s.reference), "never removed, never written");
  if (decided) {
    row(out, "kept", human_count(s.kept),
        human_share(static_cast<double>(s.kept), records) + (s.reference > 0 ? ", references apart" : ""));
    row(out, "removed", human_count(s.removed),
        human_share(static_cast<double>(s.removed), records) +
            (s.removed_copies > 0
                 ? fmt::format(", of which {}", human_counted(s.removed_copies, "copy", "copies"))
                 : ""));
    if (s.resampled > 0)
      row(out, "resampled", human_count(s.resampled), "records written, by the sizes of their clusters");
    loss_rows(out, s, job);
  }
  quarantined_row(out, s, job);
  if (s.other_records > 0)
    row(out, "other", human_count(s.other_records), "records that hold no document: requests, pictures, ..");
  if (s.page_artifacts > 0)
    row(out, "layout", human_count(s.page_artifacts),
        fmt::format("line and page numbers, running heads and hyphens at line ends of {} do not count",
                    human_counted(s.with_page_artifacts, "document")));
  row(out, "pairs", human_count(s.pairs),
      fmt::format("similar, of {} compared", human_counted(s.candidates, "candidate")));
  vector_rows(out, s, job);
  if (s.templates.pairs_refused + s.templates.pairs_won > 0)
    row(out, "templates", human_count(s.templates.pairs_refused),
        fmt::format("{} refused for text that many others hold; {} accepted without it or for rare text",
                    s.templates.pairs_refused == 1 ? "pair" : "pairs", human_count(s.templates.pairs_won)));
  site_field_row(out, s);
  if (decided)
    row(out, "clusters", human_count(s.clusters),
        s.clusters > 0 ? fmt::format("the largest of {}", human_counted(s.largest_cluster, "document")) : "");
  recall_rows(out, s.recall, decided, job.settings.cosine > 0);
  if (s.hot_unmatched > 0)
    row(out, "hot", human_count(s.hot_unmatched),
        "documents made of common phrases that matched nobody (not searched in full)");
  if (s.hot_limited > 0)
    row(out, s.hot_unmatched > 0 ? "" : "hot", human_count(s.hot_limited),
        "documents of passages so common that not all of them were looked at (--all-pairs does)");
  if (!job.outputs.index.empty())
    row(out, "index", human_count(s.indexed),
        s.not_indexed > 0 ? fmt::format("kept documents; {} not in it: an earlier one has the id, or the id "
                                        "is longer than 1,024 bytes",
                                        human_counted(s.not_indexed, "more is", "more are"))
                          : "kept documents");
  row(out, "speed", human_bytes(s.seconds > 0 ? static_cast<double>(s.bytes) / s.seconds : 0) + "/s",
      fmt::format("{}, peak memory {}", human_seconds(s.seconds),
                  human_bytes(static_cast<double>(s.peak_memory))));
  written_rows(out, s, job.outputs);
  template_row(out, s, job);
  return out;
}

namespace {

std::string_view lacking_for(const KeepPolicy& keep) {
  if (keep.by == Keep::source)
    return keep.field.empty() ? "are in none of the sources" : "have none of these values there";
  if (keep.by == Keep::newest || keep.by == Keep::oldest) return "have no ISO 8601 date or number there";
  return "have no number there";
}

std::string warning_text(RunWarning warning, const DedupSummary& s, const DedupJob& job) {
  switch (warning) {
    case RunWarning::no_records:
      return "no records were found in the input";
    case RunWarning::all_quarantined:
      return "";  // check_read() reports it as an error
    case RunWarning::without_signature:
      return fmt::format("{}; only copies of what the method can't compare were looked for",
                         lacking(job.settings.method, s.without_signature));
    case RunWarning::without_keep_value:
      return fmt::format("--keep {}: {} of {} similar documents {}; they rank last",
                         to_string(job.settings.keep), human_count(s.without_keep_value),
                         human_count(s.keep_asked), lacking_for(job.settings.keep));
    case RunWarning::without_site:
      return fmt::format("--site-field {}: {} of {} nothing there; each counts as a site of its own",
                         job.site_field, human_count(s.without_site),
                         human_counted(s.documents, "document has", "documents have"));
    case RunWarning::without_group:
      return fmt::format(
          "--within, --across, --keep-each: {} no value there; within and keep-each take no "
          "value as one, and across compares these documents with all",
          human_counted(s.without_group, "document has", "documents have"));
    case RunWarning::unusable_vectors:
      return fmt::format("{} no vector with a direction, and {} compared by text alone; the first: {}",
                         human_counted(s.vectors.unusable, "document has", "documents have"),
                         s.vectors.unusable == 1 ? "was" : "were", s.first_unusable_vector);
    case RunWarning::repeated_ids: {
      std::string text =
          fmt::format("{} an id that an earlier one has; --removed and --clusters can't tell them apart",
                      human_counted(s.repeated_ids, "record has", "records have"));
      for (const RepeatedId& repeated : s.repeated_examples)
        text +=
            fmt::format("\n  \"{}\": {} and {}", repeated.id, repeated.first_place, repeated.second_place);
      if (s.repeated_ids > s.repeated_examples.size()) text += "\n  ..";
      return text;
    }
    case RunWarning::chained:
      return fmt::format(
          "{} similar documents in chains and kept more than one of each, since nothing is removed that "
          "isn't directly similar to what stays (the largest has {}; --components FILE lists them)",
          human_counted(s.chained_components, "component joins", "components join"),
          human_counted(s.largest_component, "document"));
    case RunWarning::missed_pairs:
      return fmt::format(
          "more than one similar pair in a hundred was missed{}; --all-pairs finds all, slowly",
          job.decides ? " and stays" : "");
    case RunWarning::hash_collisions:
      return fmt::format("{} had the hash of a different text and were compared in full",
                         human_counted(s.hash_collisions, "document"));
    case RunWarning::hot_unmatched:
    case RunWarning::hot_limited:
      return "";  // a row of the summary says it
    case RunWarning::unverified:
      return "--no-verify: the scores are estimates, no pair was verified";
  }
  return "";
}

}  // namespace

std::vector<std::string> summary_warnings(const DedupSummary& summary, const DedupJob& job) {
  std::vector<std::string> warnings;
  if (const std::uint64_t paths = summary.names_with_line_feeds; paths > 0)
    warnings.push_back(fmt::format(
        "{} in the list of kept files {} a line feed, so that it makes two lines; --null tells them apart",
        human_counted(paths, "path"), paths == 1 ? "holds" : "hold"));
  const std::uint64_t for_a_part = summary.removed - std::min(summary.removed, summary.removed_copies);
  if (job.decides && job.settings.preset == Preset::reuse && for_a_part > 0)
    warnings.push_back(fmt::format(
        "{} removed for a part that they share with what stays; leitong pairs --preset reuse shows such "
        "pairs and removes nothing",
        human_counted(for_a_part, "document was", "documents were")));
  // Otherwise a row of the summary says it.
  if (is_quiet() && summary.quarantined > 0)
    warnings.push_back(left_out_warning(summary.quarantined, summary.first_quarantined));
  if (!job.outputs.index.empty() && summary.not_indexed > 0)
    warnings.push_back(
        fmt::format("{} not in the index: an earlier one has the id, or the id is longer than "
                    "1,024 bytes",
                    human_counted(summary.not_indexed, "kept document is", "kept documents are")));
  for (const RunWarning warning : summary.warnings) {
    std::string text = warning_text(warning, summary, job);
    if (!text.empty()) warnings.push_back(std::move(text));
  }
  return warnings;
}

Result<void> check_read(const ReadFigures& figures, bool allow_truncated) {
  if (figures.documents == 0 && figures.quarantined > 0)
    return fail(ErrorCode::corrupt,
                fmt::format("every record was quarantined, the first: {}{}", figures.first_quarantined,
                            figures.first_quarantined.find(" is missing (found: ") != std::string::npos
                                ? " (is --text-field right?)"
                                : ""));
  if (figures.truncated_inputs == 0) return {};
  std::string text = fmt::format("{} truncated or damaged, and what follows the damage is lost",
                                 figures.truncated_inputs == 1
                                     ? "1 compressed input is"
                                     : human_count(figures.truncated_inputs) + " compressed inputs are");
  if (!allow_truncated) return fail(ErrorCode::corrupt, text + "; --allow-truncated accepts that");
  print_warning(text);
  return {};
}

std::string left_out_warning(std::uint64_t quarantined, std::string_view first) {
  return fmt::format("{} couldn't be read and {} left out, the first: {}",
                     human_counted(quarantined, "record"), quarantined == 1 ? "was" : "were", first);
}

void warn_of_absent(const std::string& gold, std::uint64_t absent) {
  if (absent > 0)
    print_warning(fmt::format("{} names {} that {} not in the input; they don't count", gold,
                              human_counted(absent, "document"), absent == 1 ? "is" : "are"));
}

}  // namespace leitong::cli
