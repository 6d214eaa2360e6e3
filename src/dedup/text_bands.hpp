// Reads the texts of pairs again and compares them. Each document is read as rarely as memory allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "base/pair.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Documents (ascending) and their features.
template <class Features>
struct Shelf {
  std::vector<DocId> documents;
  std::vector<bool> more;  // true if a pair needs more features than others do
  std::vector<Features> features;

  void add_last(DocId document, bool wants_more) {
    if (documents.empty() || documents.back() != document) {
      documents.push_back(document);
      more.push_back(false);
    }
    if (wants_more) more.back() = true;
  }
  static constexpr std::size_t kNowhere = SIZE_MAX;
  [[nodiscard]] std::size_t find(DocId document) const {
    const auto at = std::lower_bound(documents.begin(), documents.end(), document);
    return at != documents.end() && *at == document ? static_cast<std::size_t>(at - documents.begin())
                                                    : kNowhere;
  }
};

/// Compares pairs by features of both texts. Works in bands of first documents, as many as memory has room
/// for: their features are built and stay while their partners pass by in blocks, both in the order of the
/// files. A document is read at most once as the first of a pair and once a band as a partner, so the reading
/// grows with documents and bands and not with pairs.
///
/// `Work` says what is compared:
///   Features, Pair (with members a < b), Verdict (default-constructible);
///   bool wants_more(const Pair&) const;
///   std::uint64_t bytes(DocId, bool more) const;            an estimate for the features of one document
///   Result<void> build(Shelf<Features>&);                   fills `features`, on the threads of the run
///   Verdict compare(const Pair&, const Features& a, const Features& b) const;   from any thread
///   void take(const Pair&, const Verdict&);                 from one thread, in an order that rests on
///   memory
template <class Work>
class TextBands {
 public:
  using Features = typename Work::Features;
  using Pair = typename Work::Pair;

  TextBands(Work& work, RunContext& run)
      : work_(work), room_(std::max(run.memory.for_buffers() / 4, kLeastBytes) / 2), run_(run) {}

  /// The first of `pairs` (sorted by (a, b)) that form a band: at least those of one document.
  [[nodiscard]] std::span<const Pair> first_band(std::span<const Pair> pairs) const {
    return pairs.first(measure(pairs, room_).pairs);
  }

  /// Calls `progress(n)` after each n compared pairs of the band.
  template <class Progress>
  Result<void> compare(std::span<const Pair> band, Progress progress) {
    Shelf<Features> firsts;
    const HeldMemory held(run_.memory, measure(band, UINT64_MAX).bytes);
    std::vector<Due> due(band.size());
    for (std::uint32_t p = 0; p < band.size(); ++p) {
      firsts.add_last(band[p].a, work_.wants_more(band[p]));
      due[p] = {band[p].b, static_cast<std::uint32_t>(firsts.documents.size() - 1), p};
    }
    for (const Pair& pair : band) {
      if (!work_.wants_more(pair)) continue;
      if (const std::size_t at = firsts.find(pair.b); at != Shelf<Features>::kNowhere) firsts.more[at] = true;
    }
    LEITONG_TRY(work_.build(firsts));
    std::sort(due.begin(), due.end(), [](const Due& x, const Due& y) {
      return std::tuple(x.partner, x.first) < std::tuple(y.partner, y.first);
    });
    for (std::span<const Due> left = due; !left.empty();) {
      LEITONG_TRY(run_.stop.check());
      std::uint64_t bytes = 0;
      std::size_t size = 0;
      for (; size < std::min(left.size(), kBlockPairs) && (size == 0 || bytes < room_); ++size)
        if (size == 0 || left[size].partner != left[size - 1].partner)
          bytes += work_.bytes(left[size].partner, work_.wants_more(band[left[size].pair]));
      const HeldMemory passing(run_.memory, bytes);
      LEITONG_TRY(compare_block(band, left.first(size), firsts));
      left = left.subspan(size);
      progress(band.size() - left.size());
    }
    return {};
  }

 private:
  static constexpr std::uint64_t kLeastBytes = 4ull << 20;
  // A block has enough pairs to keep all threads busy, and few enough to check for a stop often.
  static constexpr std::size_t kBlockPairs = 1 << 14;

  struct Extent {
    std::size_t pairs = 0;
    std::uint64_t bytes = 0;
  };
  // The first of `pairs` that take at most so many bytes.
  [[nodiscard]] Extent measure(std::span<const Pair> pairs, std::uint64_t bytes) const {
    Extent extent;
    auto& [size, taken] = extent;
    while (size < pairs.size() && size < UINT32_MAX && (size == 0 || taken < bytes)) {
      const DocId first = pairs[size].a;
      bool more = false;
      for (; size < pairs.size() && pairs[size].a == first; ++size) {
        more |= work_.wants_more(pairs[size]);
        taken += kPairBytes;
      }
      taken += work_.bytes(first, more);
    }
    return extent;
  }

  // A pair of a band that is compared when its second document is read.
  struct Due {
    DocId partner;
    std::uint32_t first;  // place of the first document on its shelf
    std::uint32_t pair;   // place in the band
  };
  // The bytes of a pair of the band, including its result.
  static constexpr std::uint64_t kPairBytes = sizeof(Due) + sizeof(typename Work::Verdict);

  Result<void> compare_block(std::span<const Pair> band, std::span<const Due> block,
                             const Shelf<Features>& firsts) {
    // A partner is either one of the first documents, or is read in a block.
    struct Place {
      const Shelf<Features>* shelf;
      std::size_t at;
    };
    std::vector<Place> partners(block.size());
    Shelf<Features> passing;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const DocId partner = block[i].partner;
      const bool same = i > 0 && partner == block[i - 1].partner;
      partners[i] = same ? partners[i - 1] : Place{&firsts, firsts.find(partner)};
      if (partners[i].shelf == &firsts && partners[i].at != Shelf<Features>::kNowhere) continue;
      passing.add_last(partner, work_.wants_more(band[block[i].pair]));
      partners[i] = {&passing, passing.documents.size() - 1};
    }
    LEITONG_TRY(work_.build(passing));
    std::vector<typename Work::Verdict> verdicts(block.size());
    LEITONG_TRY(parallel_for_each(run_.stop, block.size(), [&](std::size_t i) -> Result<void> {
      verdicts[i] = work_.compare(band[block[i].pair], firsts.features[block[i].first],
                                  partners[i].shelf->features[partners[i].at]);
      return {};
    }));
    for (std::size_t i = 0; i < block.size(); ++i) work_.take(band[block[i].pair], verdicts[i]);
    return {};
  }

  Work& work_;
  std::uint64_t room_;  // bytes of features on either side
  RunContext& run_;
};

}  // namespace leitong
