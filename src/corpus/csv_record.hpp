// The fields of one CSV or TSV record.
#pragma once

#include <cstddef>
#include <vector>

namespace leitong {

/// What the header of a CSV or TSV file says.
struct CsvLayout {
  char delimiter = ',';
  std::size_t columns = 0;
  std::vector<std::size_t>
      column_of;  ///< by position in FieldNames::names; npos where the file has no such column
};

}  // namespace leitong
