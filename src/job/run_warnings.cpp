#include "job/run_warnings.hpp"

namespace leitong {

std::string_view warning_name(RunWarning warning) noexcept {
  switch (warning) {
    case RunWarning::no_records:
      return "no_records";
    case RunWarning::all_quarantined:
      return "all_quarantined";
    case RunWarning::without_signature:
      return "without_signature";
    case RunWarning::without_keep_value:
      return "without_keep_value";
    case RunWarning::without_site:
      return "without_site";
    case RunWarning::without_group:
      return "without_group";
    case RunWarning::unusable_vectors:
      return "unusable_vectors";
    case RunWarning::repeated_ids:
      return "repeated_ids";
    case RunWarning::chained:
      return "chained";
    case RunWarning::missed_pairs:
      return "missed_pairs";
    case RunWarning::hash_collisions:
      return "hash_collisions";
    case RunWarning::hot_unmatched:
      return "hot_unmatched";
    case RunWarning::hot_limited:
      return "hot_limited";
    case RunWarning::unverified:
      return "unverified";
  }
  return "";
}

std::vector<RunWarning> run_warnings(const DedupSummary& s, const Audit& audit, const DedupJob& job) {
  std::vector<RunWarning> warnings;
  const auto warn_if = [&](bool holds, RunWarning warning) {
    if (holds) warnings.push_back(warning);
  };
  warn_if(s.records == 0, RunWarning::no_records);
  warn_if(s.documents == 0 && s.records > 0, RunWarning::all_quarantined);
  warn_if(s.without_signature > 0, RunWarning::without_signature);
  // Documents outside the sources come last, as requested, but a source to which no document belongs is a
  // mistake.
  warn_if(s.without_keep_value > 0 &&
              (job.settings.keep.by != Keep::source || s.without_keep_value == s.keep_asked),
          RunWarning::without_keep_value);
  warn_if(s.without_site > 0, RunWarning::without_site);
  warn_if(s.without_group > 0, RunWarning::without_group);
  warn_if(s.vectors.unusable > 0, RunWarning::unusable_vectors);
  warn_if(s.repeated_ids > 0, RunWarning::repeated_ids);
  warn_if(job.decides && s.chained_components > 0, RunWarning::chained);
  warn_if(job.decides ? audit.leaves_many() : audit.misses_many(), RunWarning::missed_pairs);
  warn_if(s.hash_collisions > 0, RunWarning::hash_collisions);
  warn_if(s.hot_unmatched > 0, RunWarning::hot_unmatched);
  warn_if(s.hot_limited > 0, RunWarning::hot_limited);
  warn_if(!job.settings.verify, RunWarning::unverified);
  return warnings;
}

}  // namespace leitong
