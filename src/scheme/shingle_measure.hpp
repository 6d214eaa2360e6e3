// The measure of the scheme "shingle", for its comparison and for the join of its sketches.
#pragma once

#include <cstdint>
#include <span>

#include "scheme/params.hpp"
#include "similarity/intersect.hpp"

namespace leitong {

struct ShingleMeasure {
  bool containment = false;  ///< of the smaller set in the larger one; false: resemblance

  [[nodiscard]] double operator()(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) const {
    if (!containment) return resemblance(x, y);
    return x.size() <= y.size() ? leitong::containment(x, y) : leitong::containment(y, x);
  }
};

/// Reads the parameter `measure`.
[[nodiscard]] inline ShingleMeasure shingle_measure(const Params& params) {
  return {params.text("measure") == "containment"};
}

}  // namespace leitong
