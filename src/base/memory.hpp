// The number of bytes that a run may hold before it uses the disk.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

namespace leitong {

/// A budget shared by everything that can spill. Data that grow with the documents and cannot spill (places,
/// lengths, rarity totals) are counted for each document. The rest may be held in buffers, and the owner of a
/// large one calls hold(). Thread-safe.
class MemoryBudget {
 public:
  /// The bytes of the program, its tables, read buffers and the recall sample, for any input.
  static constexpr std::uint64_t kFixed = 56ull << 20;
  /// The bytes of arrays for each document that stay in memory.
  static constexpr std::uint64_t kPerDocument = 96;
  /// With smaller buffers, runs on disk have a few kilobytes, and the disk seeks more than it reads.
  static constexpr std::uint64_t kLeastBuffers = 8ull << 20;

  /// `limit` bytes in all; 0: the budget grows with the input, see without_limit(). `available`: bytes that
  /// the system can give in this case.
  explicit MemoryBudget(std::uint64_t limit = 0, std::uint64_t available = UINT64_MAX) noexcept
      : limit_(limit), available_(available) {}

  void set_documents(std::uint64_t documents) noexcept {
    documents_.store(documents, std::memory_order_relaxed);
  }
  /// The bytes of the texts that were read.
  void set_text_bytes(std::uint64_t bytes) noexcept { text_bytes_.store(bytes, std::memory_order_relaxed); }

  /// The smallest limit that can work for so many documents.
  [[nodiscard]] static constexpr std::uint64_t least(std::uint64_t documents) noexcept {
    return fixed(documents) + kLeastBuffers;
  }
  /// The most that a run without a limit takes for so many documents with so many bytes of text: as much as
  /// makes it fast; the buffers take at most half of what the documents leave of the available memory.
  [[nodiscard]] static constexpr std::uint64_t without_limit(std::uint64_t documents,
                                                             std::uint64_t text_bytes,
                                                             std::uint64_t available) noexcept {
    const std::uint64_t buffers = std::max<std::uint64_t>((96ull << 20) + 250 * documents, 2 * text_bytes);
    const std::uint64_t rest = std::max(available, fixed(documents)) - fixed(documents);
    return std::max(least(documents), fixed(documents) + std::min(buffers, rest / 2));
  }
  [[nodiscard]] bool too_small() const noexcept {
    return limit_ != 0 && limit_ < least(documents_.load(std::memory_order_relaxed));
  }
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  /// The bytes that all buffers together may hold now.
  [[nodiscard]] std::uint64_t for_buffers() const noexcept {
    const std::uint64_t documents = documents_.load(std::memory_order_relaxed);
    const std::uint64_t all =
        limit_ != 0 ? limit_
                    : without_limit(documents, text_bytes_.load(std::memory_order_relaxed), available_);
    return std::max(all, least(documents)) - fixed(documents);
  }
  /// The bytes of these that are not held.
  [[nodiscard]] std::uint64_t left() const noexcept {
    const std::uint64_t buffers = for_buffers(), held = held_.load(std::memory_order_relaxed);
    return buffers > held ? buffers - held : 0;
  }

  void hold(std::uint64_t bytes) noexcept { held_.fetch_add(bytes, std::memory_order_relaxed); }
  void release(std::uint64_t bytes) noexcept { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  [[nodiscard]] bool exceeded() const noexcept {
    return held_.load(std::memory_order_relaxed) > for_buffers();
  }

 private:
  [[nodiscard]] static constexpr std::uint64_t fixed(std::uint64_t documents) noexcept {
    return kFixed + kPerDocument * documents;
  }

  std::uint64_t limit_;
  std::atomic<std::uint64_t> documents_{0};
  std::atomic<std::uint64_t> held_{0};
  std::uint64_t available_;
  std::atomic<std::uint64_t> text_bytes_{0};
};

/// Holds a part of the buffers during its life.
class HeldMemory {
 public:
  explicit HeldMemory(MemoryBudget& memory, std::uint64_t bytes = 0) noexcept
      : memory_(memory), bytes_(bytes) {
    memory_.hold(bytes_);
  }
  ~HeldMemory() { memory_.release(bytes_); }
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Changes the number of bytes that it holds.
  void set(std::uint64_t bytes) noexcept {
    memory_.hold(bytes);
    memory_.release(std::exchange(bytes_, bytes));
  }

 private:
  MemoryBudget& memory_;
  std::uint64_t bytes_;
};

}  // namespace leitong
