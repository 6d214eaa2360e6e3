#include "corpus/column_format.hpp"
#include "corpus/formats/formats.hpp"

namespace leitong {

const RecordFormat& arrow_format() {
  using namespace std::string_view_literals;
  // A file, a stream, and the first version of Feather, which is refused with its name.
  static const ColumnFormat format("arrow", {".arrow", ".feather", ".arrows"}, TableKind::arrow,
                                   {"ARROW1\0\0"sv, "\xff\xff\xff\xff"sv, "FEA1"sv});
  return format;
}

const RecordFormat& parquet_format() {
  static const ColumnFormat format("parquet", {".parquet", ".parq"}, TableKind::parquet, {"PAR1", "PARE"});
  return format;
}

}  // namespace leitong
