#include "signature/i_match.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace leitong {
namespace {

bool holds(std::size_t lexicon, std::uint64_t term) {
  return lexicon == 0 || mix64(term ^ mix64(lexicon)) % 3 != 0;
}

}  // namespace

double normalised_idf(double idf, double least, double greatest) noexcept {
  return greatest > least ? (idf - least) / (greatest - least) : 0;
}

void i_match(std::span<const std::uint64_t> terms, std::span<IMatchDigest> digests) {
  assert(!digests.empty() && digests.size() <= kMaxLexicons + 1);
  std::vector<std::uint64_t> sorted(terms.begin(), terms.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint64_t> held;
  for (std::size_t lexicon = 0; lexicon < digests.size(); ++lexicon) {
    held.clear();
    std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(held),
                 [lexicon](std::uint64_t term) { return holds(lexicon, term); });
    const XXH128_hash_t hash = XXH3_128bits(held.data(), held.size() * sizeof(std::uint64_t));
    digests[lexicon] = held.empty() ? IMatchDigest{} : IMatchDigest{hash.high64, hash.low64};
  }
}

}  // namespace leitong
