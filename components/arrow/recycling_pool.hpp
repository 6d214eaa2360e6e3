// Memory for buffers that are freed and allocated again with every page and batch. The allocator would return
// them to the system each time, and getting new pages takes longer than filling them.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/status.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace leitong {

/// Keeps up to 64 MB of freed buffers of 32 KiB to 16 MiB for later requests; these have a power of two
/// bytes. Kept memory still counts as allocated from `base`. Thread-safe, as Arrow requires of pools.
class RecyclingPool final : public arrow::MemoryPool {
 public:
  explicit RecyclingPool(arrow::MemoryPool* base) : base_(base) {}
  RecyclingPool(const RecyclingPool&) = delete;
  RecyclingPool& operator=(const RecyclingPool&) = delete;
  ~RecyclingPool() override { ReleaseUnused(); }

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override;
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** buffer) override;
  void Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) override;
  void ReleaseUnused() override;

  [[nodiscard]] std::int64_t bytes_allocated() const override { return base_->bytes_allocated() - kept_; }
  [[nodiscard]] std::int64_t total_bytes_allocated() const override { return base_->total_bytes_allocated(); }
  [[nodiscard]] std::int64_t num_allocations() const override { return base_->num_allocations(); }
  [[nodiscard]] std::string backend_name() const override { return base_->backend_name(); }

 private:
  arrow::MemoryPool* base_;
  std::array<std::vector<std::uint8_t*>, 9> freed_;  // by size: 64 KiB, 128 KiB, .. 16 MiB
  std::atomic<std::int64_t> kept_ = 0;               // bytes in them
  std::mutex mutex_;                                 // guards both
};

}  // namespace leitong
