// Turns sparse binary vectors into short ones: BDR by parity (Pratap, Kulkarni, Sohony 2018), BinSketch by
// disjunction (Pratap, Bera, Revanuru 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace leitong {

/// Sketches of N = 64 * words.size() bits. `ones` are the positions at which a vector has a 1, each of them
/// once. Both kinds of sketches map each of these positions to one of N bits, in the same way for all
/// vectors.

/// BDR: bit j is the parity of the number of positions that are mapped to it. The sketch of a XOR b is
/// therefore the XOR of the two sketches, and Hamming distances never grow. There is no guarantee unless N is
/// of the order of (ones)^2 log^2.
void bdr_sketch(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words) noexcept;

/// BinSketch: bit j is 1 if at least one of the positions is mapped to it.
void bin_sketch(std::span<const std::uint64_t> ones, std::span<std::uint64_t> words) noexcept;

/// The number of bits in which two sketches of one size differ.
[[nodiscard]] std::size_t sketch_distance(std::span<const std::uint64_t> a,
                                          std::span<const std::uint64_t> b) noexcept;

/// Estimates the Hamming distance of two vectors from the distance of their BDR sketches of N bits: vectors
/// that differ in d positions give (N/2)(1 - (1 - 2/N)^d) on average. Infinite if half of the bits or more
/// differ.
[[nodiscard]] double bdr_distance(std::size_t sketch_distance, std::size_t bits) noexcept;

/// Estimates the number of ones of a vector from the number of ones of its BinSketch: n ones set N(1 - (1 -
/// 1/N)^n) bits on average. Infinite if all bits are set.
[[nodiscard]] double bin_sketch_ones(std::size_t sketch_ones, std::size_t bits) noexcept;

/// Estimates the Jaccard coefficient, in [0, 1], from the ones of two BinSketches and of their disjunction.
[[nodiscard]] double bin_sketch_jaccard(std::span<const std::uint64_t> a,
                                        std::span<const std::uint64_t> b) noexcept;

}  // namespace leitong
