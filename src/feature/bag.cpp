#include "feature/bag.hpp"

#include <algorithm>
#include <bit>

namespace leitong {

void gather(std::span<const Occurrence> occurrences, BagScratch& scratch, Bag& bag) {
  auto& [slots, number, next] = scratch;
  const std::size_t size = occurrences.size();
  bag.terms.clear();
  bag.occurrences = static_cast<std::uint32_t>(size);
  bag.places.resize_for_overwrite(size);
  number.resize_for_overwrite(size);

  // Open addressing by the upper bits of the ids, which are hashes: 1 + the number of a term, or 0.
  const unsigned bits = static_cast<unsigned>(std::bit_width(2 * size)) + 1;
  slots.clear();
  slots.resize(std::size_t{1} << bits, 0);
  for (std::size_t i = 0; i < size; ++i) {
    const auto [id, hash] = occurrences[i];
    std::size_t slot = id >> (64 - bits);
    while (slots[slot] != 0 && bag.terms[slots[slot] - 1].id != id) slot = (slot + 1) & (slots.size() - 1);
    if (slots[slot] == 0) {
      // Its place holds its number until the terms are in order.
      bag.terms.push_back({id, hash, 0, static_cast<std::uint32_t>(bag.terms.size())});
      slots[slot] = static_cast<std::uint32_t>(bag.terms.size());
    }
    number[i] = slots[slot] - 1;
    ++bag.terms[number[i]].count;
  }

  std::sort(bag.terms.begin(), bag.terms.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  next.resize_for_overwrite(bag.terms.size());  // place of the term with this number
  std::uint32_t places = 0;
  for (BagTerm& term : bag.terms) {
    next[term.first] = places;
    term.first = places;
    places += term.count;
  }
  for (std::uint32_t place = 0; place < size; ++place) bag.places[next[number[place]]++] = place;
}

}  // namespace leitong
