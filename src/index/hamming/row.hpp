// The source of the rows of an index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/fingerprint.hpp"
#include "leitong/result.hpp"

namespace leitong::hamming {

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
