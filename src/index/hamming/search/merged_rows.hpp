// The rows of several levels, as rows of the one level that will replace them.
#pragma once

#include <memory>
#include <vector>

#include "index/hamming/search/snapshot.hpp"

namespace leitong::hamming {

/// The rows of neighbouring levels of a stack, without the rows that a newer level removes.
template <Fingerprint F>
class MergedRows final : public RowSource<F> {
 public:
  /// Levels and mutable levels, the oldest first. All mutable levels are complete and newer than the others.
  MergedRows(std::vector<std::shared_ptr<const Level<F>>> levels,
             std::vector<std::shared_ptr<const MutableLevel<F>>> sealed);
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const override;
  /// All rows that they remove; needed while there are older levels.
  [[nodiscard]] std::vector<Row<F>> removed() const;

 private:
  struct Part {
    std::uint64_t end;  ///< end of its rows among all
    const RowSource<F>* rows;
    std::vector<Row<F>> removed;  ///< rows that it removes, ascending
  };
  std::vector<std::shared_ptr<const Level<F>>> levels_;
  std::vector<std::unique_ptr<RowSource<F>>> owned_;
  std::vector<Part> parts_;
  std::uint64_t size_ = 0;
};

}  // namespace leitong::hamming
