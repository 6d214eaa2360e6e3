// Finds a few documents of a corpus by their ids.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Returns the text of the first document with each of these ids, in their order. The id of a document
/// without one is its place, as in all outputs. Reads the input up to the last of them, on the calling
/// thread. Fails with not_found if no document has one of the ids.
Result<std::vector<std::string>> find_texts(const InputOptions& input, std::span<const std::string> ids,
                                            const Context& context);

}  // namespace leitong
