#include <string_view>

#include "commands.hpp"
#include "flags.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kHammingGroup = "Commands";

constexpr Command kHammingCommands[] = {
    {"join", kHammingGroup, "list all pairs of fingerprints within a distance", add_hamming_join},
    {"build", kHammingGroup, "make an index of fingerprints", add_hamming_build},
    {"search", kHammingGroup, "find the fingerprints of an index that are near to given ones",
     add_hamming_search},
    {"explain", kHammingGroup, "say which plan a join would take, and what it costs", add_hamming_explain},
    {"stats", kHammingGroup, "describe a file of fingerprints: repetitions, bits, distribution",
     add_hamming_stats},
};

}  // namespace

Run add_hamming(CLI::App& app) {
  add_examples(app,
               "Examples:\n"
               "  leitong hamming join fingerprints.u64 -k 3 -o pairs.tsv\n"
               "  leitong hamming build fingerprints.u64 -o index.hamming\n"
               "  leitong hamming search index.hamming --queries new.u64 -o hits.tsv\n"
               "  leitong hamming explain -n 1e9 -k 3 --memory 24G");
  return add_nested(app, kHammingCommands);
}

}  // namespace leitong::cli
