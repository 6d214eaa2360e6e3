// The bytes of a source at any offset, for formats with a footer.
#pragma once

#include <cstdint>
#include <memory>

#include "base/stop.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"
#include "io/table_files.hpp"

namespace leitong {

/// For a plain file its own bytes, for a source in the spool its first `spooled_bytes` there (0: it is a
/// plain file). Fails with corrupt, naming the file, if it does not match its stamp.
[[nodiscard]] Result<std::unique_ptr<TableBytes>> bytes_of_source(const SourceList& sources,
                                                                  const RecordStore& store,
                                                                  std::uint32_t source,
                                                                  std::uint64_t spooled_bytes,
                                                                  StopToken stop);

}  // namespace leitong
