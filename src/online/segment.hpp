// An immutable file of postings and of the records of the texts that arrived while they were collected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "io/section_file.hpp"
#include "leitong/result.hpp"
#include "online/posting_table.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// The values by which candidates are chosen, for each text of an index.
struct TextRecord {
  std::uint32_t units = 0;
  Sketch sketch;

  bool operator==(const TextRecord&) const = default;
};

/// Postings by key and text, and the records of consecutive texts. The file is mapped; what is read is first
/// compared with its checksum. Many threads may read.
///
/// A posting has 8 bytes: the low bits of its key, and the text. The high bits are the number of a bucket of
/// some 8 postings. A blocked Bloom filter of 8 bits a key (Putze, Sanders, Singler 2009) answers for most
/// keys that are not there.
class Segment {
 public:
  static constexpr std::uint64_t kMostPostings = UINT32_MAX;
  // The kind of the file.
  static constexpr std::string_view kKind = "online-segment";
  static constexpr std::uint32_t kVersion = 2;
  // The number of a bucket and 32 bits in each posting form the whole key.
  static constexpr unsigned kLeastPrefixBits = kKeyBits - 32, kMostPrefixBits = 32;

  /// Fails as SectionFile::open() does, but with corrupt if there is no such file.
  static Result<std::shared_ptr<const Segment>> open(const std::filesystem::path& path);

  /// Loads the filter's block for the key into the cache.
  void prefetch(Key key) const noexcept { __builtin_prefetch(&filter_[block(key) * kBlockWords]); }
  /// Loads the bounds of the key's bucket and, when these are in the cache, its content.
  void prefetch_bounds(Key key) const noexcept { __builtin_prefetch(&offsets_[prefix(key)]); }
  void prefetch_bucket(Key key) const noexcept {
    if (const std::uint32_t at = offsets_[prefix(key)]; at < postings_.size())
      __builtin_prefetch(&postings_[at]);
  }
  /// False only if no posting has the key. Like all functions that read, it fails with corrupt, naming file
  /// and offset.
  [[nodiscard]] Result<bool> may_hold(Key key) const;
  /// Calls each(text) for the key's postings, in rising order.
  template <class Each>
  Result<void> for_each(Key key, Each each) const {
    LEITONG_ASSIGN(const std::span<const std::uint64_t> found, bucket(key));
    const std::uint64_t rest = rest_of(key);
    for (const std::uint64_t posting : found) {
      if (posting >> 32 < rest) continue;
      if (posting >> 32 > rest) break;
      each(static_cast<TextNumber>(posting));
    }
    return {};
  }

  /// The file has the records of texts [first_text(), first_text() + records().size()).
  [[nodiscard]] TextNumber first_text() const noexcept { return shape_.first_text; }
  [[nodiscard]] std::span<const TextRecord> records() const noexcept { return records_; }
  /// REQUIRES a text whose record is in this segment, as record() does.
  void prefetch_record(TextNumber text) const noexcept {
    __builtin_prefetch(&records_[text - shape_.first_text]);
  }
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const;

  [[nodiscard]] std::uint64_t postings() const noexcept { return postings_.size(); }
  [[nodiscard]] std::uint64_t keys() const noexcept { return shape_.keys; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return file_.size(); }
  /// Verifies all checksums, and that the buckets hold all postings.
  Result<void> verify() const;

  /// Reads all postings in order. REQUIRES verify().
  class Cursor {
   public:
    explicit Cursor(const Segment& segment) : segment_(&segment) { find_bucket(); }
    [[nodiscard]] bool at_end() const noexcept { return at_ == segment_->postings_.size(); }
    [[nodiscard]] Posting operator*() const noexcept;
    void next() noexcept {
      ++at_;
      find_bucket();
    }

   private:
    void find_bucket() noexcept {
      while (!at_end() && segment_->offsets_[bucket_ + 1] <= at_) ++bucket_;
    }
    const Segment* segment_;
    std::size_t at_ = 0, bucket_ = 0;
  };

 private:
  friend class SegmentWriter;
  struct Shape {
    std::uint64_t keys;
    std::uint32_t prefix_bits;
    TextNumber first_text;
  };
  static constexpr std::size_t kBlockWords = 8;
  static constexpr unsigned kProbes = 5;

  explicit Segment(SectionFile file) : file_(std::move(file)) {}
  Result<void> describe();
  [[nodiscard]] std::size_t prefix(Key key) const noexcept { return key >> (kKeyBits - shape_.prefix_bits); }
  [[nodiscard]] std::uint64_t rest_of(Key key) const noexcept {
    return key & ((std::uint64_t{1} << (kKeyBits - shape_.prefix_bits)) - 1);
  }
  [[nodiscard]] std::size_t block(Key key) const noexcept;
  [[nodiscard]] Result<std::span<const std::uint64_t>> bucket(Key key) const;

  SectionFile file_;
  Shape shape_{};
  std::span<const std::uint32_t> offsets_;
  std::span<const std::uint64_t> postings_, filter_;
  std::span<const TextRecord> records_;
};

/// Calls the consumer with each posting, by key and text; a failure of the consumer ends it and is returned.
using PostingsInOrder = std::function<Result<void>(const std::function<Result<void>(const Posting&)>&)>;

struct SegmentContent {
  std::uint64_t most_postings = 0;  ///< upper bound, which determines the layout
  std::uint64_t most_keys = 0;      ///< upper bound of the number of distinct keys
  PostingsInOrder postings;
  TextNumber first_text = 0;
  std::vector<std::span<const TextRecord>> records;  ///< one part after another
  /// False: the text gets an empty record. Null: all records are kept.
  std::function<bool(TextNumber)> keeps_record = {};
};

/// Writes a segment, which appears complete and durable or not at all. Takes 2 to 3 bytes of memory a
/// posting.
Result<void> write_segment(const std::filesystem::path& path, const SegmentContent& content);

/// The content of neighbouring segments, the oldest first, as one. `alive` says which texts' postings are
/// kept. The segments must outlive it. Fails with corrupt if one of them is damaged.
Result<SegmentContent> merged(std::span<const std::shared_ptr<const Segment>> segments,
                              std::function<bool(TextNumber)> alive);

}  // namespace leitong::online
