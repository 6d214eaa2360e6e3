// The documents of files, one after the other, in every format and compression that leitong reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "leitong/context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A document as it is read. The views live as long as the call that received them.
struct InputDocument {
  std::string_view id;    ///< the id field's value; without one "data.jsonl:12", or the path of a file
  std::string_view text;  ///< valid UTF-8, not empty: a record without text is quarantined
};

/// Takes a document; a failure ends the reading and is returned from it.
using InputDocumentFn = std::function<Result<void>(const InputDocument&)>;

/// What was read.
struct ReadSummary {
  std::uint64_t documents = 0;         ///< that were passed on
  std::uint64_t quarantined = 0;       ///< records that could not be read
  std::string first_quarantined;       ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;  ///< compressed ones of which records are lost
};

/// Reads the files of `input`, references first, and passes on their documents in input order. Parsing runs
/// on the context's threads; `each` is called from one of them at a time. Fails with invalid_argument for
/// settings that cannot be meant, with not_found and io for files, with corrupt for a bad record if
/// InputFiles::strict, with cancelled, and as `each` does. Linear in the input; a few megabytes of memory a
/// thread.
[[nodiscard]] Result<ReadSummary> read_documents(const Context& context, const InputFiles& input,
                                                 const InputDocumentFn& each);

}  // namespace leitong
