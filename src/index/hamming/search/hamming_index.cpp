#include "index/hamming/search/hamming_index.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>

#include "base/thread.hpp"
#include "base/try.hpp"
#include "index/hamming/search/level_file.hpp"
#include "index/hamming/search/merged_rows.hpp"
#include "index/hamming/search/search_plan.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "scheme/scheme_file.hpp"

namespace leitong::hamming {
namespace {

namespace fs = std::filesystem;

/// A merge includes the levels of up to so many times its own rows. Fewer levels make searches faster, more
/// levels make insertions faster.
constexpr std::uint64_t kGrowth = 2;
/// So many sealed levels may wait for a merge in the background before writers wait.
constexpr std::size_t kSealedMost = 2;

}  // namespace

/// Keeps other processes out of a folder.
template <Fingerprint F>
class HammingIndex<F>::FolderLock {
 public:
  /// `shared`: other readers are allowed.
  static Result<std::unique_ptr<FolderLock>> take(const fs::path& folder, bool shared) {
    const fs::path path = folder / "lock";
    const int fd = ::open(path.c_str(), (shared ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC, 0666);
    if (fd < 0)
      return fail(ErrorCode::io, fmt::format("{}: can't be {}: {}", path.string(), shared ? "read" : "made",
                                             std::strerror(errno)));
    std::unique_ptr<FolderLock> lock(new FolderLock(fd));
    if (::flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0)
      return fail(ErrorCode::io,
                  fmt::format("{}: another process has this index open; wait for it, or search "
                              "its level files alone",
                              folder.string()));
    return lock;
  }
  ~FolderLock() { ::close(fd_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

template <Fingerprint F>
Result<std::unique_ptr<HammingIndex<F>>> HammingIndex<F>::open(IndexOptions options) {
  if (!std::has_single_bit(options.changes_in_memory) || options.changes_in_memory > 1u << 24)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("changes_in_memory {}: is no power of two up to 2^24", options.changes_in_memory));
  std::unique_ptr<HammingIndex> index(new HammingIndex(std::move(options)));
  LEITONG_TRY(index->prepare());
  return index;
}

template <Fingerprint F>
Result<void> HammingIndex<F>::prepare() {
  Stack stack;
  const fs::path& folder = options_.folder;
  manifest_.bits = kBits<F>;
  manifest_.distance = options_.distance;
  manifest_.scheme = options_.scheme;
  if (!folder.empty()) {
    std::error_code error;
    if (writes_files()) fs::create_directories(folder, error);
    if (error)
      return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", folder.string(), error.message()));
    LEITONG_ASSIGN(lock_, FolderLock::take(folder, options_.read_only));
    if (fs::exists(manifest_path(folder))) {
      LEITONG_ASSIGN(manifest_, read_manifest(folder));
      if (manifest_.bits != kBits<F> || manifest_.distance != options_.distance)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{}: holds an index of {} bits for distances up to {}, asked for were {} and {}",
                        folder.string(), manifest_.bits, manifest_.distance, kBits<F>, options_.distance));
      LEITONG_TRY(
          check_same_scheme({folder.native(), manifest_.scheme}, {"what it is opened for", options_.scheme}));
      if (options_.scheme && !manifest_.scheme)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("{}: doesn't say who made its fingerprints, so whether those of {} compare with them "
                        "can't be told; open it without a scheme, or build it anew",
                        folder.string(), scheme_label(*options_.scheme)));
      options_.scheme = manifest_.scheme;
      for (const std::uint64_t number : manifest_.levels) {
        LEITONG_ASSIGN(auto level, Level<F>::open(level_path(folder, number), options_.residence));
        stack.levels.push_back(std::move(level));
      }
    } else if (writes_files()) {
      LEITONG_TRY(write_manifest(folder, manifest_));
    }
  }
  // Levels in files are not read before they are needed, so the first merge chooses better shapes.
  LEITONG_TRY(shape_changes(uniform_sample<F>()));
  active_ = new_mutable();
  stack.active = active_;
  publish(std::move(stack));
  if (options_.merge_in_background) {
    LEITONG_ASSIGN(background_, start_thread([this] { work_in_background(); }));
  }
  return {};
}

/// Future mutable levels expect fingerprints like these.
template <Fingerprint F>
Result<void> HammingIndex<F>::shape_changes(const Sample<F>& sample) {
  // Chains are fastest with buckets of one entry, levels with buckets of several entries.
  const std::uint64_t fingerprints = std::uint64_t{6} * options_.changes_in_memory;
  LEITONG_ASSIGN(const Plan<F> plan, choose_search_plan<F>(options_.changes_in_memory, options_.distance,
                                                           std::numeric_limits<double>::infinity(), sample));
  LEITONG_ASSIGN(auto shapes, level_shapes(plan, fingerprints, sample.order));
  const std::scoped_lock lock(mutex_);
  mutable_shapes_ = std::move(shapes);
  return {};
}

template <Fingerprint F>
HammingIndex<F>::~HammingIndex() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  sealed_.notify_all();
  if (background_.joinable()) background_.join();
}

template <Fingerprint F>
std::shared_ptr<MutableLevel<F>> HammingIndex<F>::new_mutable() const {
  std::vector<TableShape<F>> shapes;
  {
    const std::scoped_lock lock(mutex_);
    shapes = mutable_shapes_;
  }
  return std::make_shared<MutableLevel<F>>(shapes, options_.changes_in_memory);
}

template <Fingerprint F>
std::shared_ptr<const LevelStack<F>> HammingIndex<F>::stack() const {
  const std::scoped_lock lock(mutex_);
  return stack_;
}

template <Fingerprint F>
void HammingIndex<F>::publish(Stack stack) {
  auto next = std::make_shared<const Stack>(std::move(stack));
  const std::scoped_lock lock(mutex_);
  stack_.swap(next);
}

template <Fingerprint F>
Snapshot<F> HammingIndex<F>::snapshot() const {
  auto now = stack();
  const std::uint32_t visible = now->active->changes();
  return Snapshot<F>(std::move(now), options_.distance, visible);
}

template <Fingerprint F>
Result<void> HammingIndex<F>::change(std::span<const Row<F>> rows, bool removal) {
  const std::scoped_lock writing(writer_);
  for (const Row<F>& row : rows) {
    if (active_->changes() == active_->capacity()) {
      if (options_.merge_in_background) {
        std::unique_lock lock(mutex_);
        merged_.wait(lock, [&] { return stack_->sealed.size() < kSealedMost || background_error_; });
        if (background_error_) return tl::unexpected<Error>(*background_error_);
      }
      seal();
      if (!options_.merge_in_background) LEITONG_TRY(run_jobs(false));
    }
    if (removal)
      active_->remove(row);
    else
      active_->insert(row);
  }
  return {};
}

/// Begins a new mutable level. REQUIRES writer_.
template <Fingerprint F>
void HammingIndex<F>::seal() {
  if (active_->changes() == 0) return;
  auto next = new_mutable();
  {
    const std::scoped_lock lock(mutex_);
    Stack stack = *stack_;
    stack.sealed.push_back(std::move(active_));
    stack.active = next;
    stack_ = std::make_shared<const Stack>(std::move(stack));
  }
  active_ = std::move(next);
  sealed_.notify_all();
}

/// The next merge. REQUIRES merging_, so that the levels do not change until it is done.
template <Fingerprint F>
std::optional<typename HammingIndex<F>::Job> HammingIndex<F>::next_job(bool everything) const {
  Job job{stack(), 0, 0};
  job.sealed = job.stack->sealed.size();
  job.first_level = job.stack->levels.size();
  if (everything) {
    const bool one = job.first_level == 1 && job.sealed == 0 && job.stack->levels[0]->parts().removed.empty();
    job.first_level = 0;
    return one || job.stack->levels.size() + job.sealed == 0 ? std::nullopt : std::optional(job);
  }
  if (job.sealed == 0) return std::nullopt;
  std::uint64_t rows = 0;
  for (const auto& sealed : job.stack->sealed) rows += sealed->changes();
  for (; job.first_level > 0; --job.first_level) {
    const std::uint64_t older = job.stack->levels[job.first_level - 1]->size();
    if (older > kGrowth * rows || older + rows >= 0xffffffff) break;
    rows += older;
  }
  return job;
}

/// REQUIRES merging_.
template <Fingerprint F>
Result<void> HammingIndex<F>::run(const Job& job) {
  const auto& levels = job.stack->levels;
  const auto first = levels.begin() + static_cast<std::ptrdiff_t>(job.first_level);
  for (auto level = first; level != levels.end(); ++level) LEITONG_TRY((*level)->verify());
  const MergedRows<F> rows({first, levels.end()}, job.stack->sealed);
  LEITONG_ASSIGN(const Sample<F> sample, take_sample<F>(rows));
  LEITONG_TRY(shape_changes(sample));
  LEITONG_ASSIGN(const Plan<F> plan, choose_search_plan<F>(rows.size(), options_.distance,
                                                           std::numeric_limits<double>::infinity(), sample));
  LEITONG_ASSIGN(const auto shapes, level_shapes(plan, rows.size(), sample.order));
  // No level is older than the oldest one, so its removals are not needed.
  auto removed = job.first_level == 0 ? std::vector<Row<F>>{} : rows.removed();
  const auto build = [&] {
    return build_level(rows, shapes, options_.distance, std::move(removed), options_.stop);
  };
  LEITONG_ASSIGN(auto image, options_.context != nullptr ? on_threads(*options_.context, build) : build());
  std::shared_ptr<const Level<F>> level = std::make_shared<Level<F>>(std::move(image));
  const bool empty = level->size() == 0 && level->parts().removed.empty();

  std::vector<std::uint64_t> replaced;
  if (writes_files()) {
    Manifest next = manifest_;
    replaced.assign(next.levels.begin() + static_cast<std::ptrdiff_t>(job.first_level), next.levels.end());
    next.levels.resize(job.first_level);
    if (!empty) {
      next.levels.push_back(next.next_level);
      LEITONG_ASSIGN(level, keep(std::move(level), next.next_level++));
    }
    LEITONG_TRY(write_manifest(options_.folder, next));
    manifest_ = std::move(next);
  }
  {
    const std::scoped_lock lock(mutex_);
    Stack stack = *stack_;  // more levels may have been sealed since
    stack.levels.resize(job.first_level);
    if (!empty) stack.levels.push_back(std::move(level));
    stack.sealed.erase(stack.sealed.begin(), stack.sealed.begin() + static_cast<std::ptrdiff_t>(job.sealed));
    stack_ = std::make_shared<const Stack>(std::move(stack));
    ++merges_;
    merged_rows_ += rows.size();
  }
  merged_.notify_all();
  // Snapshots that still read them keep them mapped.
  std::error_code ignored;
  for (const std::uint64_t number : replaced) fs::remove(level_path(options_.folder, number), ignored);
  return {};
}

/// Writes a level to the folder and returns it in its final form.
template <Fingerprint F>
Result<std::shared_ptr<const Level<F>>> HammingIndex<F>::keep(std::shared_ptr<const Level<F>> level,
                                                              std::uint64_t number) const {
  const fs::path path = level_path(options_.folder, number);
  LEITONG_ASSIGN(const auto file, OutputFile::create(path, true));
  LEITONG_TRY(write_level(
      level->parts(), [&](std::string_view bytes) { return file->write(bytes); }, options_.scheme));
  LEITONG_TRY(file->commit());
  if (options_.residence == Residence::loaded) return level;
  return Level<F>::open(path, Residence::mapped);
}

template <Fingerprint F>
Result<void> HammingIndex<F>::run_jobs(bool everything) {
  const std::scoped_lock merging(merging_);
  while (const auto job = next_job(false)) LEITONG_TRY(run(*job));
  if (!everything) return {};
  const auto job = next_job(true);
  return job ? run(*job) : Result<void>{};
}

template <Fingerprint F>
Result<void> HammingIndex<F>::flush() {
  {
    const std::scoped_lock writing(writer_);
    seal();
  }
  return run_jobs(false);
}

template <Fingerprint F>
Result<void> HammingIndex<F>::merge() {
  {
    const std::scoped_lock writing(writer_);
    seal();
  }
  return run_jobs(true);
}

template <Fingerprint F>
void HammingIndex<F>::work_in_background() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      sealed_.wait(lock, [&] { return stopping_ || !stack_->sealed.empty(); });
      if (stopping_) return;
    }
    auto done = run_jobs(false);
    if (done) continue;
    {
      const std::scoped_lock lock(mutex_);
      background_error_ = std::move(done).error();
    }
    merged_.notify_all();
    return;
  }
}

template <Fingerprint F>
IndexFigures HammingIndex<F>::figures() const {
  const std::scoped_lock lock(mutex_);
  IndexFigures figures;
  for (const auto& level : stack_->levels) {
    figures.rows += level->size();
    figures.table_bytes += level->table_bytes();
    figures.id_bytes += level->id_bytes();
  }
  figures.levels = stack_->levels.size();
  for (const auto& sealed : stack_->sealed) figures.changes += sealed->changes();
  figures.changes += stack_->active->changes();
  figures.merges = merges_;
  figures.merged_rows = merged_rows_;
  return figures;
}

template class HammingIndex<Fingerprint64>;
template class HammingIndex<Fingerprint128>;

}  // namespace leitong::hamming
