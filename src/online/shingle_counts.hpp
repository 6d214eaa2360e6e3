// How many works hold each shingle, for an index that decides by all templates of its texts.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/pod_vector.hpp"
#include "leitong/result.hpp"
#include "online/posting_table.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {

/// Counts works up to TemplateRule::kFamilies, exactly. Takes 6 to 12 bytes of memory for each distinct
/// shingle, 1.5 times as many while the table grows, and 2 to 3 bytes in a file. One thread adds; others may
/// read meanwhile.
class ShingleCounts {
 public:
  ShingleCounts();
  ~ShingleCounts();
  /// REQUIRES the distinct shingles of one work. O(n), except for the calls that double the table.
  void add(std::span<const std::uint32_t> distinct);
  /// Replaces `held` by the given shingles that at least `works` works hold, in their order. O(n).
  void held_by(std::span<const std::uint32_t> shingles, unsigned works, PodVector<std::uint32_t>& held) const;

  /// The texts before this one have been counted.
  TextNumber texts = 0;
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  /// Writes the counts to the file, which is replaced.
  [[nodiscard]] Result<void> write(const std::filesystem::path& path) const;
  /// Reads the counts of a file. REQUIRES an empty object. Fails as SectionFile::open() does, with corrupt
  /// for bytes that are damaged.
  [[nodiscard]] Result<void> read(const std::filesystem::path& path);

 private:
  class Table;
  // Readers keep the table with which they began; a larger one takes its place.
  std::atomic<std::shared_ptr<Table>> table_;
};

}  // namespace leitong::online
