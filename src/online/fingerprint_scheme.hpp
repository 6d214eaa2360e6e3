// Schemes whose sketch is a fingerprint: two texts are similar if their fingerprints differ in few bits.
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

/// Fails with invalid_argument for impossible parameters, for a distance that cannot be searched, for
/// fingerprints that cannot decide alone, and for a folding that has no effect on them. Also fails as opening
/// the scheme's dictionaries does.
Result<std::unique_ptr<IndexScheme>> make_fingerprint_scheme(const Context& context, const Folding& folding,
                                                             const SchemeInfo& info, IndexSpec wanted);

}  // namespace leitong::online
