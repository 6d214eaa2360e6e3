#include "base/partitions.hpp"

#include <malloc.h>

namespace leitong {

Partitions::~Partitions() {
  for (const Partition& partition : partitions_)
    budget_.release(partition.memory.size() * sizeof(std::uint64_t));
}

Result<void> Partitions::Writer::pass_on(unsigned partition) {
  auto& block = (*blocks_)[partition];
  LEITONG_TRY(owner_.append(partition, {block.values.data(), block.size}));
  block.size = 0;
  return {};
}

Result<void> Partitions::Writer::flush() {
  for (unsigned partition = 0; partition < kCount; ++partition)
    if ((*blocks_)[partition].size > 0) LEITONG_TRY(pass_on(partition));
  return {};
}

Result<void> Partitions::append(unsigned index, std::span<const std::uint64_t> values) {
  {
    Partition& partition = partitions_[index];
    const std::scoped_lock lock(partition.mutex);
    partition.memory.append(values);
  }
  budget_.hold(values.size_bytes());
  in_memory_.fetch_add(values.size_bytes(), std::memory_order_relaxed);
  size_.fetch_add(values.size(), std::memory_order_relaxed);
  return should_spill() ? spill() : Result<void>{};
}

Result<void> Partitions::spill() {
  const std::scoped_lock file_lock(file_mutex_);
  if (!should_spill()) return {};  // another thread was quicker
  if (!file_) {
    LEITONG_ASSIGN(file_, work_.new_file());
  }
  for (Partition& partition : partitions_) {
    const std::scoped_lock lock(partition.mutex);
    const std::uint64_t count = partition.memory.size();
    if (count == 0) continue;
    LEITONG_ASSIGN(const std::uint64_t offset,
                   file_->append(partition.memory.data(), count * sizeof(std::uint64_t)));
    partition.runs.push_back({offset, count});
    partition.memory = PodVector<std::uint64_t>();
    let_go(count);
  }
  ::malloc_trim(0);  // 256 arrays that grew side by side leave a heap of holes
  return {};
}

Result<void> Partitions::load(unsigned index, PodVector<std::uint64_t>& values) const {
  const Partition& partition = partitions_[index];
  const std::scoped_lock lock(partition.mutex);
  std::uint64_t total = partition.memory.size();
  for (const Run& run : partition.runs) total += run.count;
  values.clear();
  values.reserve(total);
  for (const Run& run : partition.runs) {
    const std::size_t old = values.size();
    values.resize_for_overwrite(old + run.count);
    LEITONG_TRY(file_->read(run.offset, values.data() + old, run.count * sizeof(std::uint64_t)));
  }
  values.append(partition.memory);
  return {};
}

Result<void> Partitions::take(unsigned index, PodVector<std::uint64_t>& values) {
  LEITONG_TRY(load(index, values));
  Partition& partition = partitions_[index];
  const std::scoped_lock lock(partition.mutex);
  let_go(partition.memory.size());
  size_.fetch_sub(values.size(), std::memory_order_relaxed);
  partition.memory = PodVector<std::uint64_t>();
  partition.runs.clear();
  return {};
}

}  // namespace leitong
