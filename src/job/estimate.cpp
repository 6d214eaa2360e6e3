#include "job/run.hpp"

#include <algorithm>
#include <cmath>

#include "base/system.hpp"
#include "base/try.hpp"
#include "corpus/source_list.hpp"
#include "dedup/find_pairs.hpp"
#include "job/sampled_source.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kSampleBytes = 64ull << 20;
constexpr std::size_t kPlaces = 16;

struct Sample {
  std::vector<std::unique_ptr<Corpus>> corpora;
  std::uint64_t input_bytes = 0;
};

Result<Sample> open_sample(const InputOptions& input, const RunContext& run) {
  LEITONG_ASSIGN(const SourceList list, list_sources(input));
  Sample sample;
  sample.input_bytes = list.total_bytes();
  InputOptions options = input;
  options.strict = false;
  options.extra_fields.clear();
  const bool is_small = sample.input_bytes > 0 && sample.input_bytes <= kSampleBytes;
  if (is_small || sample.input_bytes == 0 || list.size() < 2) {
    LEITONG_ASSIGN(sample.corpora.emplace_back(), Corpus::open(std::move(options), run));
    return sample;
  }
  // References count as documents here, since they take the same time.
  options.reference_paths.clear();
  options.found = true;
  std::vector<std::uint32_t> files;
  for (std::uint32_t i = 0; i < list.size(); ++i)
    if (!list[i].given) files.push_back(i);
  const std::size_t places = std::min(files.size(), kPlaces);
  for (std::size_t place = 0; place < places; ++place) {
    options.paths.clear();
    for (std::size_t file = files.size() * place / places; file < files.size() * (place + 1) / places; ++file)
      options.paths.emplace_back(list.path(files[file]));
    LEITONG_ASSIGN(sample.corpora.emplace_back(), Corpus::open(options, run));
    options.given_references.clear();  // they are read from their beginning, with the first part of the files
  }
  return sample;
}

double removed_share(const PairResult& found) {
  const std::uint64_t documents = found.table.units.size();
  if (documents == 0) return 0;
  std::uint64_t removed = 0;
  for (DocId d = 0; d < documents; ++d) removed += found.settlement.stays(d) ? 0 : 1;
  return static_cast<double>(removed) / static_cast<double>(documents);
}

/// The exponent with which the pairs grow with the documents: 1 where copies are near their originals, 2
/// where they are spread over the input, so that a sample has few of them. It is derived from the pairs in
/// half of the sample.
Result<double> growth_of_pairs(const PairResult& found) {
  const std::uint64_t half = found.table.units.size() / 2;
  double in_half = 0, all = 0;
  LEITONG_TRY(found.pairs->for_each([&](const VerifiedPair& pair) {
    ++all;
    in_half += pair.b < half ? 1 : 0;
  }));
  return all == 0 ? 1 : std::clamp(std::log2(all / std::max(in_half, 1.0)), 1.0, 2.0);
}

/// The time for an input of `times` the bytes of the sample. Reading grows with the documents, and all other
/// steps with their pairs.
Result<double> seconds_of(const PairResult& found, double times) {
  LEITONG_ASSIGN(const double growth, growth_of_pairs(found));
  double seconds = 0;
  for (const auto& [stage, sampled] : found.stage_seconds)
    seconds += sampled * (stage.starts_with("read") ? times : std::pow(times, growth));
  return seconds;
}

Result<Estimate> judge(const InputOptions& input, const FindOptions& find, const Context& context) {
  const std::uint64_t available = system::available_memory();
  RunContext run(context, 0);
  LEITONG_ASSIGN(Sample sample, open_sample(input, run));
  const std::uint64_t part_bytes = kSampleBytes / sample.corpora.size();
  SampledSource source(std::move(sample.corpora), part_bytes);
  LEITONG_ASSIGN(const PairResult found, find_pairs(source, find, longest_first, run));

  Estimate estimate;
  estimate.input_bytes = sample.input_bytes;
  estimate.sampled_bytes = source.bytes_read();
  estimate.sampled_documents = source.size();
  estimate.sampled_quarantined = source.quarantined();
  estimate.whole =
      source.exhausted() || (estimate.input_bytes > 0 && estimate.sampled_bytes >= estimate.input_bytes);
  estimate.removed = removed_share(found);
  const double times = estimate.whole || estimate.sampled_bytes == 0
                           ? 1
                           : std::max(1.0, static_cast<double>(estimate.input_bytes) /
                                               static_cast<double>(estimate.sampled_bytes));
  estimate.documents = static_cast<std::uint64_t>(static_cast<double>(estimate.sampled_documents) * times);
  LEITONG_ASSIGN(estimate.seconds, seconds_of(found, times));
  const std::uint64_t limit = context.settings().memory;
  const auto text_bytes = static_cast<std::uint64_t>(static_cast<double>(found.text_bytes) * times);
  estimate.memory =
      limit != 0 ? limit : MemoryBudget::without_limit(estimate.documents, text_bytes, available);
  estimate.least_memory = MemoryBudget::least(estimate.documents);
  return estimate;
}

}  // namespace

Result<Estimate> estimate_run(const InputOptions& input, const FindOptions& find, const Context& context) {
  return on_threads(context, [&] { return judge(input, find, context); });
}

}  // namespace leitong
