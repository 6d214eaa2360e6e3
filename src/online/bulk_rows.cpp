#include "online/bulk_rows.hpp"

#include <utility>

#include "base/try.hpp"
#include "online/bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::size_t kFileBytes = std::size_t{32} << 20;

}  // namespace

BulkRows::BulkRows(const std::filesystem::path& place, Database& database, unsigned family,
                   rocksdb::Options options)
    : file_(place / "texts-on-their-way.sst"),
      database_(database),
      family_(family),
      options_(std::move(options)) {}

Result<void> BulkRows::append(TextNumber number, const Row& row) {
  if (writer_ == nullptr) {
    writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), options_);
    if (const rocksdb::Status opened = writer_->Open(file_.string()); !opened.ok())
      return database_.failed(opened);
    first_ = number;
  }
  std::string value = row_head(row);
  value.append(row.packed);
  if (const rocksdb::Status put = writer_->Put(key_of(number), value); !put.ok())
    return database_.failed(put);
  bytes_ += value.size();
  rows_.push_back(std::move(value));
  const std::uint64_t hash = hash_id(row.id);
  if (ids_.insert(hash, number)) others_.emplace(row.id, number);
  return bytes_ < kFileBytes ? Result<void>{} : finish();
}

Result<void> BulkRows::finish() {
  if (writer_ == nullptr) return {};
  rocksdb::Status status = writer_->Finish();
  if (status.ok()) {
    LEITONG_ASSIGN(const Database::Use db, database_.use());
    rocksdb::IngestExternalFileOptions options;
    options.move_files = true;
    status = db->IngestExternalFile(db.family(family_), {file_.string()}, options);
  }
  if (!status.ok()) return database_.failed(status);
  std::error_code gone;
  std::filesystem::remove(file_, gone);
  writer_.reset();
  first_ += static_cast<TextNumber>(rows_.size());
  rows_.clear();
  bytes_ = 0;
  return {};
}

bool BulkRows::read(TextNumber number, Row& row) const {
  return number - first_ < rows_.size() && unpack_row(rows_[number - first_], row);
}

std::optional<TextNumber> BulkRows::may_have(std::string_view id) const {
  if (const auto other = others_.find(id); other != others_.end()) return other->second;
  return ids_.find(hash_id(id));
}

}  // namespace leitong::online
