// The text that does not count.
#pragma once

#include <cstdint>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/folding.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The shingles of the texts in the files of DedupJob::base, ascending, each once; none if there are no
/// files. Fails as read_documents() does, with corrupt for a record that can't be read, and with
/// invalid_argument if the texts hold no letter or digit.
[[nodiscard]] Result<std::vector<std::uint32_t>> read_base(const Context& context, const DedupJob& job,
                                                           const Folding& folding);

}  // namespace leitong
