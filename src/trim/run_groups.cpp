#include "trim/run_groups.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

constexpr unsigned kCount = PartGroups::kCountBits;
constexpr std::uint64_t kCounts = (std::uint64_t{1} << kCount) - 1;
// Kinds are numbered within a partition, whose number stands above.
constexpr unsigned kKindBits = 64 - kCount - Partitions::kBits;
constexpr std::uint64_t kNoGroup = UINT64_MAX;

/// A segment as it is stored.
struct StoredSegment {
  std::uint64_t key, high, place, low;

  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(low & kCounts); }
  [[nodiscard]] DocId document() const noexcept { return static_cast<DocId>(place >> 32); }
  [[nodiscard]] auto order() const noexcept { return std::tuple(key, high, low, place); }
  [[nodiscard]] bool is_like(const StoredSegment& other) const noexcept {
    return high == other.high && low == other.low;
  }
};
using Segments = std::span<const StoredSegment>;

Segments as_segments(const PodVector<std::uint64_t>& words) {
  return {reinterpret_cast<const StoredSegment*>(words.data()), words.size() / 4};
}

void sort_segments(PodVector<StoredSegment>& segments, PodVector<StoredSegment>& scratch) {
  // One digit leaves few to compare.
  constexpr unsigned kHigh = 64 - Partitions::kBits, kLow = kHigh - 11;
  radix_sort(segments, scratch, kLow, kHigh, [](const StoredSegment& each) { return each.key; });
  for (auto begin = segments.begin(); begin != segments.end();) {
    const auto end = std::find_if(begin, segments.end(), [&](const StoredSegment& each) {
      return each.key >> kLow != begin->key >> kLow;
    });
    std::sort(begin, end,
              [](const StoredSegment& a, const StoredSegment& b) { return a.order() < b.order(); });
    begin = end;
  }
}

/// The first ones that are equal by `same`, cut off from `segments`.
template <class Same>
Segments take_equal(Segments& segments, Same same) {
  const auto end = std::find_if(segments.begin(), segments.end(),
                                [&](const StoredSegment& each) { return !same(each, segments.front()); });
  const Segments equal(segments.begin(), end);
  segments = segments.subspan(equal.size());
  return equal;
}
Segments take_key(Segments& segments) {
  return take_equal(segments, [](const auto& a, const auto& b) { return a.key == b.key; });
}
Segments take_kind(Segments& segments) {
  return take_equal(segments, [](const auto& a, const auto& b) { return a.is_like(b); });
}
bool is_one_kind(Segments of_key) { return of_key.front().is_like(of_key.back()); }

/// Documents of segments of one kind, which are sorted.
std::uint64_t count_holders(Segments kind) {
  std::uint64_t documents = 1;
  for (std::size_t i = 1; i < kind.size(); ++i)
    documents += kind[i].document() != kind[i - 1].document() ? 1 : 0;
  return documents;
}

RepeatedPart part_of(const StoredSegment& segment) {
  return {.document = segment.document(),
          .at = static_cast<std::uint32_t>(segment.place),
          .count = segment.count()};
}

/// The segments of one key that are of several kinds, and which of their runs are equal.
class MixedKey {
 public:
  /// `hashes`: of the runs of all kinds, one after the other; they must stay. Replaces what was there.
  void set(Segments of_key, std::span<const PartHash> hashes) {
    hashes_ = hashes;
    kinds_.clear();
    runs_.clear();
    std::uint32_t number = 0;
    for (Segments rest = of_key; !rest.empty(); ++number) {
      const Segments kind = take_kind(rest);
      const auto begin = static_cast<std::uint32_t>(runs_.size());
      for (std::uint32_t i = 0; i < kind.front().count(); ++i) runs_.push_back({number, i});
      kinds_.push_back({kind, begin, count_holders(kind)});
    }
    classify();
  }

  /// Gives groups to the classes that at least so many documents hold, and to successive runs successive
  /// ones. Returns their number.
  std::uint64_t number(std::uint64_t least_documents) {
    classes_.assign(starts_.size() - 1, {});
    std::uint64_t groups = 0;
    const Class* before = nullptr;  // and its members
    std::span<const Run> members_before;
    for (const std::uint32_t index : class_of_) {
      Class& one = classes_[index];
      if (one.is_set) continue;
      const std::span<const Run> members(members_.data() + starts_[index],
                                         starts_[index + 1] - starts_[index]);
      one.is_set = true;
      std::size_t places = 0;
      one.first = UINT64_MAX;
      for (const Run& run : members) {
        places += kinds_[run.kind].segments.size();
        one.first = std::min(one.first, kinds_[run.kind].segments.front().place + run.at);
      }
      if (places > 1) {
        const bool as_before =
            before != nullptr && std::ranges::equal(members, members_before, {}, &Run::kind, &Run::kind);
        one.documents = as_before ? before->documents : count_documents(members);
        if (one.documents >= least_documents) one.group = groups++;
        before = &one;
        members_before = members;
      }
    }
    return groups;
  }

  /// Passes on the runs that have groups, of which the first is `first_group`.
  Result<void> put(std::uint64_t first_group, PartGroups::Members& members) const {
    for (const Kind& kind : kinds_) {
      const std::uint32_t count = kind.segments.front().count();
      for (std::size_t s = 0; s < kind.segments.size(); ++s) {
        const StoredSegment& segment = kind.segments[s];
        const auto stands_first = [&](std::uint32_t i) {
          return s == 0 && of(kind, i).first == segment.place + i;
        };
        for (std::uint32_t i = 0; i < count;) {
          const Class& one = of(kind, i);
          const std::uint32_t begin = i++;
          if (one.group == kNoGroup) continue;
          const bool first = stands_first(begin);
          while (i < count && of(kind, i).group == one.group + (i - begin) &&
                 of(kind, i).documents == one.documents && stands_first(i) == first)
            ++i;
          RepeatedPart part = part_of(segment);
          part.at += begin;
          part.count = i - begin;
          part.group = first_group + one.group;
          part.documents = one.documents;
          part.first = first;
          LEITONG_TRY(members.add(part));
        }
      }
    }
    return {};
  }

 private:
  struct Kind {
    Segments segments;
    std::uint32_t begin;  // of its runs
    std::uint64_t documents;
  };
  struct Run {
    std::uint32_t kind, at;  // in the segment
  };
  /// Equal runs.
  struct Class {
    bool is_set = false;
    std::uint64_t group = kNoGroup, documents = 0, first = 0;
  };

  /// Finds the equal runs: fills class_of_, starts_ and members_.
  void classify() {
    constexpr std::uint32_t kNone = UINT32_MAX;
    const std::size_t slots = std::bit_ceil(2 * runs_.size());
    slots_.assign(slots, kNone);
    class_of_.resize(runs_.size());
    first_of_.clear();
    sizes_.clear();
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      std::size_t slot = hashes_[i].high & (slots - 1);
      const auto is_other = [&](std::uint32_t other) {
        const PartHash& known = hashes_[first_of_[other]];
        return known.high != hashes_[i].high || known.low != hashes_[i].low;
      };
      while (slots_[slot] != kNone && is_other(slots_[slot])) slot = (slot + 1) & (slots - 1);
      if (slots_[slot] == kNone) {
        slots_[slot] = static_cast<std::uint32_t>(first_of_.size());
        first_of_.push_back(i);
        sizes_.push_back(0);
      }
      class_of_[i] = slots_[slot];
      ++sizes_[slots_[slot]];
    }
    starts_.assign(1, 0);
    for (const std::uint32_t size : sizes_) starts_.push_back(starts_.back() + size);
    members_.resize(runs_.size());
    for (std::size_t i = runs_.size(); i-- > 0;)
      members_[starts_[class_of_[i]] + --sizes_[class_of_[i]]] = runs_[i];
  }

  [[nodiscard]] const Class& of(const Kind& kind, std::uint32_t i) const {
    return classes_[class_of_[kind.begin + i]];
  }
  std::uint64_t count_documents(std::span<const Run> members) {
    if (members.size() == 1) return kinds_[members.front().kind].documents;
    documents_.clear();
    for (const Run& run : members)
      for (const StoredSegment& segment : kinds_[run.kind].segments) documents_.push_back(segment.document());
    std::ranges::sort(documents_);
    return static_cast<std::uint64_t>(std::ranges::unique(documents_).begin() - documents_.begin());
  }

  std::span<const PartHash> hashes_;
  std::vector<Kind> kinds_;
  std::vector<Run> runs_;                        // of all kinds
  std::vector<std::uint32_t> class_of_;          // each run
  std::vector<std::uint32_t> slots_;             // classes by hash
  std::vector<std::uint32_t> first_of_, sizes_;  // the first run of each class, and how many it has
  std::vector<std::size_t> starts_;              // of the classes in members_, and their end
  std::vector<Run> members_;                     // the runs class by class
  std::vector<Class> classes_;
  std::vector<DocId> documents_;
};

}  // namespace

Result<void> RunGroups::HashWriter::add(const Wanted& segment, std::span<const PartHash> runs) {
  const auto partition = static_cast<unsigned>(segment.kind >> kKindBits);
  const std::uint64_t kind = (segment.kind & ((std::uint64_t{1} << kKindBits) - 1)) << kCount;
  for (std::size_t i = 0; i < runs.size(); ++i)
    LEITONG_TRY(writer_.append(partition, std::array{kind | i, runs[i].high, runs[i].low}));
  return {};
}

Result<void> RunGroups::compare(std::uint64_t documents) {
  shift_ = Partitions::shift_for(documents);
  groups_.set_documents(documents);
  struct Space {
    PodVector<std::uint64_t> words;
    PodVector<StoredSegment> segments, scratch;
  };
  PerThread<Partitions::Writer> writers([this] { return Partitions::Writer(wanted_); });
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Space(); },
      [&](std::size_t number, Space& space) -> Result<void> {
        const auto partition = static_cast<unsigned>(number);
        LEITONG_TRY(segments_.take(partition, space.words));
        const HeldMemory held(run_.memory, 3 * space.words.size() * sizeof(std::uint64_t));
        const Segments stored = as_segments(space.words);
        space.segments.clear();
        space.segments.append(stored);
        sort_segments(space.segments, space.scratch);
        std::uint64_t kinds = 0;
        for (Segments rest = space.segments; !rest.empty();) {
          Segments of_key = take_key(rest);
          if (is_one_kind(of_key)) continue;
          while (!of_key.empty()) {
            const StoredSegment one = take_kind(of_key).front();
            LEITONG_TRY(writers.local().append(
                static_cast<unsigned>(one.document() >> shift_),
                std::array{one.place, (number << kKindBits | kinds++) << kCount | one.count()}));
          }
        }
        return segments_.put(partition, {reinterpret_cast<const std::uint64_t*>(space.segments.data()),
                                         4 * space.segments.size()});
      }));
  return writers.for_each([](Partitions::Writer& writer) { return writer.flush(); });
}

Result<void> RunGroups::take_wanted(unsigned block, std::vector<Wanted>& wanted) {
  PodVector<std::uint64_t> words;
  LEITONG_TRY(wanted_.take(block, words));
  wanted.clear();
  for (std::size_t i = 0; i < words.size(); i += 2)
    wanted.push_back({static_cast<DocId>(words[i] >> 32), static_cast<std::uint32_t>(words[i]),
                      static_cast<std::uint32_t>(words[i + 1] & kCounts), words[i + 1] >> kCount});
  std::ranges::sort(wanted, {}, [](const Wanted& each) { return std::tuple(each.document, each.at); });
  return {};
}

Result<void> RunGroups::group(std::uint64_t least_documents) {
  struct Space {
    PodVector<std::uint64_t> words, hash_words;
    std::vector<PartHash> hashes;
    std::vector<std::size_t> begins;  // of each kind in hashes
    MixedKey mixed;
  };
  PerThread<PartGroups::Members> writers([this] { return PartGroups::Members(groups_); });
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Space(); },
      [&](std::size_t number, Space& space) -> Result<void> {
        PartGroups::Members& members = writers.local();
        LEITONG_TRY(segments_.take(static_cast<unsigned>(number), space.words));
        LEITONG_TRY(hashes_.take(static_cast<unsigned>(number), space.hash_words));
        const HeldMemory held(run_.memory,
                              (space.words.size() + 2 * space.hash_words.size()) * sizeof(std::uint64_t));
        const Segments segments = as_segments(space.words);
        // The same order as in compare(), so the same numbers.
        space.begins.assign(1, 0);
        for (Segments rest = segments; !rest.empty();) {
          Segments of_key = take_key(rest);
          if (is_one_kind(of_key)) continue;
          while (!of_key.empty())
            space.begins.push_back(space.begins.back() + take_kind(of_key).front().count());
        }
        space.hashes.resize(space.begins.back());
        for (std::size_t i = 0; i < space.hash_words.size(); i += 3) {
          const std::uint64_t run = space.hash_words[i];
          space.hashes[space.begins[run >> kCount] + (run & kCounts)] = {space.hash_words[i + 1],
                                                                         space.hash_words[i + 2]};
        }
        std::size_t kinds = 0;
        for (Segments rest = segments; !rest.empty();) {
          const Segments of_key = take_key(rest);
          if (!is_one_kind(of_key)) {
            const std::size_t begin = space.begins[kinds];
            for (Segments each = of_key; !each.empty(); ++kinds) take_kind(each);
            space.mixed.set(of_key, std::span(space.hashes).subspan(begin, space.begins[kinds] - begin));
            const std::uint64_t groups = space.mixed.number(least_documents);
            if (groups > 0) LEITONG_TRY(space.mixed.put(groups_.new_groups(groups), members));
            continue;
          }
          if (of_key.size() < 2) continue;
          const std::uint64_t documents = count_holders(of_key);
          if (documents < least_documents) continue;
          const std::uint64_t group = groups_.new_groups(of_key.front().count());
          for (const StoredSegment& segment : of_key) {
            RepeatedPart part = part_of(segment);
            part.group = group;
            part.documents = documents;
            part.first = &segment == of_key.data();
            LEITONG_TRY(members.add(part));
          }
        }
        return {};
      }));
  return writers.for_each([](PartGroups::Members& members) { return members.flush(); });
}

}  // namespace leitong
