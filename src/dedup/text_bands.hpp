// Reads the texts of pairs again and compares them. Each document is read as rarely as memory allows.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/array_pool.hpp"
#include "base/pair.hpp"
#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "dedup/pair_families.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Documents (ascending) and their features.
template <class Features>
struct Shelf {
  std::vector<DocId> documents;
  std::vector<bool> more;  // true if a pair needs more features than others do
  std::vector<Features> features;
  PerThread<ArrayPool> arrays{[] { return ArrayPool(); }};  // of the features

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

/// Compares pairs by features of both texts. If memory has no room for the features of all texts, the pairs
/// are divided into bands. A band is a number of families (dedup/pair_families.hpp) whose texts are read
/// once, and whose features are in memory together. A family that is too large for that is divided by its
/// first documents, as many as memory has room for: their features are built and stay while their partners
/// pass by in blocks, in the order of the files. So a document is read once, or in a large family at most
/// once as the first of a pair and once a band as a partner: the reading grows with documents and bands and
/// not with pairs.
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
  // Threads write the elements of a vector of verdicts, and those of std::vector<bool> share bytes.
  static_assert(!std::is_same_v<typename Work::Verdict, bool>);

  /// `pairs` are sorted by (a, b).
  TextBands(Work& work, std::vector<Pair> pairs, RunContext& run)
      : work_(work),
        run_(run),
        room_(std::clamp(run.memory.for_buffers() / 4, kLeastBytes, kMostBytes) / 2),
        pairs_(std::move(pairs)),
        held_pairs_(run.memory, pairs_.capacity() * sizeof(Pair)) {
    if (measure(pairs_, room_).pairs < pairs_.size() && are_many()) families_ = sort_by_family(pairs_);
  }

  [[nodiscard]] bool done() const noexcept { return begin_ == pairs_.size(); }
  /// Chooses the next band: at least the pairs of one document. REQUIRES !done().
  std::span<const Pair> next_band() {
    const std::span<const Pair> left = std::span<const Pair>(pairs_).subspan(begin_);
    std::size_t size = 0;
    is_whole_ = false;
    if (families_.empty()) {
      size = measure(left, room_).pairs;
    } else if (size = whole_families(left); size > 0) {
      is_whole_ = true;
    } else {
      size = measure(left.first(families_[family_]), room_).pairs;
      families_[family_] -= static_cast<std::uint32_t>(size);
      family_ += families_[family_] == 0;
    }
    begin_ += size;
    return band_ = left.first(size);
  }

  /// Compares the pairs of the band that was chosen last, once. Calls `progress(n)` after each n compared
  /// pairs.
  template <class Progress>
  Result<void> compare(Progress progress) {
    const std::span<const Pair> band = band_;
    Shelf<Features> firsts;
    HeldMemory held(run_.memory);
    if (is_whole_) {
      const Texts texts = texts_of(band);
      for (const auto& [document, more] : texts) firsts.add_last(document, more);
      held.set(bytes_of(texts) + kPairBytes * band.size());
    } else {
      for (const Pair& pair : band) firsts.add_last(pair.a, work_.wants_more(pair));
      for (const Pair& pair : band) {
        if (!work_.wants_more(pair)) continue;
        if (const std::size_t at = firsts.find(pair.b); at != Shelf<Features>::kNowhere)
          firsts.more[at] = true;
      }
      held.set(measure(band, UINT64_MAX).bytes);
    }
    std::vector<Due> due(band.size());
    for (std::uint32_t p = 0; p < band.size(); ++p)
      due[p] = {band[p].b, static_cast<std::uint32_t>(firsts.find(band[p].a)), p};
    LEITONG_TRY(work_.build(firsts));
    if (!is_whole_)
      tbb::parallel_sort(due, [](const Due& x, const Due& y) {
        return std::tuple(x.partner, x.first) < std::tuple(y.partner, y.first);
      });
    for (std::span<const Due> left = due; !left.empty();) {
      LEITONG_TRY(run_.stop.check());
      std::uint64_t bytes = 0;
      std::size_t size = 0;
      for (; size < std::min(left.size(), kBlockPairs) && (size == 0 || is_whole_ || bytes < room_); ++size)
        if (!is_whole_ && (size == 0 || left[size].partner != left[size - 1].partner))
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
  // Larger bands touch memory that is new to the process, which takes longer than to read some texts again.
  static constexpr std::uint64_t kMostBytes = 64ull << 20;
  // A block has enough pairs to keep all threads busy, and few enough to check for a stop often.
  static constexpr std::size_t kBlockPairs = 1 << 14;

  // Families are found in the time and memory of all documents, which few pairs don't save.
  [[nodiscard]] bool are_many() const noexcept {
    constexpr std::size_t kDocumentsOfAPair = 16;
    return kDocumentsOfAPair * pairs_.size() >= pairs_.back().b;
  }

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

  // Documents of pairs, ascending, each with whether a pair needs more features of it.
  using Texts = std::vector<std::pair<DocId, bool>>;
  [[nodiscard]] Texts texts_of(std::span<const Pair> pairs) const {
    // Numbers of documents, each with a last bit that is 0 if more is needed: these come first.
    std::vector<std::uint64_t> needs;
    needs.reserve(2 * pairs.size());
    const auto need = [&](DocId document, bool more) {
      needs.push_back(std::uint64_t{document} << 1 | static_cast<std::uint64_t>(!more));
    };
    for (std::size_t i = 0, end; i < pairs.size(); i = end) {
      bool more = false;
      for (end = i; end < pairs.size() && pairs[end].a == pairs[i].a; ++end) {
        const bool wants_more = work_.wants_more(pairs[end]);
        more |= wants_more;
        need(pairs[end].b, wants_more);
      }
      need(pairs[i].a, more);
    }
    tbb::parallel_sort(needs);
    Texts texts;
    for (const std::uint64_t one : needs)
      if (const auto document = static_cast<DocId>(one >> 1); texts.empty() || texts.back().first != document)
        texts.emplace_back(document, (one & 1) == 0);
    return texts;
  }
  [[nodiscard]] std::uint64_t bytes_of(const Texts& texts) const {
    std::uint64_t bytes = 0;
    for (const auto& [document, more] : texts) bytes += work_.bytes(document, more);
    return bytes;
  }

  // The first of `left` that are whole families whose texts all fit in memory; none if the first family does
  // not fit.
  std::size_t whole_families(std::span<const Pair> left) {
    std::size_t size = 0;
    for (std::uint64_t taken = 0; size < left.size(); ++family_) {
      const std::span<const Pair> family = left.subspan(size, families_[family_]);
      const std::uint64_t least = kPairBytes * family.size();
      if (taken + least > 2 * room_) break;
      taken += least + bytes_of(texts_of(family));
      if (taken > 2 * room_) break;
      size += family.size();
    }
    return size;
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
  RunContext& run_;
  std::uint64_t room_;  // bytes of features on either side
  std::vector<Pair> pairs_;
  HeldMemory held_pairs_;
  std::vector<std::uint32_t> families_;  // the pairs of each; empty if one band has room for all
  std::size_t family_ = 0;               // the next one, of which some pairs may be taken
  std::size_t begin_ = 0;                // the pairs before it belong to bands that were chosen
  std::span<const Pair> band_;
  bool is_whole_ = false;  // the band consists of whole families
};

}  // namespace leitong
