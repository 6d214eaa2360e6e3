// Who stays, and the comparisons that only show themselves to be needed when somebody leaves.
#pragma once

#include "dedup/find_pairs.hpp"
#include "dedup/verify.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Settles what was found. With `complete`, documents that stay beside better ones of their family, with
/// which nothing made them meet, are compared with these, and all is settled anew; a fixed number of times,
/// each with a fixed number of comparisons a document.
Result<void> settle_found(Found& found, Verifier& verifier, const Precedence& precedence, bool complete);

}  // namespace leitong
