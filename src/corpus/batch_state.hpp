// A parsed batch as bytes, so that a later run need not parse it again.
#pragma once

#include <string>
#include <string_view>

#include "corpus/batch.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Appends what parse() filled, and where the batch lies.
void pack(const Batch& batch, std::string& state);
/// Fills it again. Fails with corrupt where `batch`, as its stream made it, lies elsewhere.
Result<void> unpack(std::string_view state, Batch& batch);

}  // namespace leitong
