// What an index keeps of each text to tell, without reading it, who can't be similar to it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace leitong::online {

/// The shingles of a text, in few bits. Of a short text it is a bitmap: the bit of each shingle's hash is
/// set. Of others it is one-permutation MinHash (Li, Owen, Zhang 2012) in bins of 2 bits. In few shingles the
/// bitmap sees more: of a short text most bins are empty.
struct Sketch {
  static constexpr unsigned kBits = 256, kBins = kBits / 2;
  std::array<std::uint32_t, kBits / 32> words{};

  /// Is that of a text of so many units a bitmap?
  [[nodiscard]] static bool is_bitmap(std::uint32_t units) noexcept;
  bool operator==(const Sketch&) const = default;
};

/// What two sketches say of the Jaccard value of their texts.
struct SketchedJaccard {
  float estimate = 0;
  float most = 1;  ///< it is hardly more: of a short text never, of others by 2.5 standard deviations
};

/// A text that others are compared with by their sketches.
class SketchedText {
 public:
  /// `shingles`: the hashes of all, in any order (feature/shingles.hpp).
  void set(std::span<const std::uint32_t> shingles) noexcept;
  [[nodiscard]] const Sketch& sketch() const noexcept { return sketch_; }
  /// Beside a text of which that is known.
  [[nodiscard]] SketchedJaccard jaccard(std::uint32_t units, const Sketch& other) const noexcept;

 private:
  [[nodiscard]] SketchedJaccard by_bitmap(double others, const Sketch& other) const noexcept;
  [[nodiscard]] SketchedJaccard by_bins(double others, const Sketch& other) const noexcept;

  double shingles_ = 0;  ///< of a short text distinct ones
  double distinct_ = 0;  ///< at least so many
  Sketch sketch_;
  Sketch bitmap_, repeated_;                           ///< bits of one shingle and more, and of several
  std::array<std::uint16_t, Sketch::kBits> counts_{};  ///< shingles for each bit of a bitmap
  Sketch bins_, filled_;                               ///< the text's bins; 01 for those that aren't empty
  unsigned filled_bins_ = 0;
};

}  // namespace leitong::online
