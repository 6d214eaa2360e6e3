// CSV of any bytes: every byte belongs to exactly one record, in whatever pieces the bytes come, and no
// record causes an error in memory.
#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus/csv_record.hpp"
#include "corpus/csv_scanner.hpp"
#include "corpus/stream_reader.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS("id,text\n1,\"a\"\"b\n\",x\r\n", "\"a\"b\n\"\n\"", "a,\"b\nc,d\n", "1,\"\r\n\"\r\n")

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const leitong::CsvDialect dialect;
  leitong::CsvScanner scanner(dialect, 2);
  std::vector<std::uint32_t> ends;
  require(scanner.whole_records(bytes, true, ends) == size);

  const leitong::FieldNames names("id", {"text"}, {});
  leitong::CsvRecordReader reader;
  const leitong::CsvLayout layout{dialect, 2, {0, 1}};
  leitong::RecordFields fields;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    require(end > begin);
    reader.read(layout, names, leitong::without_line_end(bytes.substr(begin, end - begin)), fields);
    if (fields.problem.empty())
      require(!fields.text.empty() && leitong::find_invalid_utf8(fields.text) == std::string::npos);
    begin = end;
  }
  require(begin == size);

  // What is complete stays complete when more bytes come.
  std::vector<std::uint32_t> first_ends;
  leitong::CsvScanner again(dialect, 2);
  const std::size_t half = again.whole_records(bytes.substr(0, size / 2), false, first_ends);
  require(half <= size / 2);
  std::vector<std::uint32_t> rest;
  require(again.whole_records(bytes.substr(half), true, rest) == size - half);
  for (const char* what : {"id,text", "text"})
    static_cast<void>(reader.read_header(what, dialect, names).has_value());
  static_cast<void>(
      reader.read_header(bytes, leitong::recognise_dialect(bytes, '\t', names), names).has_value());
  // A dialect that was recognised divides all bytes as well.
  leitong::CsvScanner recognised(leitong::recognise_dialect(bytes, '\t', names), 2);
  std::vector<std::uint32_t> other_ends;
  require(recognised.whole_records(bytes, true, other_ends) == size);
  return 0;
}
