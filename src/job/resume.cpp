#include "job/resume.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/try.hpp"
#include "job/vectors.hpp"
#include "leitong/settings.hpp"
#include "leitong/version.hpp"

namespace leitong {

Result<std::string> about_run(const DedupJob& job, const SchemeId& scheme, std::uint64_t memory,
                              const Corpus& corpus) {
  std::string about;
  const auto line = [&](std::string_view name, const auto& value) {
    fmt::format_to(std::back_inserter(about), "{}\t{}\n", name, value);
  };
  line("version", library_info().version);
  line("scheme", scheme_text(scheme));
  line("memory", memory);
  DedupJob stages = job;
  stages.outputs = {};           // no stage depends on them
  stages.resume_folder.clear();  // this folder may be moved
  each_setting(stages, [&](const Setting& setting, const SettingValue& value) {
    line(setting.name, text_of(setting, value));
  });
  line("losses of all pairs", !job.outputs.pairs.empty());
  if (!job.vectors.empty()) {
    LEITONG_ASSIGN(const std::string vectors, about_vectors(job.vectors));
    line("vectors", vectors);
  }
  LEITONG_ASSIGN(const std::string files, corpus.list_input());
  return about + files;
}

}  // namespace leitong
