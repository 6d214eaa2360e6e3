// What an index holds and what a search finds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/fingerprint.hpp"
#include "leitong/result.hpp"

namespace leitong::hamming {

/// An index is a set of rows: fingerprints, each with the id of whom it belongs to.
template <Fingerprint F>
struct Row {
  F fingerprint{};
  std::uint64_t id = 0;

  friend constexpr auto operator<=>(const Row&, const Row&) noexcept = default;
};

/// A row within the wanted distance of a query.
template <Fingerprint F>
struct Hit {
  F fingerprint{};
  std::uint64_t id = 0;
  std::uint32_t query = 0;  ///< position of the query in its batch
  std::uint32_t distance = 0;

  friend constexpr bool operator==(const Hit&, const Hit&) noexcept = default;
};

/// Rows by number, as often as wanted and from any thread.
template <Fingerprint F>
class RowSource {
 public:
  virtual ~RowSource() = default;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// Appends the rows [first, first + count) to `rows`, without those that don't count any more.
  virtual Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const = 0;
};

}  // namespace leitong::hamming
