// Files that are one document each.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "corpus/html_text.hpp"
#include "corpus/padded_bytes.hpp"
#include "io/read_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Reads a whole file into `out`, uncompressed, and sets its stamp. Stops at `max_bytes`, so that a file that
/// unpacks to a thousand times its size costs no more than the largest allowed record. Only then it returns
/// why the file cannot be a document. Fails as ReadFile and make_decoder() do. `counter` may be null.
Result<std::string> load_document_file(const std::string& path, std::uint64_t max_bytes,
                                       std::uint64_t max_window, StopToken stop,
                                       std::atomic<std::uint64_t>* counter, PaddedBytes& out,
                                       FileStamp& stamp);

/// The text of one file, also compressed, as a document of it would have it: the readable text of an HTML
/// page, in any named or detected encoding. Fails with corrupt if it holds no text, and with limit above
/// `most` bytes; messages name the path. REQUIRES check_encoding().
Result<std::string> read_text_file(const std::string& path, HtmlPart part, const std::string& encoding,
                                   std::size_t most, StopToken stop = {});

}  // namespace leitong
