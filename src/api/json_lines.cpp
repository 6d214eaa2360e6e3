#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "corpus/json_record.hpp"
#include "corpus/padded_bytes.hpp"
#include "corpus/record_fields.hpp"
#include "leitong/read.hpp"

namespace leitong {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF", kWhite = " \t\r";

void append(std::string_view value, Strings& to) {
  to.bytes += value;
  to.offsets.push_back(static_cast<std::int64_t>(to.bytes.size()));
}

}  // namespace

Result<JsonLines> read_json_lines(std::string_view lines, const std::string& text, const std::string& id,
                                  std::string_view name, std::uint64_t first) {
  FieldNames names(id, {text}, {});
  names.blank_texts = true;
  JsonRecordReader reader(names);
  RecordFields fields;
  JsonLines made;
  made.texts.bytes.reserve(lines.size());
  if (first == 1 && lines.starts_with(kByteOrderMark)) lines.remove_prefix(kByteOrderMark.size());
  PaddedBytes last;  // the lines behind which too few bytes can be read
  for (bool padded = false; !lines.empty(); ++made.lines) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (!padded && lines.size() - end < kRecordPadding) {
      last.resize(lines.size());
      lines.copy(last.data(), lines.size());
      lines = last.view();
      padded = true;
    }
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.find_first_not_of(kWhite) == line.npos) continue;
    if (line.size() <= UINT32_MAX)
      reader.read(line, fields);
    else
      fields.problem = "the record has 4 GiB and more";
    const std::string place = fmt::format("{}:{}", name, first + made.lines);
    if (!fields.problem.empty())
      return fail(ErrorCode::corrupt, fmt::format("{}: {}; leave such records out", place, fields.problem));
    append(fields.text, made.texts);
    append(fields.id.empty() ? place : fields.id, made.ids);
  }
  return made;
}

}  // namespace leitong
