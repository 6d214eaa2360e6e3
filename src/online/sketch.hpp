// A small sketch of each text, by which an index excludes dissimilar texts without reading them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace leitong::online {

/// The shingles of a text, in few bits. For a short text it is a bitmap, in which the bit of each shingle's
/// hash is set. For others it is one-permutation MinHash (Li, Owen, Zhang 2012) in bins of 2 bits. The bitmap
/// is more precise for few shingles, where most bins would be empty.
struct Sketch {
  static constexpr unsigned kBits = 256, kBins = kBits / 2;
  std::array<std::uint32_t, kBits / 32> words{};

  /// Is the sketch of a text of so many units a bitmap?
  [[nodiscard]] static bool is_bitmap(std::uint32_t units) noexcept;
  bool operator==(const Sketch&) const = default;
};

/// What two sketches say about the Jaccard coefficient of their texts.
struct SketchedJaccard {
  float estimate = 0;
  float most = 1;  ///< upper bound: certain for a short text, with 2.5 standard deviations for others
};

/// A text that is compared with others by their sketches.
class SketchedText {
 public:
  /// `shingles`: the hashes of all shingles, in any order (feature/shingles.hpp).
  void set(std::span<const std::uint32_t> shingles) noexcept;
  [[nodiscard]] const Sketch& sketch() const noexcept { return sketch_; }
  /// Compares it with a text of this sketch and length.
  [[nodiscard]] SketchedJaccard jaccard(std::uint32_t units, const Sketch& other) const noexcept;

 private:
  [[nodiscard]] SketchedJaccard by_bitmap(double others, const Sketch& other) const noexcept;
  [[nodiscard]] SketchedJaccard by_bins(double others, const Sketch& other) const noexcept;

  double shingles_ = 0;  ///< number of shingles; of a short text only the distinct ones
  double distinct_ = 0;  ///< lower bound
  Sketch sketch_;
  Sketch bitmap_, repeated_;                           ///< bits of at least one shingle, and of several
  std::array<std::uint16_t, Sketch::kBits> counts_{};  ///< shingles of each bit of a bitmap
  Sketch bins_, filled_;                               ///< the text's bins; 01 for non-empty ones
  unsigned filled_bins_ = 0;
};

}  // namespace leitong::online
