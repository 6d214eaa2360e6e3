#include "dedup/candidate_blocks.hpp"

#include <array>
#include <bit>
#include <utility>

#include "base/halves.hpp"
#include "base/try.hpp"
#include "dedup/by_blocks.hpp"

namespace leitong {
namespace {

using Record = std::array<std::uint64_t, 2>;

Record packed(const Candidate& c) {
  const std::uint32_t flags =
      std::uint32_t{c.frame} << 2 | std::uint32_t{c.passage} << 1 | std::uint32_t{c.template_only};
  return {join_halves(c.a, c.b), join_halves(std::bit_cast<std::uint32_t>(c.score), flags)};
}

Candidate unpacked(std::span<const std::uint64_t, 2> record) {
  const std::uint32_t flags = low_half(record[1]);
  return {high_half(record[0]),
          low_half(record[0]),
          std::bit_cast<float>(high_half(record[1])),
          (flags & 1) != 0,
          static_cast<std::uint8_t>(flags >> 2),
          (flags & 2) != 0};
}

}  // namespace

CandidateBlocks::CandidateBlocks(KeptUnits& units, RunContext& run)
    : units_(units), run_(run), partitions_(run), writer_(partitions_) {
  units.divide();
  const std::uint32_t last = units.block_of(kNoDocument);
  shift_ = Partitions::shift_for(number_of_blocks(last, last));
}

Result<void> CandidateBlocks::add(std::span<const Candidate> candidates) {
  for (const Candidate& each : candidates) {
    const std::uint64_t number = number_of_blocks(units_.block_of(each.a), units_.block_of(each.b));
    LEITONG_TRY(writer_.append(static_cast<unsigned>(number >> shift_), packed(each)));
  }
  return {};
}

Result<void> CandidateBlocks::drain(const Each& each) {
  LEITONG_TRY(writer_.flush());
  PodVector<std::uint64_t> words;
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(partitions_.take(partition, words));
    const HeldMemory held(run_.memory, words.size() * sizeof(std::uint64_t));
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < words.size(); i += 2)
      candidates.push_back(unpacked(std::span<const std::uint64_t, 2>(words.data() + i, 2)));
    LEITONG_TRY(by_blocks(&units_, std::move(candidates), each));
  }
  units_.let_go();
  return {};
}

}  // namespace leitong
