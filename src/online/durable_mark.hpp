// What is known to be durable of an index in a folder: the file `durable`, which is compared with the RocksDB
// beside it at each opening, because RocksDB accepts a log of writes or a manifest that was cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "leitong/result.hpp"

namespace leitong::online {

/// What is durable. All zeros if nothing is known.
struct Durable {
  std::uint64_t write = 0;  ///< RocksDB's number of the last write
  std::uint64_t manifest = 0;
  std::uint64_t manifest_bytes = 0;  ///< durable length of the manifest
  std::uint64_t manifest_hash = 0;   ///< XXH3-64 of this part
  std::uint64_t turn = 0;            ///< raised with each state that is noted
};

/// The latest complete state. All zeros if the file is missing or holds no state yet. Fails with corrupt if
/// it is damaged.
Result<Durable> read_durable(const std::filesystem::path& place);

/// The content of the file CURRENT: the name of the manifest, "MANIFEST-" and a number. Empty for any other
/// content.
std::string manifest_name(const std::filesystem::path& place);

/// Is the manifest complete, as far as is known? If not, fails with corrupt and names the file.
Result<void> check_manifest(const std::filesystem::path& place, const Durable& durable);

/// If the manifest is damaged: replaces it by the copy in the file `files` and makes CURRENT name it. Does
/// nothing if it is complete, or if the copy is of an earlier manifest.
Result<void> restore_manifest(const std::filesystem::path& place);

/// Is there an index in this folder? Fails with corrupt if there are only files of an index that cannot be
/// opened, so that no new one is made there.
Result<bool> holds_index(const std::filesystem::path& place);

/// Writes the file: two states in turn, so that one is complete while the other one is written. Not
/// thread-safe.
class DurableMark {
 public:
  /// Makes the file if it is missing. On return the file and its content are durable.
  static Result<std::unique_ptr<DurableMark>> open(const std::filesystem::path& place);
  ~DurableMark();
  DurableMark(const DurableMark&) = delete;
  DurableMark& operator=(const DurableMark&) = delete;

  /// Notes that all writes up to this one are durable, together with the present manifest, which it makes
  /// durable. The file itself is not synced: after a power failure, or a failure of this call, an earlier
  /// state may be there, which is also true.
  void note(std::uint64_t write);
  /// Notes only the manifest.
  void note_files() { note(state_.write); }

 private:
  explicit DurableMark(std::filesystem::path place) : place_(std::move(place)) {}
  /// Notes the manifest and keeps a copy of it.
  void look_at_manifest();
  [[nodiscard]] bool put() const;

  const std::filesystem::path place_;
  int file_ = -1;
  Durable state_;
};

}  // namespace leitong::online
