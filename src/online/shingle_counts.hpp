// How many works hold each shingle, for an index that decides by all templates of its texts.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/pod_vector.hpp"
#include "leitong/result.hpp"
#include "online/posting_table.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {

/// Counts works up to TemplateRule::kFamilies. Of a thousand counts one or so is wrong, because two shingles
/// share a slot, or a line is full. Some 3 to 12 bytes of memory for each distinct shingle, and 2 in a file.
/// One thread adds; others may read meanwhile.
class ShingleCounts {
 public:
  /// REQUIRES the distinct shingles of one work. O(n).
  void add(std::span<const std::uint32_t> distinct);
  /// Replaces `held` by those of these shingles that at least `works` works hold, in their order. O(n) for
  /// each layer, of which there are about 7 for a million texts.
  void held_by(std::span<const std::uint32_t> shingles, unsigned works, PodVector<std::uint32_t>& held) const;

  /// The texts before this one have been counted.
  TextNumber texts = 0;
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  /// Replaces the file.
  [[nodiscard]] Result<void> write(const std::filesystem::path& path) const;
  /// Takes over the counts of a file; REQUIRES an empty object. Fails as SectionFile::open() does, with
  /// corrupt for bytes that are damaged.
  [[nodiscard]] Result<void> read(const std::filesystem::path& path);

 private:
  // A slot of 16 bits has 13 bits of the hash of a shingle and 3 bits of its count; 0 is free. A word has 4
  // of them, which are taken in their order, and a line of the cache has 8 words. A layer that is full stays
  // as it is, and the next one is larger.
  static constexpr std::size_t kLineWords = 8;
  static constexpr unsigned kFirstBits = 12, kMoreBits = 2, kMostLayers = 10;
  static constexpr std::uint64_t kShinglesPerLine = 22;
  struct alignas(64) Line {
    std::array<std::atomic<std::uint64_t>, kLineWords> words{};
  };
  struct Layer {
    std::unique_ptr<Line[]> lines;
    unsigned bits = 0;           // there are 2^bits lines
    std::uint64_t shingles = 0;  // up to kShinglesPerLine a line
  };
  struct Place;

  void add_layer();
  std::array<Layer, kMostLayers> layers_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace leitong::online
