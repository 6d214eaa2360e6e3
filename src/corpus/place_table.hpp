// Where every document stands, in 12 bytes each.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/pair.hpp"

namespace leitong {

/// Where a record stands.
struct Place {
  std::uint32_t source = 0;  ///< index into the list of sources
  std::uint32_t length =
      0;  ///< bytes of the record, without its line end; of a file that is one document its uncompressed size
  std::uint64_t offset = 0;  ///< byte in the (uncompressed) source
  std::uint64_t line = 0;    ///< 1-based line on which the record begins; 0 where a file is one document
};

/// Append-only. Consecutive documents of one source share a segment that holds what they have in common;
/// places in it are 32-bit distances from its start. Consecutive files that are one document each share a
/// segment, too.
class PlaceTable {
 public:
  /// REQUIRES: places arrive in input order (source, then offset). Amortised O(1).
  void push_back(const Place& place);
  /// O(log segments). REQUIRES document < size().
  [[nodiscard]] Place operator[](DocId document) const noexcept;
  [[nodiscard]] std::uint32_t source(DocId document) const noexcept { return (*this)[document].source; }
  /// Calls `each` with the sources of documents `first` and later: of records every one, of files that are
  /// one document each one.
  template <class Each>
  void each_source(DocId first, const Each& each) const {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const DocId end = i + 1 < segments_.size() ? segments_[i + 1].first : size();
      if (end > first && (i == 0 || segments_[i].source != segments_[i - 1].source))
        each(segments_[i].source);
    }
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }

 private:
  struct Segment {
    DocId first;
    std::uint32_t source;
    std::uint64_t offset;
    std::uint64_t line;  // 0: a run of files; an entry's offset is then a distance in sources
  };
  struct Entry {
    std::uint32_t offset, length, line;
  };
  std::vector<Segment> segments_;
  PodVector<Entry> entries_;
};

}  // namespace leitong
