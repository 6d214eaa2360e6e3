#include "feature/keywords.hpp"

#include <algorithm>
#include <array>

#include "base/try.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kUnknown = 1u << 31;
/// Up to so many entries are sorted directly.
constexpr std::size_t kFew = 24;

constexpr std::uint32_t kBuckets = 256;
/// The bucket of a word by the order of bytes. Chinese words begin with E4 to E9, so most buckets are for
/// these.
std::uint32_t bucket_of(std::uint64_t prefix) {
  const auto top = static_cast<std::uint32_t>(prefix >> 48);
  constexpr std::uint32_t kChinese = 0xE400, kBehind = 0xEA00;
  if (top < kChinese) return top >> 11;
  if (top < kBehind) return (kChinese >> 11) + 1 + ((top - kChinese) >> 3);
  return (kChinese >> 11) + 1 + ((kBehind - kChinese) >> 3) + ((top - kBehind) >> 9);
}
static_assert((0xE400 >> 11) + 1 + ((0xEA00 - 0xE400) >> 3) + ((0xFFFF - 0xEA00) >> 9) < kBuckets);

/// The order of a heap whose front is the lightest, as in libstdc++'s partial_sort.
constexpr auto kHeavier = [](const auto& a, const auto& b) { return a.weight > b.weight; };

/// Does what libstdc++'s heap does when its front is replaced: the hole sinks to a leaf along the lighter
/// children (of equals the second), then the new element rises. The final order of equal elements depends on
/// it.
template <class Entry>
void replace_front(Entry* heap, std::size_t size, const Entry& entry) {
  std::size_t hole = 0, child = 0;
  while (child < (size - 1) / 2) {
    child = 2 * child + 2;
    if (kHeavier(heap[child], heap[child - 1])) --child;
    heap[hole] = heap[child];
    hole = child;
  }
  if (size % 2 == 0 && child == (size - 2) / 2) {
    child = 2 * child + 1;
    heap[hole] = heap[child];
    hole = child;
  }
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / 2;
    if (!kHeavier(heap[parent], entry)) break;
    heap[hole] = heap[parent];
    hole = parent;
  }
  heap[hole] = entry;
}

}  // namespace

Result<KeywordExtractor> KeywordExtractor::open(std::shared_ptr<const SegmentModel> model, Scripts scripts,
                                                Simd level) {
  LEITONG_TRY(model->verify());
  return KeywordExtractor(JiebaCutter(std::move(model), level), scripts);
}

std::string_view KeywordExtractor::word(std::string_view utf8, const KeywordScratch& scratch,
                                        const Entry& entry) const {
  if (!(entry.word & kUnknown)) return cutter_.model().text(entry.word);
  const UnknownWord& word = scratch.counts.unknown()[entry.word & ~kUnknown];
  return utf8.substr(word.begin, word.length);
}

void KeywordExtractor::weigh(std::string_view utf8, KeywordScratch& scratch) const {
  const SegmentModel& model = cutter_.model();
  const double mean = model.numbers().mean_idf;
  scratch.entries.clear();
  for (const KnownWord& word : scratch.counts.known()) __builtin_prefetch(&model.rank(word.id));
  const auto add = [&](double weight, std::uint64_t prefix, std::uint32_t word) {
    scratch.entries.push_back({weight, prefix, word, bucket_of(prefix)});
  };
  for (const KnownWord& word : scratch.counts.known()) {
    const WordRank& rank = model.rank(word.id);
    if (rank.idf == 0) continue;
    add(word.count * (rank.idf == kNoIdf ? mean : rank.idf), rank.prefix, word.id);
  }
  const auto unknown = scratch.counts.unknown();
  for (std::uint32_t i = 0; i < unknown.size(); ++i)
    add(unknown[i].count * mean, word_prefix(utf8.substr(unknown[i].begin, unknown[i].length)), kUnknown | i);
}

void KeywordExtractor::extract(std::string_view utf8, std::size_t count, KeywordScratch& scratch,
                               std::vector<Keyword>& keywords) const {
  scratch.counts.count(cutter_, scripts_, utf8, phrases_.get());
  weigh(utf8, scratch);
  keywords.clear();
  PodVector<Entry>& heap = scratch.heap;
  heap.clear();
  count = std::min(count, scratch.entries.size());
  if (count == 0) return;

  const auto by_bytes = [&](const Entry& a, const Entry& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return word(utf8, scratch, a) < word(utf8, scratch, b);
  };
  // Takes the entries of one bucket, which come after those of all earlier buckets. Entries that the heap
  // would reject are rejected before sorting.
  const auto take = [&](Entry* begin, Entry* end) {
    if (heap.size() == count)
      end = std::partition(begin, end, [&](const Entry& entry) { return kHeavier(entry, heap[0]); });
    std::sort(begin, end, by_bytes);
    for (; begin < end; ++begin) {
      if (heap.size() < count) {
        heap.push_back(*begin);
        if (heap.size() == count) std::make_heap(heap.begin(), heap.end(), kHeavier);
      } else if (kHeavier(*begin, heap[0])) {
        replace_front(heap.data(), count, *begin);
      }
    }
  };
  if (scratch.entries.size() <= kFew) {
    take(scratch.entries.begin(), scratch.entries.end());
  } else {
    std::array<std::uint32_t, kBuckets + 1> ends{};
    for (const Entry& entry : scratch.entries) ++ends[entry.bucket + 1];
    for (std::uint32_t i = 0; i < kBuckets; ++i) ends[i + 1] += ends[i];
    scratch.sorted.resize_for_overwrite(scratch.entries.size());
    std::array<std::uint32_t, kBuckets + 1> next = ends;
    for (const Entry& entry : scratch.entries) scratch.sorted[next[entry.bucket]++] = entry;
    for (std::uint32_t i = 0; i < kBuckets; ++i)
      if (ends[i] != ends[i + 1]) take(scratch.sorted.data() + ends[i], scratch.sorted.data() + ends[i + 1]);
  }
  std::sort_heap(heap.begin(), heap.end(), kHeavier);
  for (const Entry& entry : heap) keywords.push_back({word(utf8, scratch, entry), entry.weight});
}

}  // namespace leitong
