#include "io/partitions.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/system.hpp"
#include "base/try.hpp"

namespace leitong {

Partitions::~Partitions() {
  for (Partition& partition : partitions_) let_go(partition);
}

Result<void> Partitions::Writer::pass_on(unsigned partition) {
  auto& block = (*blocks_)[partition];
  // The block is empty even if this fails: other tasks of the thread append to it until all have ended.
  return owner_.append(partition, {block.values.data(), std::exchange(block.size, 0)});
}

Result<void> Partitions::Writer::flush() {
  for (unsigned partition = 0; partition < kCount; ++partition)
    if ((*blocks_)[partition].size > 0) LEITONG_TRY(pass_on(partition));
  return {};
}

void Partitions::Partition::copy_to(std::uint64_t* out, std::size_t begin, std::size_t count) const {
  for (const Chunk& chunk : chunks) {
    const std::size_t before = std::min(begin, chunk.room), here = std::min(count, chunk.room - before);
    out = std::copy_n(chunk.values.get() + before, here, out);
    begin -= before;
    count -= here;
  }
}

void Partitions::let_go(Partition& partition) noexcept {
  const std::uint64_t bytes = sizeof(std::uint64_t) * partition.room;
  run_.memory.release(bytes);
  in_memory_.fetch_sub(bytes, std::memory_order_relaxed);
  partition.chunks = std::vector<Chunk>();
  partition.in_memory = partition.room = 0;
}

Result<void> Partitions::append(unsigned index, std::span<const std::uint64_t> values) {
  LEITONG_TRY(run_.stop.check());  // loops that make millions of values call this
  size_.fetch_add(values.size(), std::memory_order_relaxed);
  {
    Partition& partition = partitions_[index];
    const std::scoped_lock lock(partition.mutex);
    while (!values.empty()) {
      if (partition.in_memory == partition.room) {
        const std::size_t room = std::clamp(std::bit_floor(partition.room / 8), kLeastChunk, kMostChunk);
        partition.chunks.push_back({room, std::make_unique_for_overwrite<std::uint64_t[]>(room)});
        partition.room += room;
        run_.memory.hold(sizeof(std::uint64_t) * room);
        in_memory_.fetch_add(sizeof(std::uint64_t) * room, std::memory_order_relaxed);
      }
      const Chunk& last = partition.chunks.back();
      const std::size_t left = partition.room - partition.in_memory, here = std::min(values.size(), left);
      std::copy_n(values.begin(), here, last.values.get() + (last.room - left));
      partition.in_memory += here;
      values = values.subspan(here);
    }
  }
  return should_spill() ? spill() : Result<void>{};
}

Result<void> Partitions::spill() {
  const std::scoped_lock file_lock(file_mutex_);
  if (!should_spill()) return {};  // another thread was faster
  if (!file_) {
    LEITONG_ASSIGN(file_, run_.work.new_file());
  }
  freed_ += in_memory_.load(std::memory_order_relaxed);
  PodVector<std::uint64_t> values;
  for (Partition& partition : partitions_) {
    LEITONG_TRY(run_.stop.check());
    const std::scoped_lock lock(partition.mutex);
    if (partition.in_memory == 0) continue;
    values.resize_for_overwrite(partition.in_memory);
    partition.copy_to(values.data(), 0, partition.in_memory);
    LEITONG_ASSIGN(const std::uint64_t offset,
                   file_->append(values.data(), values.size() * sizeof(std::uint64_t)));
    partition.runs.push_back({offset, values.size()});
    let_go(partition);
  }
  // Blocks of others between the chunks keep their pages. To look for these takes as long as all of the heap
  // is large.
  if (freed_ >= run_.memory.limit() / kReturned) {
    system::return_freed_memory();
    freed_ = 0;
  }
  return {};
}

Result<void> Partitions::load(unsigned index, PodVector<std::uint64_t>& values) const {
  const Partition& partition = partitions_[index];
  std::uint64_t total;
  {
    const std::scoped_lock lock(partition.mutex);
    total = partition.in_memory;
    for (const Run& run : partition.runs) total += run.count;
  }
  return load_some(index, 0, total, values);
}

Result<void> Partitions::load_some(unsigned index, std::uint64_t begin, std::uint64_t count,
                                   PodVector<std::uint64_t>& values) const {
  const Partition& partition = partitions_[index];
  const std::scoped_lock lock(partition.mutex);
  values.clear();
  values.reserve(count);  // exactly
  values.resize_for_overwrite(count);
  std::uint64_t* out = values.data();
  for (const Run& run : partition.runs) {
    if (begin >= run.count) {
      begin -= run.count;
      continue;
    }
    const std::uint64_t here = std::min(count, run.count - begin);
    if (here == 0) break;
    LEITONG_TRY(file_->read(run.offset + begin * sizeof(std::uint64_t), out, here * sizeof(std::uint64_t)));
    out += here;
    count -= here;
    begin = 0;
  }
  partition.copy_to(out, begin, count);
  return {};
}

Result<void> Partitions::take(unsigned index, PodVector<std::uint64_t>& values) {
  LEITONG_TRY(load(index, values));
  clear(index);
  return {};
}

void Partitions::clear(unsigned index) noexcept {
  Partition& partition = partitions_[index];
  const std::scoped_lock lock(partition.mutex);
  std::uint64_t count = partition.in_memory;
  let_go(partition);
  for (const Run& run : partition.runs) {
    file_->let_go(run.offset, run.count * sizeof(std::uint64_t));
    count += run.count;
  }
  partition.runs.clear();
  size_.fetch_sub(count, std::memory_order_relaxed);
}

}  // namespace leitong
