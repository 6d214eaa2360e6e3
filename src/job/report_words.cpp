#include "job/report_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "dedup/method.hpp"

namespace leitong {
namespace {

std::string decimals(double value) {
  std::string text = fmt::format("{:.3f}", value);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string rule_in_words(const Rule& rule) {
  if (rule.measure) return fmt::format("{} from {}", measure_name(*rule.measure), decimals(rule.threshold));
  return fmt::format(
      "Jaccard from {} in short texts to {} in long ones, or containment from {} where the shorter has {} "
      "shingles",
      decimals(rule.jaccard_short), decimals(rule.jaccard_long), decimals(rule.containment),
      rule.containment_min);
}

}  // namespace

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

std::vector<std::pair<std::string, std::string>> report_settings(const DedupOptions& options) {
  std::vector<std::pair<std::string, std::string>> list;
  const auto add_if = [&](bool given, std::string name, std::string value) {
    if (given) list.emplace_back(std::move(name), std::move(value));
  };
  const InputOptions& input = options.input;
  const DedupOutputs& out = options.outputs;
  add_if(true, "input", fmt::format("{}", fmt::join(input.paths, " ")));
  add_if(!input.reference_paths.empty(), "reference",
         fmt::format("{}", fmt::join(input.reference_paths, " ")));
  add_if(true, "text", fmt::format("{}", fmt::join(input.text_fields, " ")));
  add_if(true, "id", input.id_field);
  add_if(true, "method", options.find.method);
  add_if(true, "similar",
         options.find.verify ? rule_in_words(options.find.rule)
                             : "as the method estimates; nothing was verified");
  add_if(true, "keep", to_string(options.keep));
  add_if(true, "threads", options.threads == 0 ? "all" : std::to_string(options.threads));
  add_if(options.memory > 0, "memory", fmt::format("{} MB", options.memory / 1'000'000));
  add_if(input.strict, "strict", "yes");
  add_if(!out.kept.empty(), "kept", out.kept);
  add_if(!out.removed.empty(), "removed", out.removed);
  add_if(!out.clusters.empty(), "clusters", out.clusters);
  add_if(!out.components.empty(), "components", out.components);
  add_if(!out.pairs.empty(), "pairs", out.pairs);
  add_if(!out.quarantine.empty(), "quarantine", out.quarantine);
  return list;
}

std::vector<ReportWarning> report_warnings(const DedupOptions& options, const DedupSummary& summary) {
  std::vector<ReportWarning> list;
  const auto counted = [](std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  const Audit& audit = summary.audit;
  if (audit.leaves_many()) {
    list.push_back({"Some similar pairs were missed",
                    fmt::format("Of {} similar pairs in the sample the run verified {}; {} lie within one "
                                "group, and of {} both texts stay. --exact compares all.",
                                audit.pairs, audit.direct, audit.linked, audit.both_stay),
                    {}});
  }
  if (!options.find.verify) {
    list.push_back(
        {"Nothing was verified",
         "Documents left on the method's estimate alone. Without --no-verify every pair is compared exactly.",
         {}});
  }
  if (summary.repeated_ids > 0) {
    ReportWarning warning{
        counted(summary.repeated_ids, "record repeats an earlier id", "records repeat an earlier id"),
        "Here they are told apart by their places; whatever goes by id alone can't. --strict stops at the "
        "first.",
        {}};
    for (const Corpus::RepeatedId& repeated : summary.repeated_examples)
      warning.examples.push_back(
          fmt::format("{}: {} and {}", repeated.id, repeated.first_place, repeated.second_place));
    list.push_back(std::move(warning));
  }
  if (summary.chained_components > 0) {
    list.push_back({counted(summary.chained_components, "group is chained", "groups are chained"),
                    fmt::format("Their documents are linked through others without all being similar to one, "
                                "so more than one of each stays. "
                                "The largest group of linked documents has {}.",
                                summary.largest_component),
                    {}});
  }
  if (summary.without_signature > 0) {
    list.push_back({counted(summary.without_signature, "document could not be compared",
                            "documents could not be compared"),
                    fmt::format("What they lack: {}. Only exact copies of them were looked for.",
                                find_method(options.find.method)->needs),
                    {}});
  }
  if (summary.hot_unmatched > 0) {
    list.push_back(
        {counted(summary.hot_unmatched, "document shares only common passages, and found no partner",
                 "documents share only common passages, and found no partner"),
         "They may belong to a family that one template makes alike. --exact compares them all.",
         {}});
  }
  return list;
}

}  // namespace leitong
