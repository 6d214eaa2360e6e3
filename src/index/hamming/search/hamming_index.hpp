// The exact Hamming index that can change: START HERE for search.
//
// It works like a log-structured merge tree (O'Neil et al., 1996). Changes go to a small mutable level in
// memory. When that is full it is sealed, converted to an immutable level, and merged with the levels that
// are not much larger. So there are few levels, each several times as large as the next newer one. A search
// reads all of them.
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
  unsigned distance = 3;  ///< the largest distance of a search, at most kMaxDistance
  /// The folder of the levels; empty: in memory alone.
  std::filesystem::path folder = {};
  /// Nothing in the folder changes: insertions and removals are lost with the process, even after flush().
  bool read_only = false;
  /// The scheme of the fingerprints. A new index stores it. An existing index opens only with the same
  /// scheme, or with none.
  std::optional<SchemeId> scheme = {};
  Residence residence = Residence::mapped;     ///< for levels in files
  std::uint32_t changes_in_memory = 1u << 16;  ///< capacity of the mutable level, a power of two
  /// Merges on a thread of its own, so that writers do not wait unless they are far ahead. Otherwise the
  /// writer that fills the mutable level merges.
  bool merge_in_background = true;
  StopToken stop = {};               ///< ends merges, which then fail with cancelled and change nothing
  const Context* context = nullptr;  ///< whose threads build levels; null: those of the caller
};

struct IndexFigures {
  std::uint64_t rows = 0;     ///< in immutable levels, with removed ones until a merge drops them
  std::uint64_t changes = 0;  ///< not yet in immutable levels
  std::size_t levels = 0;
  std::uint64_t table_bytes = 0, id_bytes = 0;
  std::uint64_t merges = 0,
                merged_rows = 0;  ///< merges since the index was opened, and the rows that they wrote
};

/// A set of rows: inserting a row that is there changes nothing, and neither does removing one that is not.
/// Any number of threads may take snapshots and search them; changes exclude one another.
///
/// In a folder, flush() makes all changes outlast the process; later changes are lost with the process. A
/// lock ensures that one process at a time has a folder open.
template <Fingerprint F>
class HammingIndex {
 public:
  /// Opens the folder's index, or makes an empty one there (or in memory). Fails with invalid_argument for
  /// impossible options and for options that contradict the folder; with io if another process uses it; and
  /// as Level::open() does.
  static Result<std::unique_ptr<HammingIndex>> open(IndexOptions options);
  ~HammingIndex();
  HammingIndex(const HammingIndex&) = delete;
  HammingIndex& operator=(const HammingIndex&) = delete;

  /// Amortised O(log n) moves of a row. Fails if a merge that it waits for failed, with its error; the
  /// changes before the failure count.
  Result<void> insert(std::span<const Row<F>> rows) { return change(rows, false); }
  Result<void> insert(const Row<F>& row) { return insert({&row, 1}); }
  /// A later merge deletes the rows themselves.
  Result<void> remove(std::span<const Row<F>> rows) { return change(rows, true); }
  Result<void> remove(const Row<F>& row) { return remove({&row, 1}); }

  /// The present rows. O(1).
  [[nodiscard]] Snapshot<F> snapshot() const;

  /// Makes immutable levels of all changes and writes them to the folder, if there is one. Waits for merges
  /// in progress.
  Result<void> flush();
  /// flush(), then merges everything into one level; removed rows are deleted. O(n).
  Result<void> merge();

  [[nodiscard]] IndexFigures figures() const;
  /// Nothing if the scheme is unknown: it was not given, or the version of the index did not store it.
  [[nodiscard]] const std::optional<SchemeId>& scheme() const noexcept { return options_.scheme; }

 private:
  using Stack = LevelStack<F>;
  class FolderLock;
  /// The levels and sealed levels that become one level: from these numbers to the newest.
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
  std::mutex writer_;  // held during changes
  std::shared_ptr<MutableLevel<F>> active_;
  std::mutex merging_;  // held by the thread that converts or merges levels
  Manifest manifest_;   // manifest of the folder; guarded by merging_

  mutable std::mutex mutex_;  // guards what follows; never held for long
  std::shared_ptr<const Stack> stack_;
  std::vector<TableShape<F>> mutable_shapes_;  // shapes of future mutable levels
  std::condition_variable sealed_, merged_;
  std::uint64_t merges_ = 0, merged_rows_ = 0;
  bool stopping_ = false;
  std::optional<Error> background_error_;
  std::thread background_;
};

}  // namespace leitong::hamming
