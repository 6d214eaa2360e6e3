// The options of a run on texts that a caller passes.
#pragma once

#include <cstdint>
#include <functional>

#include "dedup/find_options.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The options, with the caller's groups and vectors. `texts` tells the number of texts when the run begins,
/// which fails with invalid_argument if there is not one group or vector for each of them. Fails with
/// invalid_argument for impossible settings, and for what only documents of files have.
Result<FindOptions> find_options_of_texts(const DedupSettings& settings,
                                          const std::function<std::uint64_t()>& texts);

}  // namespace leitong
