// Why a pair is similar or not, in one line.
#pragma once

#include <string>

#include "base/pair.hpp"

namespace leitong {

/// "similar: Jaccard 0.63"; "not similar: 83 % of what they share is a template that about 310 other families
/// of texts hold". `accepted`: what was decided of the pair. Says what the second decision saw where it was
/// asked.
[[nodiscard]] std::string reason_of(const VerifiedPair& pair, bool accepted);

}  // namespace leitong
