// Selects the rows that a page shows if not all fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace leitong {

/// Keeps a fifth for the rows with the smallest margin, where errors are likely, and a fifth for those with
/// the greatest loss, if there is any. Fills the rest with an even sample by a hash of the row's number, so
/// that periods of the input do not matter. The selection does not depend on the order of the calls. Memory:
/// three rows for each kept one.
class RowChooser {
 public:
  explicit RowChooser(std::size_t most) : most_(most) {}

  /// `number` identifies the row. Amortised O(log most).
  void add(double margin, std::uint64_t number, double loss = 0);
  [[nodiscard]] std::uint64_t added() const noexcept { return added_; }
  /// The numbers of the selected rows, ascending; all of them if they fit.
  [[nodiscard]] std::vector<std::uint64_t> take();

  /// The number of rows with the smallest margin, and of those with the greatest loss, that are always
  /// selected.
  [[nodiscard]] static std::size_t least(std::size_t most) noexcept { return most / 5; }

 private:
  struct Row {
    double key;
    std::uint64_t number;
    friend auto operator<=>(const Row&, const Row&) = default;
  };
  /// Drops all but the `most` smallest rows if there are twice as many.
  static void prune(std::vector<Row>& rows, std::size_t most, bool now);

  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Row> by_margin_, by_loss_, by_hash_;
};

}  // namespace leitong
