// What of an index in a folder is known to be durable: the file `durable`, which is compared with the
// RocksDB beside it at each opening. RocksDB takes a log of writes, or a list of its files, that was cut for
// all that was ever written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "leitong/result.hpp"

namespace leitong::online {

/// Zeros: nothing is known.
struct Durable {
  std::uint64_t write = 0;           ///< RocksDB's number of the last write
  std::uint64_t manifest = 0;        ///< number of the list of its files
  std::uint64_t manifest_bytes = 0;  ///< how many of it are durable
  std::uint64_t manifest_hash = 0;   ///< XXH3-64 of these
  std::uint64_t turn = 0;            ///< rises with each state that is noted
};

/// The latest state that is whole. All zeros if the file is missing, or has none as yet. Fails with corrupt
/// if it is damaged.
Result<Durable> read_durable(const std::filesystem::path& place);

/// What the file CURRENT says: the name of the list of files, "MANIFEST-" and a number. Empty if it says
/// anything else.
std::string manifest_name(const std::filesystem::path& place);

/// Is the list of files whole, as far as is known? Fails with corrupt and names the file if not.
Result<void> check_manifest(const std::filesystem::path& place, const Durable& durable);

/// Where the list of files isn't whole: puts the copy of it in its place that is kept in the file `files`,
/// and has CURRENT name it. Does nothing where it is whole, or where the copy is of an earlier one.
Result<void> restore_manifest(const std::filesystem::path& place);

/// Is there an index in this folder? Fails with corrupt if there are only files of one that can't be opened:
/// no new one may be made there.
Result<bool> holds_index(const std::filesystem::path& place);

/// Writes the file: two states by turns, so that one is whole while the other one is written. Not
/// thread-safe.
class DurableMark {
 public:
  /// Makes the file if it is missing. When this returns it is durable itself, with what it held.
  static Result<std::unique_ptr<DurableMark>> open(const std::filesystem::path& place);
  ~DurableMark();
  DurableMark(const DurableMark&) = delete;
  DurableMark& operator=(const DurableMark&) = delete;

  /// That all writes up to this one are durable; and the list of files as it is now, which is made so. It
  /// isn't synchronised: after a power failure an earlier state may stand there, which is true as well. A
  /// failure leaves an earlier one, too.
  void note(std::uint64_t write);
  /// The list of files alone.
  void note_files() { note(state_.write); }

 private:
  explicit DurableMark(std::filesystem::path place) : place_(std::move(place)) {}
  /// Notes the list of files, and keeps a copy of it.
  void look_at_manifest();
  [[nodiscard]] bool put() const;

  const std::filesystem::path place_;
  int file_ = -1;
  Durable state_;
};

}  // namespace leitong::online
