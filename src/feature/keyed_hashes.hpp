// Hashes of shingles that nobody can predict without their key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/pod_vector.hpp"
#include "base/siphash.hpp"
#include "text/units.hpp"

namespace leitong {

/// siphash() of the bytes of the k-unit shingle at each place. Replaces `hashes`. REQUIRES an even k.
void keyed_hashes(const SipKey& key, std::span<const Unit> units, std::size_t k,
                  std::span<const std::uint32_t> places, PodVector<std::uint64_t>& hashes);

}  // namespace leitong
