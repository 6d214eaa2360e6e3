// Pairs of fingerprints as the tables find them, before their rows are known.
//
// Tables move fingerprints without rows, 8 or 16 bytes each. Rows would double what is moved, and only a few
// fingerprints occur in a pair. Rows are looked up afterwards (row_edges.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "index/hamming/fingerprint.hpp"
#include "index/hamming/value_filter.hpp"
#include "io/partitions.hpp"

namespace leitong::hamming {

/// One of two joined sets; a self-join has only `left`.
enum class Side : std::uint8_t { left = 0, right = 1 };

[[nodiscard]] constexpr unsigned partition_of(std::uint64_t hash) noexcept { return hash & 0xff; }

/// The layout of an edge in Partitions: two fingerprints.
template <Fingerprint F>
struct EdgeRecord {
  static constexpr unsigned kWords = 2 * hamming::kWords<F>;
};

/// All edges of a join: pairs of different or (between two sets) equal fingerprints, each once, partitioned
/// by the hash of the left one; and for each side the fingerprints that have to be looked up.
template <Fingerprint F>
class EdgeLog {
 public:
  /// For a self-join `right` is 0, and both ends of an edge belong to the left side.
  EdgeLog(RunContext& run, std::uint64_t left, std::uint64_t right) : edges_(run), left_(left) {
    if (right != 0) right_ = std::make_unique<ValueFilter>(right);
  }

  /// Writes for one thread.
  class Writer {
   public:
    explicit Writer(EdgeLog& log)
        : writer_(log.edges_), left_(log.left_), right_(log.right_ != nullptr ? *log.right_ : log.left_) {}

    /// REQUIRES x from the left side, and y from the right side if there are two sides.
    Result<void> edge(F x, F y) {
      const std::uint64_t hash = hash_of(x);
      left_.add(hash);
      right_.add(hash_of(y));
      std::array<std::uint64_t, EdgeRecord<F>::kWords> record{};
      for (unsigned i = 0; i < kWords<F>; ++i) {
        record[i] = word(x, i);
        record[kWords<F> + i] = word(y, i);
      }
      return writer_.append(partition_of(hash), record);
    }
    /// Notes a fingerprint of the left side that several rows have.
    void repeated(F x) noexcept { left_.add(hash_of(x)); }

    Result<void> flush() {
      left_.flush();
      right_.flush();
      return writer_.flush();
    }

   private:
    /// Delays additions to a filter until their cache line is loaded.
    class Additions {
     public:
      explicit Additions(ValueFilter& filter) noexcept : filter_(filter) {}
      void add(std::uint64_t hash) noexcept {
        filter_.prefetch_to_add(hash);
        hashes_[count_++] = hash;
        if (count_ == kWaiting) flush();
      }
      void flush() noexcept {
        for (unsigned i = 0; i < count_; ++i) filter_.add(hashes_[i]);
        count_ = 0;
      }

     private:
      static constexpr unsigned kWaiting = 32;
      ValueFilter& filter_;
      std::uint64_t hashes_[kWaiting];
      unsigned count_ = 0;
    };

    Partitions::Writer writer_;
    Additions left_, right_;
  };

  [[nodiscard]] Partitions& edges() noexcept { return edges_; }
  [[nodiscard]] const ValueFilter& filter(Side side) const noexcept {
    return side == Side::right && right_ != nullptr ? *right_ : left_;
  }

 private:
  Partitions edges_;
  ValueFilter left_;
  std::unique_ptr<ValueFilter> right_;
};

}  // namespace leitong::hamming
