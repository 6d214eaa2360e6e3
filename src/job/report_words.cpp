#include "job/report_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/try.hpp"
#include "dedup/method.hpp"
#include "job/groups.hpp"
#include "job/run_warnings.hpp"

namespace leitong {

std::string report_title(const std::vector<std::string>& paths) {
  std::string names;
  constexpr std::size_t kNamed = 3;
  for (std::size_t i = 0; i < std::min(paths.size(), kNamed); ++i) {
    const std::filesystem::path path = std::filesystem::path(paths[i]).lexically_normal();
    const std::filesystem::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
    if (i > 0) names += ", ";
    names += paths[i] == "-" ? "standard input" : name.string();
  }
  if (paths.size() > kNamed) names += fmt::format(" and {} more", paths.size() - kNamed);
  return names;
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> quarantine_reasons(const Corpus& corpus) {
  std::map<std::string, std::uint64_t, std::less<>> counts;
  LEITONG_TRY(corpus.for_each_quarantined([&](const QuarantinedRecord& record) -> Result<void> {
    const auto found = counts.find(record.reason);
    ++(found != counts.end() ? found->second : counts[std::string(record.reason)]);
    return {};
  }));
  std::vector<std::pair<std::string, std::uint64_t>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  if (reasons.size() > ReportLimits::examples) {
    std::uint64_t others = 0;
    for (std::size_t i = ReportLimits::examples; i < reasons.size(); ++i) others += reasons[i].second;
    reasons.resize(ReportLimits::examples);
    reasons.emplace_back("*", others);
  }
  return reasons;
}

std::vector<std::pair<std::string, std::string>> report_settings(const DedupJob& job,
                                                                 const std::string& method,
                                                                 const DedupSummary& summary) {
  std::vector<std::pair<std::string, std::string>> list;
  const auto add_if = [&](bool given, std::string name, std::string value) {
    if (given) list.emplace_back(std::move(name), std::move(value));
  };
  const InputFiles& input = job.input;
  const DedupSettings& settings = job.settings;
  const DedupOutputs& out = job.outputs;
  add_if(true, "input", fmt::format("{}", fmt::join(input.paths, " ")));
  add_if(!input.reference_paths.empty(), "reference",
         fmt::format("{}", fmt::join(input.reference_paths, " ")));
  add_if(!job.reference_indexes.empty(), "reference_index",
         fmt::format("{}", fmt::join(job.reference_indexes, " ")));
  add_if(true, "text", fmt::format("{}", fmt::join(input.text_fields, " ")));
  add_if(true, "id", input.id_field);
  add_if(true, "method", method);
  add_if(!settings.params.empty() && method == settings.method, "params",
         fmt::format("{}", fmt::join(settings.params, " ")));
  add_if(settings.marks == Marks::keep, "marks", "keep");
  add_if(settings.removal.numbers == Numbers::masked, "numbers", "masked");
  add_if(settings.cosine > 0, "vectors", job.vectors);
  add_if(settings.vector_search != VectorSearch::exact, "vector_search",
         std::string(vector_search_name(settings.vector_search)));
  add_if(job.decides, "keep", to_string(job.settings.keep));
  if (const LossLimits limits = limits_of(settings.removal); job.decides && settings.verify) {
    add_if(true, "loss", fmt::format("{}", limits.loss));
    add_if(true, "loss_run", fmt::format("{}", limits.run));
  }
  add_if(true, "threads", summary.threads == 0 ? "*" : std::to_string(summary.threads));
  add_if(summary.memory > 0, "memory", fmt::format("{} MB", summary.memory / 1'000'000));
  add_if(input.strict, "strict", "*");
  add_if(!out.kept.empty(), "kept", out.kept);
  add_if(!out.removed.empty(), "removed", out.removed);
  add_if(!out.clusters.empty(), "clusters", out.clusters);
  add_if(!out.components.empty(), "components", out.components);
  add_if(!out.pairs.empty(), "pairs", out.pairs);
  add_if(!out.quarantine.empty(), "quarantine", out.quarantine);
  add_if(!out.index.empty(), "index", out.index);
  return list;
}

std::vector<std::pair<std::string, std::string>> shown_settings(
    const std::vector<std::string>& paths, std::span<const ChosenSetting> chosen,
    std::initializer_list<std::string_view> named) {
  std::vector<std::pair<std::string, std::string>> list = {
      {"input", fmt::format("{}", fmt::join(paths, " "))}};
  for (const ChosenSetting& each : chosen) {
    const std::string_view name = each.setting.name;
    if (name == "inputs" || name == "report" || name == "force") continue;
    if (!is_changed(each) && std::ranges::find(named, name) == named.end()) continue;
    const std::string text = text_of(each.setting, each.value);
    list.emplace_back(name, text.empty() ? "*" : text);
  }
  return list;
}

std::vector<ReportWarning> report_warnings(const DedupJob& job, const std::string& method,
                                           const DedupSummary& summary) {
  std::vector<ReportWarning> list;
  for (const RunWarning code : summary.warnings) {
    ReportWarning warning{std::string(warning_name(code)), {}, {}};
    const auto detail = [&](std::string name, const auto& value) {
      warning.details.emplace_back(std::move(name), fmt::format("{}", value));
    };
    switch (code) {
      case RunWarning::no_records:
      case RunWarning::unverified:
        break;
      case RunWarning::all_quarantined:
        warning.examples = {summary.first_quarantined};
        break;
      case RunWarning::without_signature:
        detail("count", summary.without_signature);
        detail("needs", find_method(method)->needs);
        break;
      case RunWarning::without_keep_value:
        detail("count", summary.without_keep_value);
        detail("all", summary.keep_asked);
        detail("keep", to_string(job.settings.keep));
        break;
      case RunWarning::without_site:
        detail("count", summary.without_site);
        detail("all", summary.documents);
        detail("field", job.site_field);
        break;
      case RunWarning::without_group:
        detail("count", summary.without_group);
        detail("field", group_fields(job));
        break;
      case RunWarning::unusable_vectors:
        detail("count", summary.vectors.unusable);
        warning.examples = {summary.first_unusable_vector};
        break;
      case RunWarning::repeated_ids:
        detail("count", summary.repeated_ids);
        for (const RepeatedId& repeated : summary.repeated_examples)
          warning.examples.push_back(
              fmt::format("{}: {} = {}", repeated.id, repeated.first_place, repeated.second_place));
        break;
      case RunWarning::chained:
        detail("count", summary.chained_components);
        detail("largest", summary.largest_component);
        break;
      case RunWarning::missed_pairs:
        detail("pairs", summary.recall.pairs);
        detail("direct", summary.recall.found);
        detail("linked", summary.recall.linked);
        detail("stay", summary.recall.both_stay);
        break;
      case RunWarning::hash_collisions:
        detail("count", summary.hash_collisions);
        break;
      case RunWarning::hot_unmatched:
        detail("count", summary.hot_unmatched);
        break;
      case RunWarning::hot_limited:
        detail("count", summary.hot_limited);
        break;
    }
    list.push_back(std::move(warning));
  }
  return list;
}

}  // namespace leitong
