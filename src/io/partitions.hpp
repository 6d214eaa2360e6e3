// Values in many partitions, in memory while there is room, then on disk.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "io/run_context.hpp"
#include "io/temp_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// 256 growing sequences of 64-bit values. When the run's memory budget is exceeded, everything that this
/// object holds is written to one work file, as one run for each partition. A partition is then its runs
/// followed by its part in memory, so the order of appends is kept. The content is the same whether or not
/// anything was spilled.
///
/// Writing: any number of Writers, one for each thread. Reading (load, replace, clear): different partitions
/// from different threads, after all writers are flushed.
class Partitions {
 public:
  static constexpr unsigned kBits = 8, kCount = 1u << kBits;

  /// The least shift that maps numbers up to `most` to partitions, in their order.
  [[nodiscard]] static constexpr unsigned shift_for(std::uint64_t most,
                                                    unsigned partitions = kCount) noexcept {
    unsigned shift = 0;
    while (most >> shift >= partitions) ++shift;
    return shift;
  }

  explicit Partitions(RunContext& run) : run_(run) {}
  ~Partitions();
  Partitions(const Partitions&) = delete;
  Partitions& operator=(const Partitions&) = delete;

  /// Collects values of one thread and passes them on in blocks.
  class Writer {
   public:
    explicit Writer(Partitions& owner) : owner_(owner), blocks_(std::make_unique<Blocks>()) {}
    Result<void> append(unsigned partition, std::uint64_t value) {
      return append(partition, std::array<std::uint64_t, 1>{value});
    }
    /// Appends the words of a record, which stay together.
    template <std::size_t N>
    Result<void> append(unsigned partition, const std::array<std::uint64_t, N>& record) {
      static_assert(kBlock % N == 0);
      auto& block = (*blocks_)[partition];
      for (std::size_t i = 0; i < N; ++i) block.values[block.size + i] = record[i];
      block.size += N;
      if (block.size == kBlock) [[unlikely]]
        return pass_on(partition);
      return {};
    }
    /// Passes on the rest. REQUIRED before reading; a writer that is destroyed without it loses its blocks.
    Result<void> flush();

   private:
    static constexpr unsigned kBlock = 120;
    struct Block {
      std::uint32_t size = 0;
      std::array<std::uint64_t, kBlock> values;
    };
    using Blocks = std::array<Block, kCount>;
    Result<void> pass_on(unsigned partition);
    Partitions& owner_;
    std::unique_ptr<Blocks> blocks_;
  };

  /// Copies one partition into `values`, replacing its content.
  Result<void> load(unsigned partition, PodVector<std::uint64_t>& values) const;
  /// The same for `count` values of a partition from place `begin` on. REQUIRES that it has so many.
  Result<void> load_some(unsigned partition, std::uint64_t begin, std::uint64_t count,
                         PodVector<std::uint64_t>& values) const;
  /// load(), then clear().
  Result<void> take(unsigned partition, PodVector<std::uint64_t>& values);
  /// Empties a partition, and frees its memory and its place on the disk.
  void clear(unsigned partition) noexcept;
  /// Sets the content of an empty partition.
  Result<void> put(unsigned partition, std::span<const std::uint64_t> values) {
    return append(partition, values);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool spilled() const noexcept { return file_.has_value(); }

 private:
  struct Run {
    std::uint64_t offset, count;
  };
  // Powers of two, because 256 arrays that grow side by side would fragment the heap. A partition's chunks
  // grow with it: a million freed ones of a page are as many gaps, among which malloc() searches for long.
  struct Chunk {
    std::size_t room;  // values
    std::unique_ptr<std::uint64_t[]> values;
  };
  static constexpr std::size_t kLeastChunk = 512, kMostChunk = 32768;  // values
  struct Partition {
    mutable std::mutex mutex;
    std::vector<Chunk> chunks;            // all full but the last
    std::size_t in_memory = 0, room = 0;  // values
    std::vector<Run> runs;

    /// Copies `count` values that are in memory, from the place `begin` of these on.
    void copy_to(std::uint64_t* out, std::size_t begin, std::size_t count) const;
  };

  /// A smaller spill is not worth a disk access: others hold the memory.
  static constexpr std::uint64_t kLeastSpill = 2ull << 20;
  /// The system gets freed memory back in parts of the limit: one of so many.
  static constexpr std::uint64_t kReturned = 64;

  Result<void> append(unsigned partition, std::span<const std::uint64_t> values);
  [[nodiscard]] bool should_spill() const noexcept {
    return run_.memory.exceeded() && in_memory_.load(std::memory_order_relaxed) >= kLeastSpill;
  }
  Result<void> spill();
  /// Frees the memory of a partition, whose mutex is held.
  void let_go(Partition& partition) noexcept;

  RunContext& run_;
  std::array<Partition, kCount> partitions_;
  std::mutex file_mutex_;
  std::optional<TempFile> file_;
  std::uint64_t freed_ = 0;                  // bytes since the system got some back; guarded by file_mutex_
  std::atomic<std::uint64_t> size_{0};       // values in memory and on disk
  std::atomic<std::uint64_t> in_memory_{0};  // bytes of chunks
};

}  // namespace leitong
