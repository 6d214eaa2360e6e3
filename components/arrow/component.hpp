// The parts of the component; component.cpp offers them together.
#pragma once

#include <parquet/properties.h>

#include <memory>
#include <vector>

#include "io/table_files.hpp"

namespace leitong {

[[nodiscard]] Result<std::unique_ptr<TableReader>> open_parquet(std::unique_ptr<TableBytes> bytes,
                                                                std::uint64_t memory);
[[nodiscard]] std::unique_ptr<TableCopier> new_parquet_copier(ByteSink sink, std::uint64_t memory);
/// The settings for reading Parquet files: columns through a small buffer each, never as a whole, and
/// checked.
[[nodiscard]] parquet::ReaderProperties parquet_properties(arrow::MemoryPool* pool);

[[nodiscard]] Result<std::unique_ptr<TableReader>> open_arrow(std::unique_ptr<TableBytes> bytes,
                                                              std::uint64_t memory);
[[nodiscard]] std::unique_ptr<TableCopier> new_arrow_copier(ByteSink sink, std::uint64_t memory);

[[nodiscard]] Result<std::unique_ptr<TableWriter>> new_table_writer(TableForm form,
                                                                    std::vector<TableColumn> columns,
                                                                    ByteSink sink);

}  // namespace leitong
