// Exact Hamming search: which fingerprints are within a distance of each other, or of a query. None is
// missed.
//
// The functions are templates for Fingerprint64 and Fingerprint128 and for nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/fingerprint.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

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
/// input. The result depends on none of these. Fails with invalid_argument for a distance above 16, with
/// limit where the memory does not suffice, with io where the work folder cannot be written, with cancelled,
/// and as `each` does.
template <Fingerprint F>
[[nodiscard]] Result<void> join(const Context& context, std::span<const F> fingerprints,
                                const JoinSettings& settings, const RowPairsFn& each);
/// The same between two sets: a is a position of `left`, b one of `right`.
template <Fingerprint F>
[[nodiscard]] Result<void> join(const Context& context, std::span<const F> left, std::span<const F> right,
                                const JoinSettings& settings, const RowPairsFn& each);

/// For each position the smallest one that is tied to it by a chain of near fingerprints: its own if there is
/// none. About linear, however many pairs there are. Fewer than 2^32 fingerprints.
/// Errors as join().
template <Fingerprint F>
[[nodiscard]] Result<std::vector<std::uint32_t>> components(const Context& context,
                                                            std::span<const F> fingerprints,
                                                            const JoinSettings& settings);

/// What an index is opened with.
struct IndexSettings {
  unsigned distance = 3;              ///< the largest one that will be searched, at most 16
  std::filesystem::path folder = {};  ///< where it is kept (docs/format.md); empty for memory alone
  /// Who makes the fingerprints (Signer::id()). A new index keeps it; one that exists is opened only by the
  /// same, or by nobody named.
  std::optional<SchemeId> scheme = {};
};

template <Fingerprint F>
class HammingIndex;  // inside

/// A set of rows that takes changes while many threads search it. Inserting a row that is there changes
/// nothing, and so does removing one that isn't. What has been flushed outlasts the process; one process at a
/// time has a folder. The context must outlive it; a stop of the context ends merges, which then change
/// nothing, and searches. All member functions but the moves may be called from any thread at any time.
template <Fingerprint F>
class Index {
 public:
  /// Opens the folder's index, in milliseconds, or makes an empty one. Fails with invalid_argument for
  /// settings that can't be or contradict the folder, the scheme among them; with io if another process has
  /// it; with corrupt, naming file and offset, for a damaged one.
  [[nodiscard]] static Result<Index> open(const Context& context, const IndexSettings& settings);
  /// Takes over from another one, which may only be destroyed afterwards.
  Index(Index&&) noexcept;
  /// The same.
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// Who makes its fingerprints; nothing where that isn't known.
  [[nodiscard]] const std::optional<SchemeId>& scheme() const noexcept;

  /// Changes exclude one another and no search. Amortised O(log n) moves of a row. Fails as the merge did
  /// that it had to wait for: with io, or with cancelled.
  [[nodiscard]] Result<void> insert(std::span<const Row<F>> rows);
  /// Takes rows out; otherwise as insert().
  [[nodiscard]] Result<void> remove(std::span<const Row<F>> rows);
  /// Writes all changes so far. Fails with io or cancelled.
  [[nodiscard]] Result<void> flush();
  /// Makes one sorted level of everything, which is what is searched quickest. O(n). Fails as flush().
  [[nodiscard]] Result<void> merge();

  /// The rows within `most` bits of each query, by query, distance and id; hits name queries by position. All
  /// queries see the index as it was at the call. Up to 256 queries are answered by the calling thread, more
  /// by the threads of the context. Fails with invalid_argument for `most` above the index's distance, with
  /// corrupt for a damaged file, with cancelled.
  [[nodiscard]] Result<std::vector<Hit<F>>> search(std::span<const F> queries, unsigned most,
                                                   HitRule rule = HitRule::all) const;

 private:
  Index(const Context& context, std::unique_ptr<HammingIndex<F>> index);
  const Context* context_;
  std::unique_ptr<HammingIndex<F>> index_;
};

extern template class Index<Fingerprint64>;
extern template class Index<Fingerprint128>;

}  // namespace leitong::hamming
