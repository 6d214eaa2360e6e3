// Rows in memory.
#pragma once

#include <span>

#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// An array of rows.
template <Fingerprint F>
class RowSpan final : public RowSource<F> {
 public:
  explicit RowSpan(std::span<const Row<F>> rows) noexcept : rows_(rows) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.size(); }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const override {
    rows.insert(rows.end(), rows_.begin() + static_cast<std::ptrdiff_t>(first),
                rows_.begin() + static_cast<std::ptrdiff_t>(first + count));
    return {};
  }

 private:
  std::span<const Row<F>> rows_;
};

/// Fingerprints whose ids are their indexes.
template <Fingerprint F>
class NumberedRows final : public RowSource<F> {
 public:
  explicit NumberedRows(std::span<const F> fingerprints) noexcept : fingerprints_(fingerprints) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return fingerprints_.size(); }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const override {
    for (std::uint64_t i = first; i < first + count; ++i) rows.push_back({fingerprints_[i], i});
    return {};
  }

 private:
  std::span<const F> fingerprints_;
};

}  // namespace leitong::hamming
