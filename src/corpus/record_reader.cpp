#include "corpus/record_reader.hpp"

namespace leitong {

void RecordReader::read(const Source& source, std::string_view record, RecordFields& fields) {
  switch (source.kind) {
    case InputKind::automatic:
    case InputKind::jsonl:
      json_.read(record, fields);
      return;
    case InputKind::csv:
    case InputKind::tsv:
    case InputKind::lines:
    case InputKind::text:
    case InputKind::html:
      fields.clear();
      fields.text = record;
      check_text(record, false, fields);
      return;
  }
}

}  // namespace leitong
