#include "dedup/verdict_log.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <string>
#include <utility>

#include "base/packing.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kLogVersion = 3;

void pack_pair(Packer& packer, const VerifiedPair& pair) {
  packer.value(pair.a);
  packer.value(pair.b);
  packer.value(pair.jaccard);
  packer.value(pair.containment);
  packer.value(pair.score);
  packer.value(pair.measure);
  packer.value(pair.standing);
  packer.value(pair.passage_units);
}

VerifiedPair unpack_pair(Unpacker& unpacker) {
  VerifiedPair pair;
  pair.a = unpacker.value<DocId>();
  pair.b = unpacker.value<DocId>();
  pair.jaccard = unpacker.value<float>();
  pair.containment = unpacker.value<float>();
  pair.score = unpacker.value<float>();
  pair.measure = unpacker.value<Measure>();
  pair.standing = unpacker.value<PairStanding>();
  pair.passage_units = unpacker.value<std::uint16_t>();
  return pair;
}

}  // namespace

VerdictLog::VerdictLog(ShardLog log) : log_(std::move(log)) {
  // A record begins with its key; one that is too short never matches.
  for (std::size_t i = 0; i < log_.size(); ++i) records_[Unpacker(log_[i]).value<Key>()] = i;
}

Result<VerdictLog> VerdictLog::open(const ArtifactFolder& folder) {
  LEITONG_ASSIGN(ShardLog log, ShardLog::open(folder, "verdicts", kLogVersion));
  return VerdictLog(std::move(log));
}

VerdictLog::Key VerdictLog::key_of(std::span<const Candidate> candidates) {
  // Lists everything that a verdict depends on apart from the two texts.
  std::vector<std::uint32_t> values;
  values.reserve(4 * candidates.size());
  for (const Candidate& c : candidates)
    values.insert(values.end(), {c.a, c.b, std::bit_cast<std::uint32_t>(c.score),
                                 std::uint32_t{c.template_only} | std::uint32_t{c.passage} << 1 |
                                     std::uint32_t{c.frame} << 2});
  const XXH128_hash_t hash = XXH3_128bits(values.data(), values.size() * sizeof(std::uint32_t));
  return {hash.low64, hash.high64};
}

bool VerdictLog::find(std::span<const Candidate> candidates, Verdicts& verdicts) const {
  const auto found = records_.find(key_of(candidates));
  if (found == records_.end()) return false;
  Unpacker unpacker(log_[found->second]);
  unpacker.value<Key>();
  for (std::vector<VerifiedPair>* pairs : {&verdicts.accepted, &verdicts.aside}) {
    pairs->resize(unpacker.value<std::uint32_t>());
    for (VerifiedPair& pair : *pairs) pair = unpack_pair(unpacker);
  }
  verdicts.refused.resize(unpacker.value<std::uint32_t>());
  for (RefusedPair& refused : verdicts.refused) {
    refused.pair = unpack_pair(unpacker);
    refused.closeness = unpacker.value<double>();
  }
  return unpacker.done().has_value();
}

Result<void> VerdictLog::add(std::span<const Candidate> candidates, const Verdicts& verdicts) {
  std::string record;
  Packer packer(record);
  packer.value(key_of(candidates));
  for (const std::vector<VerifiedPair>* pairs : {&verdicts.accepted, &verdicts.aside}) {
    packer.value(static_cast<std::uint32_t>(pairs->size()));
    for (const VerifiedPair& pair : *pairs) pack_pair(packer, pair);
  }
  packer.value(static_cast<std::uint32_t>(verdicts.refused.size()));
  for (const RefusedPair& refused : verdicts.refused) {
    pack_pair(packer, refused.pair);
    packer.value(refused.closeness);
  }
  return log_.append(record);
}

}  // namespace leitong
