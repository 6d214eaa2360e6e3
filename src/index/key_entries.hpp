// Keys with their documents, in the form in which the joins keep them in partitions.
#pragma once

#include <cstdint>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"

namespace leitong {

using Entries = PodVector<std::uint64_t>;

// An entry: 32 bits of the key (the number of the partition gives 8 more) and the document. Two different
// keys that agree in these 40 bits make a false candidate once in 2^40 pairs of entries; verification refuses
// it.
constexpr std::uint64_t entry(std::uint64_t key, DocId document) {
  return (key << 8 & ~0xffffffffULL) | document;
}
constexpr unsigned entry_partition(std::uint64_t key) { return static_cast<unsigned>(key >> 56); }
constexpr std::uint32_t entry_key(std::uint64_t e) { return static_cast<std::uint32_t>(e >> 32); }
constexpr DocId entry_document(std::uint64_t e) { return static_cast<DocId>(e); }

/// Working space of a thread.
struct SortSpace {
  Entries entries, scratch;

  /// Sorts by key; entries of one key stay in their order.
  void sort() {
    radix_sort(entries, scratch, 32, 64, [](std::uint64_t e) { return e; });
  }
};

}  // namespace leitong
