#include "index/hamming/search/merged_rows.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "index/hamming/search/memory_rows.hpp"

namespace leitong::hamming {
namespace {

template <Fingerprint F>
class OwnedRows final : public RowSource<F> {
 public:
  explicit OwnedRows(std::vector<Row<F>> rows) : rows_(std::move(rows)), span_(rows_) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return span_.size(); }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const override {
    return span_.read(first, count, rows);
  }

 private:
  std::vector<Row<F>> rows_;
  RowSpan<F> span_;
};

}  // namespace

template <Fingerprint F>
MergedRows<F>::MergedRows(std::vector<std::shared_ptr<const Level<F>>> levels,
                          std::vector<std::shared_ptr<const MutableLevel<F>>> sealed)
    : levels_(std::move(levels)) {
  const auto add = [&](const RowSource<F>& rows, std::vector<Row<F>> removed) {
    size_ += rows.size();
    std::sort(removed.begin(), removed.end());
    parts_.push_back({size_, &rows, std::move(removed)});
  };
  for (const auto& level : levels_)
    add(*level, {level->parts().removed.begin(), level->parts().removed.end()});
  for (const auto& level : sealed) {
    owned_.push_back(std::make_unique<OwnedRows<F>>(level->rows()));
    add(*owned_.back(), level->removed());
  }
}

template <Fingerprint F>
Result<void> MergedRows<F>::read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const {
  const std::uint64_t last = first + count;
  std::uint64_t begin = 0;
  for (std::size_t p = 0; p < parts_.size() && begin < last; begin = parts_[p++].end) {
    const std::uint64_t from = std::max(first, begin);
    if (parts_[p].end <= from) continue;
    const std::size_t old = rows.size();
    LEITONG_TRY(parts_[p].rows->read(from - begin, std::min(last, parts_[p].end) - from, rows));
    for (std::size_t newer = p + 1; newer < parts_.size(); ++newer) {
      const std::vector<Row<F>>& removed = parts_[newer].removed;
      if (removed.empty()) continue;
      const auto gone = std::remove_if(
          rows.begin() + static_cast<std::ptrdiff_t>(old), rows.end(),
          [&](const Row<F>& row) { return std::binary_search(removed.begin(), removed.end(), row); });
      rows.erase(gone, rows.end());
    }
  }
  return {};
}

template <Fingerprint F>
std::vector<Row<F>> MergedRows<F>::removed() const {
  std::vector<Row<F>> all;
  for (const Part& part : parts_) all.insert(all.end(), part.removed.begin(), part.removed.end());
  return all;
}

template class MergedRows<Fingerprint64>;
template class MergedRows<Fingerprint128>;

}  // namespace leitong::hamming
