// The rows of an index that is made at once: written into sorted files as they come, and read before they are
// in the database.
#pragma once

#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

#include <cstdint>
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

/// Rows come in the order of their numbers, from 0. They become sorted files of some 32 MB, which the
/// database takes over as they are; the rows of the file that is being written are in memory, too. Ids are
/// found by their hashes, in 32 to 64 bytes each. Reading is thread-safe as long as nobody appends.
class BulkRows {
 public:
  /// Files are written in the folder `place`, for this family of the database. Both outlive it.
  BulkRows(std::filesystem::path place, Database& database, unsigned family, rocksdb::Options options);

  Result<void> append(TextNumber number, const Row& row);
  /// Hands what is there over to the database.
  Result<void> finish();

  /// Is this row still here?
  [[nodiscard]] bool holds(TextNumber number) const noexcept { return number >= first_; }
  /// REQUIRES that it holds this one. False if there is no such row.
  [[nodiscard]] bool read(TextNumber number, Row& row) const;
  /// The text that may have this id: no other one has it.
  [[nodiscard]] std::optional<TextNumber> may_have(std::string_view id) const;

 private:
  std::filesystem::path place_, file_;
  Database& database_;
  unsigned family_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;  // null where no file is begun
  TextNumber first_ = 0;                            // of the file
  std::vector<std::string> rows_;                   // of the file, packed
  std::size_t bytes_ = 0;
  IdSet ids_;
  std::map<std::string, TextNumber, std::less<>> others_;  // whose hash another id has
};

}  // namespace leitong::online
