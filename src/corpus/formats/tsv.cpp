#include "corpus/formats/formats.hpp"
#include "corpus/formats/table_format.hpp"

namespace leitong {

const RecordFormat& tsv_format() {
  static const TableFormat format("tsv", {".tsv"}, '\t');
  return format;
}

}  // namespace leitong
