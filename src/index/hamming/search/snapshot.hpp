// The content of an index at one moment.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "index/hamming/search/level.hpp"
#include "index/hamming/search/mutable_level.hpp"

namespace leitong::hamming {

/// The levels of an index, each newer than the one before. A removal in a level hides rows of older ones.
template <Fingerprint F>
struct LevelStack {
  std::vector<std::shared_ptr<const Level<F>>> levels;
  /// Newer than all `levels`; they do not change.
  std::vector<std::shared_ptr<const MutableLevel<F>>> sealed;
  std::shared_ptr<const MutableLevel<F>> active;  ///< the newest; may be null
};

/// Takes the hits of some queries. A failure ends the search and is returned.
template <Fingerprint F>
using HitsFn = std::function<Result<void>(std::span<const Hit<F>>)>;

/// Rows that do not change, whatever happens to their index. Many threads may search it.
template <Fingerprint F>
class Snapshot {
 public:
  /// Sees the first `visible` changes of the active level.
  Snapshot(std::shared_ptr<const LevelStack<F>> stack, unsigned distance, std::uint32_t visible)
      : stack_(std::move(stack)), distance_(distance), visible_(visible) {}
  /// A single level.
  explicit Snapshot(std::shared_ptr<const Level<F>> level);

  /// Working space for searches of one thread; usable with any snapshot.
  struct Scratch {
    typename Level<F>::Scratch level;
    std::vector<Hit<F>> found;
  };

  /// Appends the rows within `most` bits of each query that `rule` asks for, by query, distance and id. Hits
  /// name queries by their index in `queries`. Exact: no row is missed, none is found twice. Batches are
  /// faster than single queries, because their waits for memory overlap: in groups of Level::best_group().
  /// Fails with invalid_argument for `most` above distance(), and with corrupt if a file is damaged.
  Result<void> search(std::span<const F> queries, unsigned most, HitRule rule, Scratch& scratch,
                      std::vector<Hit<F>>& hits) const;

  /// The same for any number of queries, on the threads of the caller's TBB arena; passes on hits in order as
  /// they are found.
  Result<void> search_batch(std::span<const F> queries, unsigned most, HitRule rule, StopToken stop,
                            const HitsFn<F>& emit) const;

  /// The largest distance that can be searched.
  [[nodiscard]] unsigned distance() const noexcept { return distance_; }
  [[nodiscard]] const LevelStack<F>& stack() const noexcept { return *stack_; }

 private:
  Result<void> check_distance(unsigned most) const;
  Result<void> search_group(std::span<const F> queries, unsigned most, HitRule rule, Scratch& scratch) const;
  Result<void> drop_removed(std::vector<Hit<F>>& hits, std::size_t first, std::size_t newer_than) const;
  [[nodiscard]] bool removes(const MutableLevel<F>& level, const Row<F>& row) const noexcept;

  std::shared_ptr<const LevelStack<F>> stack_;
  unsigned distance_;
  std::uint32_t visible_;
};

}  // namespace leitong::hamming
