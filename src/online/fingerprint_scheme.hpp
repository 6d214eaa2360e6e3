// Schemes whose sketch is a fingerprint: two texts are similar if theirs differ in few bits.
#pragma once

#include <memory>

#include "leitong/context.hpp"
#include "leitong/result.hpp"
#include "online/index_scheme.hpp"
#include "scheme/scheme.hpp"

namespace leitong::online {

[[nodiscard]] inline bool is_fingerprint(const SchemeInfo& info) noexcept {
  return info.signature == "fingerprint";
}

/// Fails with invalid_argument for parameters that can't be, for a distance that can't be searched and for
/// fingerprints that never decide alone; for a folding that has no effect on them; and as the scheme's
/// dictionaries do.
Result<std::unique_ptr<IndexScheme>> make_fingerprint_scheme(const Context& context, const Folding& folding,
                                                             const SchemeInfo& info, Maker wanted);

}  // namespace leitong::online
