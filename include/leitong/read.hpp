// Reads the documents of files, one after the other, in every format and compression that leitong knows, and
// those of lines in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A document of the input. The views are valid during the call that receives them.
struct InputDocument {
  std::string_view id;    ///< value of the id field; without one "data.jsonl:12", or the path of a file
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

/// The records of some lines of JSON.
struct JsonLines {
  Strings texts;            ///< valid UTF-8, which may be empty
  Strings ids;              ///< value of the id field; without one "data.jsonl:12"
  std::uint64_t lines = 0;  ///< blank ones included
};

/// Reads lines of JSON that are in memory, the last of which may lack its line feed. `text` and `id`: names
/// of fields, paths by dots; `name` and `first`: what messages and ids call the source, and the number of its
/// first line. Fails with corrupt for the first record without a text that can be read. Linear; 1 GB/s and
/// more.
[[nodiscard]] Result<JsonLines> read_json_lines(std::string_view lines, const std::string& text,
                                                const std::string& id, std::string_view name,
                                                std::uint64_t first = 1);

}  // namespace leitong
