#include "feature/j_tidf.hpp"

#include <bit>

namespace leitong {

namespace {

/// A set of ids. Most ids that are looked up are not in it, which the first access shows.
class IdSet {
 public:
  explicit IdSet(std::span<const std::uint64_t> ids) : ids_(ids) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(16 * ids.size()));
    shift_ = 64 - bits;
    slots_.resize(std::size_t{1} << bits, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::size_t at = ids[i] >> shift_;
      while (slots_[at] != 0) at = next(at);
      slots_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }
  [[nodiscard]] bool contains(std::uint64_t id) const {
    for (std::size_t at = id >> shift_; slots_[at] != 0; at = next(at))
      if (ids_[slots_[at] - 1] == id) return true;
    return false;
  }

 private:
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  std::span<const std::uint64_t> ids_;
  PodVector<std::uint32_t> slots_;  // number + 1, or 0
  unsigned shift_ = 0;
};

}  // namespace

void share_weights(std::span<const std::uint64_t> ids, std::span<const std::span<const Partner>> partners,
                   PodVector<Weighted>& candidates) {
  if (candidates.empty()) return;
  const IdSet present(ids);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    double sum = 1;
    for (const Partner& partner : partners[i])
      if (present.contains(partner.id)) sum += double{partner.similarity};
    candidates[i].weight = static_cast<float>(double{candidates[i].weight} / sum);
  }
}

}  // namespace leitong
