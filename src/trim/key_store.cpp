#include "trim/key_store.hpp"

#include <algorithm>
#include <utility>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"

namespace leitong {

Result<void> KeyStore::add(std::uint64_t key, DocId document) {
  ++size_;
  const auto partition = static_cast<unsigned>(key % Partitions::kCount);
  KeyOf& waiting = waiting_[partition];
  if (waiting.document == kNoDocument) {
    waiting = {key, document};
    return {};
  }
  const KeyOf first = std::exchange(waiting, {0, kNoDocument});
  return writer_.append(partition, std::array{first.key, key, join_halves(first.document, document)});
}

Result<void> KeyStore::flush() {
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    const KeyOf last = std::exchange(waiting_[partition], {0, kNoDocument});
    if (last.document == kNoDocument) continue;
    LEITONG_TRY(writer_.append(
        partition, std::array{last.key, std::uint64_t{0}, join_halves(last.document, kNoDocument)}));
  }
  return writer_.flush();
}

Result<void> KeyStore::find_repeated(std::uint64_t least, const Repeated& repeated) {
  struct Space {
    PodVector<std::uint64_t> words;
    PodVector<KeyOf> keys, scratch;
    PodVector<DocId> documents;
  };
  return parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Space(); },
      [&](std::size_t number, Space& space) -> Result<void> {
        LEITONG_TRY(pairs_.take(static_cast<unsigned>(number), space.words));
        PodVector<KeyOf>& keys = space.keys;
        const std::size_t most = space.words.size() / 3 * 2;
        const HeldMemory held(run_.memory,
                              space.words.size() * sizeof(std::uint64_t) + 2 * most * sizeof(KeyOf));
        keys.clear();
        keys.reserve(most);
        for (std::size_t i = 0; i < space.words.size(); i += 3) {
          keys.push_back({space.words[i], high_half(space.words[i + 2])});
          if (const DocId second = low_half(space.words[i + 2]); second != kNoDocument)
            keys.push_back({space.words[i + 1], second});
        }
        // One digit leaves few keys to compare.
        constexpr unsigned kLow = 64 - 11;
        radix_sort(keys, space.scratch, kLow, 64, [](const KeyOf& each) { return each.key; });
        for (auto begin = keys.begin(); begin != keys.end();) {
          const auto end = std::find_if(
              begin, keys.end(), [&](const KeyOf& each) { return each.key >> kLow != begin->key >> kLow; });
          std::sort(begin, end, [](const KeyOf& a, const KeyOf& b) { return a.key < b.key; });
          begin = end;
        }
        for (auto begin = keys.begin(); begin != keys.end();) {
          const auto end =
              std::find_if(begin, keys.end(), [&](const KeyOf& each) { return each.key != begin->key; });
          if (static_cast<std::uint64_t>(end - begin) >= least) {
            space.documents.clear();
            for (auto each = begin; each != end; ++each) space.documents.push_back(each->document);
            repeated(begin->key, space.documents);
          }
          begin = end;
        }
        return {};
      });
}

}  // namespace leitong
