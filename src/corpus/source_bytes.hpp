// The bytes of a source at any place, for those who read a file by its footer.
#pragma once

#include <cstdint>
#include <memory>

#include "base/stop.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"
#include "io/table_files.hpp"

namespace leitong {

/// Of a plain file its own bytes, and of a source that lies in the spool its first `spooled_bytes` there
/// (0: it is a plain file). A file that isn't what its stamp says any more is ErrorCode::corrupt and names
/// it.
[[nodiscard]] Result<std::unique_ptr<TableBytes>> bytes_of_source(const SourceList& sources,
                                                                  const RecordStore& store,
                                                                  std::uint32_t source,
                                                                  std::uint64_t spooled_bytes,
                                                                  StopToken stop);

}  // namespace leitong
