#include "online/posting_table.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "base/radix_sort.hpp"

namespace leitong::online {
namespace {

// The lower bits of a key; sorting by the others takes two passes.
constexpr unsigned kLowerBits = kKeyBits - 22;

}  // namespace

std::size_t PostingTable::place(Key key) const noexcept {
  std::size_t i = slot(key);
  while (entries_[i].count != 0 && entries_[i].key != key) i = (i + 1) & (entries_.size() - 1);
  return i;
}

void PostingTable::grow() {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old)
    if (entry.count != 0) entries_[place(entry.key)] = entry;
}

std::uint32_t PostingTable::new_chunk(unsigned size_class) {
  if (!free_[size_class].empty()) {
    const std::uint32_t chunk = free_[size_class].back();
    free_[size_class].pop_back();
    return chunk;
  }
  const auto chunk = static_cast<std::uint32_t>(ids_.size());
  ids_.resize(ids_.size() + (std::size_t{1} << size_class));
  return chunk;
}

void PostingTable::add(Key key, TextNumber text) {
  ++postings_;
  std::size_t i = place(key);
  if (entries_[i].count == 0) {
    if (++used_ * 2 > entries_.size()) {
      grow();
      i = place(key);
    }
    entries_[i] = {key, 1, text};
    return;
  }
  Entry& entry = entries_[i];
  if (std::has_single_bit(entry.count)) {  // the chunk is full
    const auto size_class = static_cast<unsigned>(std::bit_width(entry.count)) - 1;
    const std::uint32_t chunk = new_chunk(size_class + 1);
    if (entry.count == 1) {
      ids_[chunk] = entry.at;
    } else {
      std::copy_n(ids_.begin() + entry.at, entry.count, ids_.begin() + chunk);
      free_[size_class].push_back(entry.at);
    }
    entry.at = chunk;
  }
  ids_[entry.at + entry.count++] = text;
}

std::span<const TextNumber> PostingTable::find(Key key) const noexcept {
  return texts_of(entries_[place(key)]);
}

std::span<const TextNumber> PostingTable::texts_of(const Entry& entry) const noexcept {
  if (entry.count <= 1) return {&entry.at, entry.count};
  return {ids_.data() + entry.at, entry.count};
}

PodVector<Posting> PostingTable::sorted() const {
  PodVector<Posting> all, scratch;
  all.reserve(postings_);
  for (const Entry& entry : entries_)
    for (const TextNumber text : texts_of(entry)) all.push_back({entry.key, text});
  // Keys are hashes: few share their upper bits, so that these groups are sorted fast.
  const auto upper = [](const Posting& posting) { return posting.key >> kLowerBits; };
  radix_sort(all, scratch, kLowerBits, kKeyBits, [](const Posting& posting) { return posting.key; });
  for (auto first = all.begin(); first != all.end();) {
    auto last = std::next(first);
    while (last != all.end() && upper(*last) == upper(*first)) ++last;
    if (last - first > 1)
      std::sort(first, last, [](const Posting& a, const Posting& b) {
        return std::tie(a.key, a.text) < std::tie(b.key, b.text);
      });
    first = last;
  }
  return all;
}

void PostingTable::clear() noexcept {
  std::fill(entries_.begin(), entries_.end(), Entry{});
  ids_.clear();
  for (auto& chunks : free_) chunks.clear();
  used_ = 0;
  postings_ = 0;
}

}  // namespace leitong::online
