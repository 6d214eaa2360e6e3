#include "feature/bag.hpp"

#include <algorithm>

namespace leitong {

void gather(std::span<const Occurrence> occurrences, BagScratch& scratch, Bag& bag) {
  auto& [table, number, next] = scratch;
  const std::size_t size = occurrences.size();
  table.clear(next.size());  // the number of terms of the previous document
  bag.terms.clear();
  bag.occurrences = static_cast<std::uint32_t>(size);
  bag.places.resize_for_overwrite(size);
  number.resize_for_overwrite(size);
  const auto id_of = [&](std::size_t term) { return bag.terms[term].id; };
  for (std::size_t i = 0; i < size; ++i) {
    const Occurrence& each = occurrences[i];
    const std::size_t term = table.find_or_enter(
        each.id, bag.terms.size(), [&](std::size_t other) { return id_of(other) == each.id; }, id_of);
    number[i] = static_cast<std::uint32_t>(term);
    // A term's place holds its number until the terms are sorted.
    if (term == bag.terms.size()) bag.terms.push_back({each.id, each.hash, 0, number[i]});
    ++bag.terms[term].count;
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
