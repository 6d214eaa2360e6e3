// The report of decontamination: the benchmarks, and items beside the passages that hold them.
#pragma once

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "job/benchmark.hpp"
#include "job/leak_search.hpp"
#include "leitong/decontaminate.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Chooses hits, reads their documents again, and writes the page. The items have their texts
/// (BenchmarkItem::text).
Result<void> write_leak_report(const DecontaminateJob& job, const DecontaminateSummary& summary,
                               const Corpus& corpus, const Benchmark& benchmark, const LeakSearch& search,
                               const RunContext& run, OutputFile& file);

}  // namespace leitong
