// Finds the nearest of some directions (the centres) to a row, by a graph of USearch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Directions in whole numbers whose squares sum to less than 2^24: their products are exact, so the graph is
/// the same on every processor.
struct WholeDirections {
  std::size_t width = 0;  ///< numbers of a direction, a multiple of kWholeStep
  PodVector<std::int16_t> numbers;

  [[nodiscard]] std::size_t count() const noexcept { return width == 0 ? 0 : numbers.size() / width; }
  [[nodiscard]] const std::int16_t* at(std::size_t i) const noexcept { return &numbers[i * width]; }
};

/// A hierarchical navigable small-world graph (Malkov and Yashunin 2020) over the centres. One thread builds
/// it in the order of the centres; many threads can search it.
class Centres {
 public:
  /// The number of searches that may run at once, each with a number of its own.
  static constexpr std::size_t kSearchers = 256;

  /// Fails with unsupported if leitong was built without USearch.
  static Result<void> available();

  /// Fails as available() does, with limit if there is no memory, and with cancelled. O(n log n) products for
  /// n centres, and about 200 bytes for each beside its numbers.
  static Result<Centres> make(WholeDirections centres, Simd level, StopToken stop);
  Centres(Centres&&) noexcept;
  Centres& operator=(Centres&&) noexcept;
  ~Centres();

  /// Fills `nearest` with the numbers of the centres nearest to a direction, as far as the graph finds them,
  /// the nearest first; returns how many. REQUIRES searcher < kSearchers, which no other thread uses
  /// meanwhile. Fails with limit if there is no memory. O(log n) products.
  Result<std::size_t> find(std::size_t searcher, const std::int16_t* direction,
                           std::span<std::uint32_t> nearest) const;

 private:
  struct Graph;
  explicit Centres(std::unique_ptr<Graph> graph);
  std::unique_ptr<Graph> graph_;
};

}  // namespace leitong
