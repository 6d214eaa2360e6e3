// A parsed batch as bytes, so that a later run need not parse it again.
#pragma once

#include <string>
#include <string_view>

#include "corpus/batch.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Appends what parse() filled, and the position of the batch.
void pack(const Batch& batch, std::string& state);
/// Restores it. Fails with corrupt if `batch`, as its stream made it, has another position.
Result<void> unpack(std::string_view state, Batch& batch);

}  // namespace leitong
