// The exact Hamming index that takes changes: START HERE for search.
//
// It works like a log-structured merge tree (O'Neil et al., 1996). Changes go to a small mutable level in
// memory. When that is full it is sealed, made an immutable level, and merged with the levels that aren't
// much larger; so there are few levels, each a multiple of the next newer one. Searches look into all of
// them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "index/hamming/join/planner.hpp"
#include "index/hamming/search/manifest.hpp"
#include "index/hamming/search/snapshot.hpp"
#include "leitong/context.hpp"

namespace leitong::hamming {

struct IndexOptions {
  unsigned distance = 3;  ///< the largest one that will be searched, at most kMaxDistance
  /// Where levels are kept as files; empty for an index in memory alone.
  std::filesystem::path folder = {};
  /// Nothing in the folder changes: what is inserted or removed is gone with the process, whatever is
  /// flushed.
  bool read_only = false;
  /// Who makes the fingerprints. A new index keeps it; one that exists is opened only by the same, or by
  /// nobody named.
  std::optional<SchemeId> scheme = {};
  Residence residence = Residence::mapped;     ///< of levels in files
  std::uint32_t changes_in_memory = 1u << 16;  ///< a power of two
  /// Merges by a thread of its own, so that writers don't wait, unless they are far ahead. Otherwise the
  /// writer whose change fills the mutable level merges.
  bool merge_in_background = true;
  StopToken stop = {};  ///< ends merges, which then fail with ErrorCode::cancelled and change nothing
  const Context* context = nullptr;  ///< on whose threads levels are built; null: on those of the caller
};

struct IndexFigures {
  std::uint64_t rows = 0;     ///< in immutable levels, removed ones included until a merge drops them
  std::uint64_t changes = 0;  ///< not yet in immutable levels
  std::size_t levels = 0;
  std::uint64_t table_bytes = 0, id_bytes = 0;
  std::uint64_t merges = 0, merged_rows = 0;  ///< since it was opened
};

/// A set of rows: inserting one that is there changes nothing, and so does removing one that isn't. Any
/// number of threads may take snapshots and search them; changes exclude one another.
///
/// In a folder, flush() makes all changes so far outlast the process; what came after it is lost with the
/// process. One process at a time may have a folder open, which a lock ensures.
template <Fingerprint F>
class HammingIndex {
 public:
  /// Opens the folder's index, or makes an empty one there (or in memory). Fails with invalid_argument for
  /// options that can't be, or that contradict the folder; with io if another process has it; and as
  /// Level::open() does.
  static Result<std::unique_ptr<HammingIndex>> open(IndexOptions options);
  ~HammingIndex();
  HammingIndex(const HammingIndex&) = delete;
  HammingIndex& operator=(const HammingIndex&) = delete;

  /// Amortised O(log n) moves of a row. Fails as the merge did that it had to wait for; the changes up to the
  /// failure count.
  Result<void> insert(std::span<const Row<F>> rows) { return change(rows, false); }
  Result<void> insert(const Row<F>& row) { return insert({&row, 1}); }
  /// The rows themselves go with a later merge.
  Result<void> remove(std::span<const Row<F>> rows) { return change(rows, true); }
  Result<void> remove(const Row<F>& row) { return remove({&row, 1}); }

  /// The rows as they are now. O(1).
  [[nodiscard]] Snapshot<F> snapshot() const;

  /// Makes immutable levels of all changes, and in a folder writes them. Waits for merges in progress.
  Result<void> flush();
  /// flush(), then one level of everything; removed rows are gone. O(n).
  Result<void> merge();

  [[nodiscard]] IndexFigures figures() const;
  /// Nothing where it isn't known: it wasn't named, or the index is of a version that didn't keep it.
  [[nodiscard]] const std::optional<SchemeId>& scheme() const noexcept { return options_.scheme; }

 private:
  using Stack = LevelStack<F>;
  class FolderLock;
  /// Levels and sealed levels that become one level: from these numbers to the newest.
  struct Job {
    std::shared_ptr<const Stack> stack;
    std::size_t first_level;
    std::size_t sealed;
  };

  explicit HammingIndex(IndexOptions options) : options_(std::move(options)) {}
  Result<void> prepare();
  Result<void> change(std::span<const Row<F>> rows, bool removal);
  Result<void> shape_changes(const Sample<F>& sample);
  void seal();
  [[nodiscard]] bool writes_files() const { return !options_.folder.empty() && !options_.read_only; }
  [[nodiscard]] std::shared_ptr<MutableLevel<F>> new_mutable() const;
  [[nodiscard]] std::shared_ptr<const Stack> stack() const;
  void publish(Stack stack);
  [[nodiscard]] std::optional<Job> next_job(bool everything) const;
  Result<void> run(const Job& job);
  Result<void> run_jobs(bool everything);
  Result<std::shared_ptr<const Level<F>>> keep(std::shared_ptr<const Level<F>> level,
                                               std::uint64_t number) const;
  void work_in_background();

  IndexOptions options_;
  std::unique_ptr<FolderLock> lock_;
  std::mutex writer_;  // held by changes
  std::shared_ptr<MutableLevel<F>> active_;
  std::mutex merging_;  // held by whoever turns levels into others
  Manifest manifest_;   // of the folder; under merging_

  mutable std::mutex mutex_;  // for what follows, never held for long
  std::shared_ptr<const Stack> stack_;
  std::vector<TableShape<F>> mutable_shapes_;  // of mutable levels to come
  std::condition_variable sealed_, merged_;
  std::uint64_t merges_ = 0, merged_rows_ = 0;
  bool stopping_ = false;
  std::optional<Error> background_error_;
  std::thread background_;
};

}  // namespace leitong::hamming
