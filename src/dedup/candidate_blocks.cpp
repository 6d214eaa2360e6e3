#include "dedup/candidate_blocks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/try.hpp"

namespace leitong {
namespace {

using Record = std::array<std::uint64_t, 2>;

Record packed(const Candidate& c) {
  return {std::uint64_t{c.a} << 32 | c.b, std::uint64_t{std::bit_cast<std::uint32_t>(c.score)} << 32 |
                                              std::uint64_t{c.frame} << 2 | std::uint64_t{c.passage} << 1 |
                                              std::uint64_t{c.template_only}};
}

Candidate unpacked(std::span<const std::uint64_t, 2> record) {
  const auto [documents, rest] = std::pair(record[0], record[1]);
  return {static_cast<DocId>(documents >> 32),
          static_cast<DocId>(documents),
          std::bit_cast<float>(static_cast<std::uint32_t>(rest >> 32)),
          (rest & 1) != 0,
          static_cast<std::uint8_t>(rest >> 2),
          (rest & 2) != 0};
}

constexpr std::uint64_t pairs_below(std::uint64_t block) { return block * (block + 1) / 2; }

}  // namespace

CandidateBlocks::CandidateBlocks(KeptUnits& units, RunContext& run)
    : units_(units),
      run_(run),
      partitions_(run),
      writer_(partitions_),
      shift_(Partitions::shift_for(pairs_below(units.block_of(kNoDocument) + std::uint64_t{1}))) {}

std::uint64_t CandidateBlocks::number_of(const Candidate& candidate) const noexcept {
  return pairs_below(units_.block_of(candidate.b)) + units_.block_of(candidate.a);
}

Result<void> CandidateBlocks::add(std::span<const Candidate> candidates) {
  for (const Candidate& each : candidates)
    LEITONG_TRY(writer_.append(static_cast<unsigned>(number_of(each) >> shift_), packed(each)));
  count_ += candidates.size();
  return {};
}

Result<void> CandidateBlocks::drain(const Each& each) {
  LEITONG_TRY(writer_.flush());
  PodVector<std::uint64_t> words;
  std::vector<std::pair<std::uint64_t, Candidate>> numbered;
  std::vector<Candidate> of_blocks;
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(partitions_.take(partition, words));
    numbered.clear();
    for (std::size_t i = 0; i < words.size(); i += 2) {
      const Candidate candidate = unpacked(std::span<const std::uint64_t, 2>(words.data() + i, 2));
      numbered.emplace_back(number_of(candidate), candidate);
    }
    std::ranges::sort(numbered, {}, [](const auto& one) { return one.first; });
    const HeldMemory held(run_.memory, numbered.size() * (sizeof(Record) + sizeof(numbered[0])));
    for (std::size_t i = 0; i < numbered.size();) {
      const auto& [number, first] = numbered[i];
      for (of_blocks.clear(); i < numbered.size() && numbered[i].first == number; ++i)
        of_blocks.push_back(numbered[i].second);
      LEITONG_TRY(units_.hold(units_.block_of(first.a), units_.block_of(first.b)));
      LEITONG_TRY(each(of_blocks));
    }
  }
  units_.let_go();
  count_ = 0;
  return {};
}

}  // namespace leitong
