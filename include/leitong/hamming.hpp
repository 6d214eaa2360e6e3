// Exact Hamming search: which fingerprints are within a distance of each other, or of a query. None is
// missed.
//
// The functions are templates for Fingerprint64 and Fingerprint128 and for nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/fingerprint.hpp"
#include "leitong/result.hpp"

namespace leitong::hamming {

/// How a join is run.
struct JoinSettings {
  unsigned distance = 3;  ///< at most 16; quick up to 10
};

/// Takes a batch of pairs; a failure ends the delivery and is returned from it.
using RowPairsFn = std::function<Result<void>(std::span<const RowPair>)>;

/// Passes on all pairs of positions a < b whose fingerprints are within the distance, each once, ordered by
/// the first positions of the two fingerprints, then by the positions. Some 20 bytes of memory a fingerprint.
/// A fingerprint that stands in n places makes n (n - 1) / 2 pairs: components() says the same in linear
/// time. Uses the context's threads, work folder and stop; its memory is what the join may use beyond the
/// input. The result depends on none of these.
template <Fingerprint F>
Result<void> join(const Context& context, std::span<const F> fingerprints, const JoinSettings& settings,
                  const RowPairsFn& each);
/// The same between two sets: a is a position of `left`, b one of `right`.
template <Fingerprint F>
Result<void> join(const Context& context, std::span<const F> left, std::span<const F> right,
                  const JoinSettings& settings, const RowPairsFn& each);

/// For each position the smallest one that is tied to it by a chain of near fingerprints: its own if there is
/// none. About linear, however many pairs there are. Fewer than 2^32 fingerprints.
template <Fingerprint F>
Result<std::vector<std::uint32_t>> components(const Context& context, std::span<const F> fingerprints,
                                              const JoinSettings& settings);

/// What an index is opened with.
struct IndexSettings {
  unsigned distance = 3;              ///< the largest one that will be searched, at most 16
  std::filesystem::path folder = {};  ///< where it is kept (docs/format.md); empty for memory alone
};

template <Fingerprint F>
class HammingIndex;  // inside

/// A set of rows that takes changes while many threads search it. Inserting a row that is there changes
/// nothing, and so does removing one that isn't. What has been flushed outlasts the process; one process at a
/// time has a folder.
template <Fingerprint F>
class Index {
 public:
  /// Opens the folder's index, in milliseconds, or makes an empty one. Fails with invalid_argument for
  /// settings that can't be or contradict the folder, with io if another process has it, with corrupt, naming
  /// file and offset, for a damaged one.
  static Result<Index> open(const IndexSettings& settings);
  /// Takes over from another one, which may only be destroyed afterwards.
  Index(Index&&) noexcept;
  /// The same.
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// Changes exclude one another and no search. Amortised O(log n) moves of a row.
  Result<void> insert(std::span<const Row<F>> rows);
  /// Takes rows out; otherwise as insert().
  Result<void> remove(std::span<const Row<F>> rows);
  /// Writes all changes so far.
  Result<void> flush();
  /// Makes one sorted level of everything, which is what is searched quickest. O(n).
  Result<void> merge();

  /// The rows within `most` bits of each query, by query, distance and id; hits name queries by position. All
  /// queries see the index as it was at the call. Fails with invalid_argument for `most` above the index's
  /// distance.
  Result<std::vector<Hit<F>>> search(std::span<const F> queries, unsigned most,
                                     HitRule rule = HitRule::all) const;

 private:
  explicit Index(std::unique_ptr<HammingIndex<F>> index);
  std::unique_ptr<HammingIndex<F>> index_;
};

extern template class Index<Fingerprint64>;
extern template class Index<Fingerprint128>;

}  // namespace leitong::hamming
