// Reads the documents of files, one after the other, in every format and compression that leitong knows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "leitong/context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A document of the input. The views are valid during the call that receives them.
struct InputDocument {
  std::string_view id;    ///< value of the id field; without a value "data.jsonl:12", or the path of a file
  std::string_view text;  ///< valid UTF-8, not empty: a record without text is quarantined
};

/// Takes a document. A failure ends the reading and is returned.
using InputDocumentFn = std::function<Result<void>(const InputDocument&)>;

/// What was read.
struct ReadSummary {
  std::uint64_t documents = 0;         ///< documents that were passed on
  std::uint64_t quarantined = 0;       ///< records that could not be read
  std::string first_quarantined;       ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;  ///< compressed files of which records are lost
};

/// Reads the files of `input`, references first, and passes on their documents in input order. Parsing runs
/// on the context's threads; `each` is called from one of them at a time. Fails with invalid_argument for
/// impossible settings, with not_found and io for files, with corrupt for a bad record if InputFiles::strict,
/// with cancelled, and as `each` does. Linear in the input; a few megabytes of memory for each thread.
[[nodiscard]] Result<ReadSummary> read_documents(const Context& context, const InputFiles& input,
                                                 const InputDocumentFn& each);

}  // namespace leitong
