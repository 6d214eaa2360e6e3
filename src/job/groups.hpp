// The fields that say which documents are compared, and of which values some stay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dedup/find_options.hpp"
#include "io/run_context.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Makes the input read the fields that DedupJob::within, across and keep_each name.
void ask_for_groups(const DedupJob& job, InputOptions& input);
/// Fails with invalid_argument, naming the setting, if the job has references without fields.
[[nodiscard]] Result<void> check_groups(const DedupJob& job);
/// Makes the run read these fields. `without` counts the documents without a value. All must outlive the run.
void set_groups(const DedupJob& job, const Corpus& corpus, const RunContext& run, std::uint64_t& without,
                FindOptions& find);
/// The fields of the job, for messages: "lang, author".
[[nodiscard]] std::string group_fields(const DedupJob& job);

}  // namespace leitong
