#include "report/choose_rows.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace leitong {

void RowChooser::prune(std::vector<Row>& rows, std::size_t most, bool now) {
  if (rows.size() <= most || (!now && rows.size() < 2 * most + 1)) return;
  std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
  rows.resize(most);
}

void RowChooser::add(double margin, std::uint64_t number, double loss) {
  ++added_;
  by_margin_.push_back({margin, number});
  if (loss > 0) by_loss_.push_back({-loss, number});
  // 53 bits of the hash make a key of the same type, without a rounding that could make two keys equal.
  by_hash_.push_back({static_cast<double>(mix64(number) >> 11), number});
  prune(by_margin_, least(most_), false);
  prune(by_loss_, least(most_), false);
  prune(by_hash_, most_, false);
}

std::vector<std::uint64_t> RowChooser::take() {
  prune(by_margin_, least(most_), true);
  prune(by_loss_, least(most_), true);
  prune(by_hash_, most_, true);
  std::vector<std::uint64_t> chosen;
  for (const auto* const rows : {&by_margin_, &by_loss_})
    for (const Row& row : *rows) chosen.push_back(row.number);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::sort(by_hash_.begin(), by_hash_.end());
  const std::size_t least_rows = chosen.size();
  for (const Row& row : by_hash_) {
    if (chosen.size() == most_) break;
    const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(least_rows);
    if (!std::binary_search(chosen.begin(), end, row.number)) chosen.push_back(row.number);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace leitong
