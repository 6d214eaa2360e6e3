#include "corpus/batch_parser.hpp"

#include <algorithm>

#include "corpus/document_file.hpp"
#include "corpus/record_store.hpp"
#include "corpus/repeated_ids.hpp"
#include "corpus/stream_reader.hpp"

namespace leitong {
namespace {

/// A file's buffer that is larger is given back after use.
constexpr std::size_t kKeptFile = std::size_t{16} << 20;

bool is_blank_line(std::string_view line) noexcept {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

}  // namespace

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
  each({fields.id, fields.text});
  batch.accepted.push_back({fields.id.empty() ? 0 : hash_id(fields.id),
                            static_cast<std::uint32_t>(record.data() - batch.data.data()),
                            static_cast<std::uint32_t>(record.size()), static_cast<std::uint32_t>(line)});
}

void BatchParser::parse_files(Batch& batch, const EachDocument& each) {
  batch.stamps.resize(batch.source_count);
  for (std::uint32_t i = 0; i < batch.source_count; ++i) {
    const std::uint32_t source = batch.source + i;
    std::string problem = load(source, &file_bytes_, batch.stamps[i]);
    if (problem.empty()) problem = read(sources_[source], file_.view()).problem;
    if (!problem.empty()) {
      batch.rejected.push_back({0, i, {}, std::move(problem)});
      continue;
    }
    each({fields_.id, fields_.text});
    batch.accepted.push_back({0, i, static_cast<std::uint32_t>(file_.size()), 0});
  }
}

std::string BatchParser::load(std::uint32_t source, std::atomic<std::uint64_t>* counter, FileStamp& stamp) {
  if (file_.capacity() > kKeptFile) file_ = PaddedBytes();
  const std::string path(sources_.path(source));
  return without_path(load_document_file(path, max_record_bytes_, stop_, counter, file_, stamp), path);
}

Result<const RecordFields*> BatchParser::read_file(std::uint32_t source) {
  FileStamp stamp;
  const std::string problem = load(source, nullptr, stamp);
  if (!problem.empty() || stamp != sources_[source].stamp) return changed_file(sources_.path(source));
  return &read(sources_[source], file_.view());
}

}  // namespace leitong
