// Which of any number of rows a page shows if only so many fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace leitong {

/// Keeps a fifth for the rows with the smallest margin, where errors would be, a fifth for those with the
/// greatest loss, where there is any, and fills the rest with an even sample by a hash of the row's number,
/// so that no period of the input shows through. What it keeps doesn't depend on the order of the calls.
/// Memory: three rows for each one that is kept.
class RowChooser {
 public:
  explicit RowChooser(std::size_t most) : most_(most) {}

  /// `number` tells rows apart. Amortised O(log most).
  void add(double margin, std::uint64_t number, double loss = 0);
  /// Rows that were added.
  [[nodiscard]] std::uint64_t added() const noexcept { return added_; }
  /// The numbers of the chosen rows, ascending; all of them if they fit.
  [[nodiscard]] std::vector<std::uint64_t> take();

  /// Rows with the smallest margin, and with the greatest loss, that are always among the chosen ones.
  [[nodiscard]] static std::size_t least(std::size_t most) noexcept { return most / 5; }

 private:
  struct Row {
    double key;
    std::uint64_t number;
    friend auto operator<=>(const Row&, const Row&) = default;
  };
  /// Drops all but the `most` smallest when twice as many have come.
  static void prune(std::vector<Row>& rows, std::size_t most, bool now);

  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Row> by_margin_, by_loss_, by_hash_;
};

}  // namespace leitong
