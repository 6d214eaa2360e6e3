// What somebody who reads the figures of a run ought to know besides: decided once, said by the summary and
// by the report in words of their own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "job/run.hpp"

namespace leitong {

enum class RunWarning : std::uint8_t {
  no_records,
  all_quarantined,
  without_signature,   ///< documents that the method can't compare
  without_keep_value,  ///< documents that the keep policy had to put last
  repeated_ids,
  chained,  ///< components of which more than one document stays
  missed_pairs,
  few_sampled,  ///< the recall was measured on a handful of documents
  hash_collisions,
  hot_unmatched,  ///< documents of common passages that found nobody
  unverified
};

/// A name for programs: "repeated_ids".
[[nodiscard]] std::string_view warning_name(RunWarning warning) noexcept;

/// Those that hold, the gravest first.
[[nodiscard]] std::vector<RunWarning> run_warnings(const DedupSummary& summary, const DedupOptions& options);

}  // namespace leitong
