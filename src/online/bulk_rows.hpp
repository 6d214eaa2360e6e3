// The rows of an index that is built in bulk: written into sorted files as they arrive, and readable before
// the database has them.
#pragma once

#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/repeated_ids.hpp"
#include "leitong/result.hpp"
#include "online/database.hpp"
#include "online/row.hpp"

namespace leitong::online {

/// Rows arrive in the order of their numbers, from 0. They become sorted files of some 32 MB, which the
/// database adopts unchanged; the rows of the current file are in memory as well. An id is found by its hash,
/// in 32 to 64 bytes. Reading is thread-safe while no thread appends.
class BulkRows {
 public:
  /// Writes files in the folder `place`, for this family of the database. Both outlive it.
  BulkRows(const std::filesystem::path& place, Database& database, unsigned family, rocksdb::Options options);

  Result<void> append(TextNumber number, const Row& row);
  /// Passes all rows to the database.
  Result<void> finish();

  /// Is this row not yet in the database?
  [[nodiscard]] bool holds(TextNumber number) const noexcept { return number >= first_; }
  /// REQUIRES holds(number). False if there is no such row.
  [[nodiscard]] bool read(TextNumber number, Row& row) const;
  /// The only text that may have this id; it is not verified.
  [[nodiscard]] std::optional<TextNumber> may_have(std::string_view id) const;

 private:
  std::filesystem::path file_;
  Database& database_;
  unsigned family_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;  // null: no file is open
  TextNumber first_ = 0;                            // first row of the file
  std::vector<std::string> rows_;                   // rows of the file, packed
  std::size_t bytes_ = 0;
  IdSet ids_;
  std::map<std::string, TextNumber, std::less<>> others_;  // ids whose hash another id has
};

}  // namespace leitong::online
