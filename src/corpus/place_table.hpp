// The place of every document, in 12 bytes each.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// The place of a record. Its format defines `position` and `detail`: byte formats (byte_format.hpp) use
/// offset and length; others the number of a row group and the row in it, or the offset of a compressed
/// member and of the record in it.
struct Place {
  std::uint32_t source = 0;  ///< index into the list of sources
  std::uint32_t detail = 0;
  std::uint64_t position = 0;  ///< not less than that of the source's previous document
  /// 1-based line (or row, if the format has no lines) on which the record begins; 0 if a file is one
  /// document.
  std::uint64_t line = 0;
};

/// Append-only. Consecutive documents of one source share a segment, which holds their common values; places
/// in it are 32-bit distances from its start. Consecutive files that are one document each also share a
/// segment.
class PlaceTable {
 public:
  /// REQUIRES: places arrive in input order (source, then position). Amortised O(1).
  void push_back(const Place& place);
  /// O(log segments). REQUIRES document < size().
  [[nodiscard]] Place operator[](DocId document) const noexcept;
  [[nodiscard]] std::uint32_t source(DocId document) const noexcept { return (*this)[document].source; }
  /// Calls `each` with the sources of documents `first` and later: for records each source, for files that
  /// are one document each file.
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
    std::uint64_t position;
    std::uint64_t line;  // 0: consecutive files, where an entry's position is a distance in sources
  };
  struct Entry {
    std::uint32_t position, detail, line;
  };
  std::vector<Segment> segments_;
  PodVector<Entry> entries_;
};

}  // namespace leitong
