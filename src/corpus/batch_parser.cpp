#include "corpus/batch_parser.hpp"

#include <algorithm>

#include "corpus/repeated_ids.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {
namespace {

bool is_blank_line(std::string_view line) noexcept {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

}  // namespace

std::string_view without_line_end(std::string_view record) noexcept {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

void BatchParser::parse(Batch& batch, const EachDocument& each) {
  if (batch.files) return parse_files(batch, each);
  const InputKind kind = sources_[batch.source].kind;
  if (kind == InputKind::jsonl || kind == InputKind::lines) return parse_lines(batch, each);
  parse_ends(batch, each);
}

void BatchParser::parse_lines(Batch& batch, const EachDocument& each) {
  const std::string_view data = batch.data.view();
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t feed = data.find('\n', at);
    const std::size_t end = feed == std::string_view::npos ? data.size() : feed + 1;
    const std::string_view line = without_line_end(data.substr(at, end - at));
    if (!is_blank_line(line)) judge(batch, line, batch.data_lines, each);
    ++batch.data_lines;
    at = end;
  }
}

void BatchParser::parse_ends(Batch& batch, const EachDocument& each) {
  const std::string_view data = batch.data.view();
  std::size_t at = 0;
  for (const std::size_t end : batch.ends) {
    const std::string_view whole = data.substr(at, end - at);
    const std::string_view record =
        is_one_document(sources_[batch.source].kind) ? whole : without_line_end(whole);
    if (!is_blank_line(record)) judge(batch, record, batch.data_lines, each);
    batch.data_lines += static_cast<std::uint64_t>(std::count(whole.begin(), whole.end(), '\n'));
    at = end;
  }
}

void BatchParser::judge(Batch& batch, std::string_view record, std::uint64_t line, const EachDocument& each) {
  if (record.size() > max_record_bytes_) {
    batch.rejected.push_back({line, 0, {}, too_large_message(record.size(), max_record_bytes_)});
    return;
  }
  const RecordFields& fields = read(sources_[batch.source], record);
  if (!fields.problem.empty()) {
    batch.rejected.push_back({line, 0, std::string(fields.id), fields.problem});
    return;
  }
  each(batch.accepted.size(), {fields.id, fields.text});
  batch.accepted.push_back({fields.id.empty() ? 0 : hash_id(fields.id),
                            static_cast<std::uint32_t>(record.data() - batch.data.data()),
                            static_cast<std::uint32_t>(record.size()), static_cast<std::uint32_t>(line)});
}

void BatchParser::parse_files(Batch& batch, const EachDocument&) {
  for (std::uint32_t i = 0; i < batch.source_count; ++i)
    batch.rejected.push_back({0, i, {}, "files that are one document each can't be read yet"});
  batch.stamps.resize(batch.source_count);
}

}  // namespace leitong
