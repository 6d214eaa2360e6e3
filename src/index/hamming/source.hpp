// The source of a join's fingerprints (memory, or a file that is read again for every table), and that of the
// rows of an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "index/hamming/fingerprint.hpp"
#include "leitong/result.hpp"

namespace leitong::hamming {

/// A sequence of fingerprints; the index of one is its row. Reading is thread-safe.
template <Fingerprint F>
class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// The fingerprints of the rows from `begin` on: at most `count`, as many as are contiguous, at least one.
  /// They are in `space` or elsewhere, and valid until `space` or the source changes. REQUIRES begin + count
  /// <= size() and count > 0.
  virtual Result<std::span<const F>> read(std::uint64_t begin, std::uint64_t count,
                                          PodVector<F>& space) const = 0;
};

/// Fingerprints in memory, which must outlive the source.
template <Fingerprint F>
class MemorySource final : public Source<F> {
 public:
  explicit MemorySource(std::span<const F> values) noexcept : values_(values) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return values_.size(); }
  Result<std::span<const F>> read(std::uint64_t begin, std::uint64_t count,
                                  PodVector<F>& /*space*/) const override {
    return values_.subspan(begin, count);
  }

 private:
  std::span<const F> values_;
};

/// Calls `body(span, row of its first)` for the rows [begin, end) in pieces, in order.
template <Fingerprint F, class Body>
Result<void> for_each_piece(const Source<F>& source, std::uint64_t begin, std::uint64_t end, Body body) {
  PodVector<F> space;
  while (begin < end) {
    LEITONG_ASSIGN(const std::span<const F> piece, source.read(begin, end - begin, space));
    LEITONG_TRY(body(piece, begin));
    begin += piece.size();
  }
  return {};
}

/// Rows by number, which can be read repeatedly and from any thread.
template <Fingerprint F>
class RowSource {
 public:
  virtual ~RowSource() = default;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// Appends the rows [first, first + count) to `rows`, without those that no longer count.
  virtual Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const = 0;
};

}  // namespace leitong::hamming
