#include "index/hamming/join/components.hpp"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "base/huge_array.hpp"
#include "base/try.hpp"

namespace leitong::hamming {
namespace {

constexpr std::size_t kBatch = 4096;

/// Disjoint sets of rows, each named by its smallest row.
class RowSets {
 public:
  explicit RowSets(std::uint64_t rows) : above_(rows) {}

  std::uint32_t find(std::uint32_t row) noexcept {
    // above_ is the distance to a smaller row of the set, 0 at the smallest; every step halves the path.
    while (above_[row] != 0) {
      const std::uint32_t next = row - above_[row];
      above_[row] += above_[next];
      row = next;
    }
    return row;
  }
  void join(std::uint32_t x, std::uint32_t y) noexcept {
    x = find(x);
    y = find(y);
    if (x > y) std::swap(x, y);
    above_[y] = y - x;
  }

 private:
  HugeArray<std::uint32_t> above_;
};

}  // namespace

template <Fingerprint F>
Result<ComponentFigures> components(const Source<F>& source, JoinOptions options, const Context& context,
                                    const ComponentRowsFn& each) {
  if (source.size() > ~std::uint32_t{0})
    return fail(ErrorCode::unsupported, fmt::format("components of {} rows: at most {} are possible",
                                                    source.size(), ~std::uint32_t{0}));
  options.spanning = true;
  LEITONG_ASSIGN(Joined joined, join(JoinInput<F>{source, nullptr}, options, context));
  RowSets sets(source.size());
  LEITONG_TRY(joined.for_each_edge([&](std::span<const RowPair> edges) -> Result<void> {
    for (const RowPair& edge : edges)
      sets.join(static_cast<std::uint32_t>(edge.a), static_cast<std::uint32_t>(edge.b));
    return {};
  }));
  for (const Repetition& repetition : joined.repetitions())
    sets.join(static_cast<std::uint32_t>(repetition.first), static_cast<std::uint32_t>(repetition.row));

  const auto rows = static_cast<std::uint32_t>(source.size());
  std::vector<bool> leads(rows);
  for (std::uint32_t row = 0; row < rows; ++row)
    if (const std::uint32_t first = sets.find(row); first != row) leads[first] = true;
  ComponentFigures figures{joined.figures(), 0, 0};
  std::vector<ComponentRow> batch;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t first = sets.find(row);
    if (first == row && !leads[row]) continue;
    figures.components += first == row ? 1 : 0;
    ++figures.rows;
    batch.push_back({row, first});
    if (batch.size() < kBatch) continue;
    LEITONG_TRY(each(batch));
    batch.clear();
  }
  if (!batch.empty()) LEITONG_TRY(each(batch));
  return figures;
}

template Result<ComponentFigures> components(const Source<Fingerprint64>&, JoinOptions, const Context&,
                                             const ComponentRowsFn&);
template Result<ComponentFigures> components(const Source<Fingerprint128>&, JoinOptions, const Context&,
                                             const ComponentRowsFn&);

}  // namespace leitong::hamming
