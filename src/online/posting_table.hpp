// The latest postings, in memory: key -> ids of the texts that posted it, in the order of arrival.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// Number of a text in an index, in the order of arrival.
using TextNumber = std::uint32_t;

struct Posting {
  Key key;
  TextNumber text;

  bool operator==(const Posting&) const = default;
};

/// A hash table with one entry for each key. The entry holds a single id itself, or points to a chunk of ids
/// whose size is a power of two. Expected O(1). Not thread-safe.
class PostingTable {
 public:
  PostingTable() : entries_(kFirstSize) {}

  /// REQUIRES that `text` is larger than all texts of the key.
  void add(Key key, TextNumber text);
  /// Loads a key's entry into the cache.
  void prefetch(Key key) const noexcept { __builtin_prefetch(&entries_[slot(key)]); }
  /// Valid until the next change.
  [[nodiscard]] std::span<const TextNumber> find(Key key) const noexcept;
  [[nodiscard]] std::uint64_t postings() const noexcept { return postings_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return entries_.capacity() * sizeof(Entry) + ids_.capacity() * sizeof(TextNumber);
  }
  /// All postings by key, then by text.
  [[nodiscard]] PodVector<Posting> sorted() const;
  /// Removes everything but keeps the space.
  void clear() noexcept;

 private:
  struct Entry {
    Key key = 0;
    std::uint32_t count = 0;
    std::uint32_t at = 0;  // the id, or the position of the chunk
  };
  static constexpr std::size_t kFirstSize = 256;

  [[nodiscard]] std::size_t slot(Key key) const noexcept { return key & (entries_.size() - 1); }
  [[nodiscard]] std::size_t place(Key key) const noexcept;
  [[nodiscard]] std::span<const TextNumber> texts_of(const Entry& entry) const noexcept;
  [[nodiscard]] std::uint32_t new_chunk(unsigned size_class);
  void grow();

  std::vector<Entry> entries_;
  std::vector<TextNumber> ids_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // chunks of 2^i ids
  std::size_t used_ = 0;
  std::uint64_t postings_ = 0;
};

}  // namespace leitong::online
