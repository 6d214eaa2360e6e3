#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <variant>

#include "api/text_batches.hpp"
#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "dedup/content_hash.hpp"
#include "feature/shingles.hpp"
#include "similarity/own_text.hpp"
#include "similarity/template_rule.hpp"
#include "spread/by_range.hpp"
#include "spread/steps.hpp"
#include "spread/text_numbers.hpp"
#include "text/units.hpp"

namespace leitong::spread {

namespace {

// The number of a shingle's bit in a filter is its first bits.
unsigned shift_of(std::span<const std::uint8_t> filter) {
  return 32 - static_cast<unsigned>(std::bit_width(filter.size()) + 2);
}

// Without a branch for each shingle, which would wait for the memory of the filter.
void append_if_in(std::span<const std::uint8_t> filter, unsigned shift, std::span<const std::uint32_t> set,
                  std::vector<std::uint32_t>& to) {
  std::size_t size = to.size();
  to.resize(size + set.size());
  for (const std::uint32_t shingle : set) {
    const std::uint32_t at = shingle >> shift;
    to[size] = shingle;
    size += filter[at >> 3] >> (at & 7) & 1;
  }
  to.resize(size);
}

}  // namespace

Result<void> add_to_filter(const Context& context, std::span<const std::string_view> texts,
                           std::span<std::uint8_t> filter, const Folding& folding) {
  struct Space {
    PodVector<Unit> units;
    PodVector<std::uint32_t> shingles;
  };
  const unsigned shift = shift_of(filter);
  LEITONG_TRY(for_chunks<std::monostate>(
      context, texts, [] { return Space(); },
      [&](const TextChunk& chunk, Space& space, std::monostate&) -> Result<void> {
        for (const std::string_view text : chunk.texts) {
          to_units(text, folding, space.units);
          shingle_hashes(space.units, space.shingles);
          for (const std::uint32_t shingle : space.shingles) {
            const std::uint32_t at = shingle >> shift;
            std::atomic_ref(filter[at >> 3])
                .fetch_or(static_cast<std::uint8_t>(1u << (at & 7)), std::memory_order_relaxed);
          }
        }
        return {};
      }));
  return {};
}

Result<WantedShingles> wanted_shingles(const Context& context, std::span<const std::string_view> texts,
                                       std::span<const std::uint8_t> filter, std::uint32_t ranges,
                                       const Folding& folding) {
  struct Space {
    PodVector<Unit> units;
    PodVector<std::uint32_t> set, scratch;
  };
  struct Found {
    std::vector<std::uint64_t> content;
    Lists<std::uint32_t> shingles;
  };
  const unsigned shift = shift_of(filter);
  LEITONG_ASSIGN(std::vector<Found> parts,
                 for_chunks<Found>(
                     context, texts, [] { return Space(); },
                     [&](const TextChunk& chunk, Space& space, Found& out) -> Result<void> {
                       for (const std::string_view text : chunk.texts) {
                         to_units(text, folding, space.units);
                         out.content.push_back(content_hash(text, space.units));
                         shingle_set(space.units, space.set, space.scratch);
                         append_if_in(filter, shift, space.set, out.shingles.values);
                         end_list(out.shingles);
                       }
                       return {};
                     }));
  WantedShingles made;
  std::vector<Lists<std::uint32_t>> lists;
  for (Found& part : parts) {
    append(made.content, part.content);
    lists.push_back(std::move(part.shingles));
  }
  made.shingles = by_range(joined(std::move(lists)), ranges, [&](std::uint32_t shingle) {
    return static_cast<std::size_t>(std::uint64_t{shingle} * ranges >> 32);
  });
  return made;
}

namespace {

// The texts that hold some shingles: their numbers ascending, and words of a shingle and the place of a text,
// each once, ascending.
struct Held {
  TextNumbers texts;
  PodVector<std::uint64_t> words;

  static std::uint32_t shingle(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
  static std::uint32_t place(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

  // Calls `each` with the words of every shingle that at least kCommonFamilies texts hold.
  template <class Each>
  void for_each(Each each) const {
    for (const std::uint64_t *begin = words.begin(), *end; begin != words.end(); begin = end) {
      for (end = begin + 1; end != words.end() && shingle(*end) == shingle(*begin);) ++end;
      if (end - begin >= kCommonFamilies) each(std::span(begin, end));
    }
  }
};

Result<Held> held_by(const ShinglesOfTexts& of) {
  std::uint64_t sum = 0;
  for (const std::uint8_t count : of.counts) sum += count;
  if (of.texts.size() != of.counts.size() || sum != of.shingles.size())
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} texts with {} counts of {} shingles in all, and {} shingles", of.texts.size(),
                            of.counts.size(), sum, of.shingles.size()));
  Held held;
  std::vector<std::uint32_t> numbers(of.texts.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = held.texts(of.texts[i]);
  const std::vector<std::uint32_t> places = held.texts.sort();
  held.words.reserve(of.shingles.size());
  auto shingle = of.shingles.begin();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::uint32_t n = 0; n < of.counts[i]; ++n)
      held.words.push_back(std::uint64_t{*shingle++} << 32 | places[numbers[i]]);
  PodVector<std::uint64_t> scratch;
  const auto word = [](std::uint64_t w) { return w; };
  radix_sort(held.words, scratch, 0, static_cast<unsigned>(std::bit_width(places.size())), word);
  radix_sort(held.words, scratch, 32, 64, word);
  held.words.resize_for_overwrite(
      static_cast<std::size_t>(std::unique(held.words.begin(), held.words.end()) - held.words.begin()));
  return held;
}

// Counts the families of shingles, and marks texts with those that matter.
class Marker {
 public:
  explicit Marker(const TextsOfPairs& known) : known_(known), families_(known.texts.size()) {
    TextNumbers numbers;
    for (std::size_t i = 0; i < families_.size(); ++i) families_[i] = numbers(known.families[i]);
    counted_for_.assign(numbers.size(), 0);
  }

  // False: the shingle has no marks, whatever its texts ask.
  bool mark(const HeldShingle& held, std::span<const std::uint32_t> members,
            std::vector<ShingleOfText>& marks) {
    ++shingle_;
    std::uint64_t families = held.outside;
    bool wants_common = false;
    for (const std::uint32_t member : members) {
      std::uint64_t& counted = counted_for_[families_[member]];
      families += counted != shingle_;
      counted = shingle_;
      wants_common |= (known_.flags[member] & kWantsCommon) != 0;
    }
    if (families < (wants_common ? kCommonFamilies : TemplateRule::kFamilies)) return false;
    const bool is_template = leitong::is_template(families, held.outside + members.size());
    for (const std::uint32_t member : members) {
      const std::uint8_t flags = known_.flags[member];
      if ((flags & kAsked) != 0 && (is_template || (flags & kWantsCommon) != 0))
        marks.push_back({member, held.shingle, static_cast<std::uint32_t>(families), is_template});
    }
    return true;
  }

 private:
  const TextsOfPairs& known_;
  std::vector<std::uint32_t> families_;     // of each text, by small numbers
  std::vector<std::uint64_t> counted_for_;  // of each family the last shingle
  std::uint64_t shingle_ = 0;
};

}  // namespace

Result<CountedShingles> count_range(const ShinglesOfTexts& of, const TextsOfPairs& known) {
  LEITONG_ASSIGN(const Held held, held_by(of));
  constexpr std::uint32_t kOutside = UINT32_MAX;
  std::vector<std::uint32_t> positions(held.texts.size(), kOutside);  // in `known`
  for (std::uint32_t place = 0, position = 0; place < positions.size(); ++place) {
    const std::int64_t text = held.texts.text(place);
    while (position < known.texts.size() && known.texts[position] < text) ++position;
    if (position < known.texts.size() && known.texts[position] == text) positions[place] = position;
  }
  Marker marker(known);
  CountedShingles made;
  held.for_each([&](std::span<const std::uint64_t> words) {
    const std::size_t begin = made.members.size();
    std::uint8_t flags = 0;
    for (const std::uint64_t word : words)
      if (const std::uint32_t position = positions[Held::place(word)]; position != kOutside) {
        made.members.push_back(position);
        flags |= known.flags[position];
      }
    const auto members = std::span<const std::uint32_t>(made.members).subspan(begin);
    const HeldShingle shingle{Held::shingle(words.front()),
                              static_cast<std::uint32_t>(words.size() - members.size()),
                              static_cast<std::uint32_t>(members.size())};
    if ((flags & kAsked) != 0 && marker.mark(shingle, members, made.marks))
      made.held.push_back(shingle);
    else
      made.members.resize(begin);
  });
  return made;
}

Result<std::vector<ShingleOfText>> mark_range(std::span<const HeldShingle> held,
                                              std::span<const std::uint32_t> members,
                                              const TextsOfPairs& known) {
  std::uint64_t sum = 0;
  for (const HeldShingle& shingle : held) sum += shingle.members;
  if (sum != members.size() ||
      std::ranges::any_of(members, [&](std::uint32_t member) { return member >= known.texts.size(); }))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} members of shingles that are held by {}, or one that is none of {} texts",
                            members.size(), sum, known.texts.size()));
  Marker marker(known);
  std::vector<ShingleOfText> marks;
  std::size_t begin = 0;
  for (const HeldShingle& shingle : held) {
    marker.mark(shingle, members.subspan(begin, shingle.members), marks);
    begin += shingle.members;
  }
  return marks;
}

Result<std::vector<std::uint8_t>> bare_texts(const Context& context, std::span<const std::string_view> texts,
                                             const Lists<std::uint32_t>& templates, std::uint64_t corpus,
                                             const Folding& folding) {
  struct Space {
    PodVector<Unit> units;
    PodVector<std::uint32_t> ordered, set, scratch, templates;
  };
  const LeastRun least_run = least_template_run(corpus);
  LEITONG_ASSIGN(
      const std::vector<std::vector<std::uint8_t>> parts,
      for_chunks<std::vector<std::uint8_t>>(
          context, texts, [] { return Space(); },
          [&](const TextChunk& chunk, Space& space, std::vector<std::uint8_t>& out) -> Result<void> {
            for (std::size_t i = 0; i < chunk.texts.size(); ++i) {
              to_units(chunk.texts[i], folding, space.units);
              shingle_hashes(space.units, space.ordered);
              shingle_set(space.units, space.set, space.scratch);
              space.templates.clear();
              space.templates.append(templates[chunk.first + i]);
              keep_runs(space.ordered, least_run, space.templates);
              out.push_back(!space.templates.empty() &&
                            own_text(space.ordered, space.set.size(), space.templates).is_bare());
            }
            return {};
          }));
  std::vector<std::uint8_t> all;
  for (const auto& part : parts) append(all, part);
  return all;
}

}  // namespace leitong::spread
