// Finds the texts that posted these keys, in all parts of an index.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/result.hpp"
#include "online/posting_table.hpp"
#include "online/segment.hpp"

namespace leitong::online {

/// A set of text numbers: a bit for each up to the largest.
class TextSet {
 public:
  [[nodiscard]] bool contains(TextNumber text) const noexcept {
    return text / 64 < words_.size() && (words_[text / 64] >> (text % 64) & 1) != 0;
  }
  void add(TextNumber text) {
    if (text / 64 >= words_.size()) words_.resize(text / 64 + 1, 0);
    words_[text / 64] |= std::uint64_t{1} << (text % 64);
  }

 private:
  PodVector<std::uint64_t> words_;
};

/// The parts that hold postings, the oldest first: texts of a later part have larger numbers.
struct PostingSources {
  std::span<const std::shared_ptr<const Segment>> segments;
  const PostingTable* table = nullptr;
  const PostingTable* newest = nullptr;  ///< postings of a batch that is being added; may be null
  const TextSet* removed = nullptr;      ///< texts that do not count
  TextNumber end = UINT32_MAX;           ///< texts from this one on do not count
};

/// The texts of some keys, one key after another.
struct PostingLists {
  PodVector<TextNumber> texts;
  std::vector<std::size_t> ends;

  [[nodiscard]] std::span<const TextNumber> operator[](std::size_t key) const noexcept {
    const std::size_t begin = key == 0 ? 0 : ends[key - 1];
    return std::span<const TextNumber>(texts).subspan(begin, ends[key] - begin);
  }
  /// Working space: which segments may hold which keys, one bit each.
  std::vector<std::uint64_t> held;
};

/// For each key the `most` earliest texts that were not removed. Replaces `lists`. Fails with corrupt if a
/// segment is damaged where it was read. The waits for memory overlap, so this is faster than to look up one
/// key at a time. REQUIRES fewer than 64 segments.
Result<void> find_lists(const PostingSources& sources, std::span<const Key> keys,
                        std::span<const std::uint32_t> most, PostingLists& lists);

}  // namespace leitong::online
