#include "job/resume.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/try.hpp"
#include "job/vectors.hpp"
#include "leitong/settings.hpp"
#include "leitong/version.hpp"

namespace leitong {
namespace {

std::string line(std::string_view name, const auto& value) { return fmt::format("{}\t{}\n", name, value); }

/// What the stages of any job depend on, but for its input.
template <class Job>
std::string about_job(Job job, std::uint64_t memory) {
  std::string about = line("memory", memory);
  job.outputs = {};           // no stage depends on them
  job.resume_folder.clear();  // this folder may be moved
  each_setting(job, [&](const Setting& setting, const SettingValue& value) {
    about += line(setting.name, text_of(setting, value));
  });
  return about;
}

}  // namespace

Result<std::string> about_run(const DedupJob& job, const SchemeId& scheme, std::uint64_t memory,
                              const Corpus& corpus) {
  std::string about = line("version", library_info().version) + line("scheme", scheme_text(scheme)) +
                      about_job(job, memory) + line("losses of all pairs", !job.outputs.pairs.empty());
  if (!job.vectors.empty()) {
    LEITONG_ASSIGN(const std::string vectors, about_vectors(job.vectors));
    about += line("vectors", vectors);
  }
  LEITONG_ASSIGN(const std::string files, corpus.list_input());
  return about + files;
}

Result<std::string> about_run(const TrimJob& job, std::uint64_t base, std::uint64_t memory,
                              const Corpus& corpus) {
  LEITONG_ASSIGN(const std::string files, corpus.list_input());
  return line("version", library_info().version) + about_job(job, memory) + line("parts of the base", base) +
         files;
}

}  // namespace leitong
