#include "corpus/column_format.hpp"
#include "corpus/formats/formats.hpp"

namespace leitong {

const RecordFormat& parquet_format() {
  static const ColumnFormat format("parquet", {".parquet", ".parq"}, TableKind::parquet, {"PAR1", "PARE"});
  return format;
}

}  // namespace leitong
