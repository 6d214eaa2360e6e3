// How many bytes the run may hold before it goes to disk.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace leitong {

/// A budget shared by everything that can spill. What grows with the documents and can't spill (places,
/// lengths, rarity totals) is counted per document; the rest may be held in buffers. Thread-safe.
class MemoryBudget {
 public:
  /// Bytes that the program, its tables, read buffers and the recall sample take whatever the input is.
  static constexpr std::uint64_t kFixed = 56ull << 20;
  /// Bytes of arrays per document that stay in memory.
  static constexpr std::uint64_t kPerDocument = 96;
  /// Buffers below this make runs of a few kilobytes on disk, and the disk seeks more than it reads.
  static constexpr std::uint64_t kLeastBuffers = 8ull << 20;

  /// `limit` bytes in all; 0 lets the budget grow with the input, see without_limit().
  explicit MemoryBudget(std::uint64_t limit = 0) noexcept : limit_(limit) {}

  void set_documents(std::uint64_t documents) noexcept {
    documents_.store(documents, std::memory_order_relaxed);
  }

  /// The smallest limit that can work for so many documents.
  [[nodiscard]] static constexpr std::uint64_t least(std::uint64_t documents) noexcept {
    return kFixed + kLeastBuffers + kPerDocument * documents;
  }
  /// What a run without a limit may take for so many documents.
  [[nodiscard]] static constexpr std::uint64_t without_limit(std::uint64_t documents) noexcept {
    return (128ull << 20) + 600 * documents;
  }
  [[nodiscard]] bool too_small() const noexcept {
    return limit_ != 0 && limit_ < least(documents_.load(std::memory_order_relaxed));
  }
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  /// Bytes that all buffers together may hold now.
  [[nodiscard]] std::uint64_t for_buffers() const noexcept {
    const std::uint64_t documents = documents_.load(std::memory_order_relaxed);
    if (limit_ == 0) return (96ull << 20) + 250 * documents;
    const std::uint64_t fixed = kFixed + kPerDocument * documents;
    return limit_ > fixed + kLeastBuffers ? limit_ - fixed : kLeastBuffers;
  }

  void hold(std::uint64_t bytes) noexcept { held_.fetch_add(bytes, std::memory_order_relaxed); }
  void release(std::uint64_t bytes) noexcept { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  [[nodiscard]] bool exceeded() const noexcept {
    return held_.load(std::memory_order_relaxed) > for_buffers();
  }

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> documents_{0};
  std::atomic<std::uint64_t> held_{0};
};

}  // namespace leitong
