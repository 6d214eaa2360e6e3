#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/try.hpp"
#include "commands.hpp"
#include "fingerprint_flags.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index/hamming/join/join.hpp"
#include "index/hamming/join/planner.hpp"
#include "io/run_context.hpp"
#include "named_files.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using namespace hamming;

struct StatsFlags {
  std::string fingerprints;
  FingerprintFlags input;
  ContextSettings context;
};

/// For each of 4 blocks: how many times more pairs agree in it than by chance.
template <Fingerprint F>
std::string skew_row(const Sample<F>& sample) {
  std::string row;
  for (const F block : cut_into_blocks<F>(~F{}, 4))
    row += fmt::format(" {:.3g}",
                       agreeing_share(sample, block) * std::ldexp(1.0, static_cast<int>(count_ones(block))));
  return row;
}

template <Fingerprint F>
Result<void> stats(const StatsFlags& flags, const Context& context) {
  LEITONG_ASSIGN(const FingerprintFile<F> file, read_fingerprints<F>(flags.fingerprints, flags.input));
  const Source<F>& source = *file.source;
  JoinOptions options;
  options.distance = 0;
  options.memory = flags.context.memory;
  LEITONG_ASSIGN(const Joined joined, join(JoinInput<F>{source}, options, context));
  std::uint64_t groups = 0, largest = source.size() == 0 ? 0 : 1, here = 0;
  const Repetition* last = nullptr;
  for (const Repetition& repetition : joined.repetitions()) {
    here = last != nullptr && last->first == repetition.first ? here + 1 : 2;
    groups += here == 2 ? 1 : 0;
    largest = std::max(largest, here);
    last = &repetition;
  }
  LEITONG_ASSIGN(const Sample<F> sample, take_sample(JoinInput<F>{source}));
  std::array<std::uint64_t, kBits<F>> ones{};
  for (const F value : sample.values)
    for (unsigned bit = 0; bit < kBits<F>; ++bit) ones[bit] += word(value, bit / 64) >> bit % 64 & 1;
  const auto [rarest, commonest] = std::minmax_element(ones.begin(), ones.end());
  const auto sampled = static_cast<double>(std::max<std::size_t>(sample.values.size(), 1));
  LEITONG_ASSIGN(const auto scheme, scheme_of_fingerprints(flags.fingerprints));
  return print_data(scheme_line(scheme) +
                    fmt::format("fingerprints          {}\n"
                                "distinct              {}\n"
                                "repeated              {}, the commonest {} times\n"
                                "sampled               {}\n"
                                "share of ones         bit {}: {} .. bit {}: {}\n"
                                "pairs that agree in a quarter of the bits, beside chance:{}\n",
                                human_count(source.size()),
                                human_count(source.size() - joined.repetitions().size()), human_count(groups),
                                human_count(largest), human_count(sample.values.size()),
                                rarest - ones.begin(), human_share(static_cast<double>(*rarest), sampled),
                                commonest - ones.begin(),
                                human_share(static_cast<double>(*commonest), sampled), skew_row(sample)));
}

}  // namespace

Run add_hamming_stats(CLI::App& app) {
  auto flags = std::make_shared<StatsFlags>();
  add_text(app, "FPS", flags->fingerprints, "FILE", "the fingerprints (standard input)");
  add_fingerprint_flags(app, flags->input);
  add_hamming_resources(app, flags->context);
  add_examples(app,
               "Repetitions are counted exactly; the other figures come from a sample. Among\n"
               "evenly distributed fingerprints each bit is 1 in half of them, and two of them\n"
               "agree in some bits as often as by chance (1).\n"
               "\n"
               "Example:\n"
               "  leitong hamming stats crawl.u64");
  return [flags]() -> Result<void> {
    LEITONG_TRY(default_to_standard_input(flags->fingerprints));
    const CommandContext context(flags->context);
    return on_threads(context, [&] {
      return flags->input.wide() ? stats<Fingerprint128>(*flags, context)
                                 : stats<Fingerprint64>(*flags, context);
    });
  };
}

}  // namespace leitong::cli
