// Sparse binary vectors -> short ones: BDR by parity (Pratap, Kulkarni, Sohony 2018), BinSketch by
// disjunction (Pratap, Bera, Revanuru 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong {

/// N bits, N = 64 * words.size(), word by word. Both kinds throw the ones of a vector into N bits by one map
/// that is the same for all vectors; `ones` are the places of the ones, each once.

/// BDR: bit j is the parity of the ones that fall on it, so the sketch of a XOR b is that of a XOR that of b
/// and Hamming distances never grow. Without a guarantee unless N is of the order of (ones)^2 log^2.
void bdr_sketch(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words) noexcept;

/// BinSketch: bit j is 1 if any one falls on it.
void bin_sketch(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words) noexcept;

/// Bits in which two sketches of one size differ.
[[nodiscard]] std::size_t sketch_distance(std::span<const std::uint64_t> a,
                                          std::span<const std::uint64_t> b) noexcept;

/// The Hamming distance of two vectors from that of their BDR sketches of N bits: d vectors' differences make
/// (N/2)(1 - (1 - 2/N)^d) on average. Infinite where half of the bits or more differ.
[[nodiscard]] double bdr_distance(std::size_t sketch_distance, std::size_t bits) noexcept;

/// The number of ones of a vector from that of its BinSketch: n ones set N(1 - (1 - 1/N)^n) bits on average.
/// Infinite where all bits are set.
[[nodiscard]] double bin_sketch_ones(std::size_t sketch_ones, std::size_t bits) noexcept;

/// Jaccard coefficient from two BinSketches: their ones and those of the disjunction, estimated; in [0, 1].
[[nodiscard]] double bin_sketch_jaccard(std::span<const std::uint64_t> a,
                                        std::span<const std::uint64_t> b) noexcept;

}  // namespace leitong
