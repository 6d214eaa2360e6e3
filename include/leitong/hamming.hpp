// Exact Hamming search: which fingerprints are within a distance of each other, or of a query. It misses
// none.
//
// The functions are templates that exist only for Fingerprint64 and Fingerprint128.
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

/// The settings of a join.
struct JoinSettings {
  unsigned distance = 3;  ///< at most 16; fast up to 10
};

/// Takes a batch of pairs. A failure ends the delivery and is returned.
using RowPairsFn = std::function<Result<void>(std::span<const RowPair>)>;

/// Passes on every pair of positions a < b whose fingerprints are within the distance, each once, ordered by
/// the first positions of the two fingerprints, then by the positions. Takes some 20 bytes of memory a
/// fingerprint. A fingerprint that stands at n positions makes n (n - 1) / 2 pairs; components() gives the
/// same information in linear time. Uses the context's threads, work folder and stop; its memory limits what
/// the join uses beyond the input. The result depends on none of these. Fails with invalid_argument for a
/// distance above 16, with limit if the memory is not enough, with io if the work folder cannot be written,
/// with cancelled, and as `each` does.
template <Fingerprint F>
[[nodiscard]] Result<void> join(const Context& context, std::span<const F> fingerprints,
                                const JoinSettings& settings, const RowPairsFn& each);
/// The same between two sets: a is a position of `left`, b one of `right`.
template <Fingerprint F>
[[nodiscard]] Result<void> join(const Context& context, std::span<const F> left, std::span<const F> right,
                                const JoinSettings& settings, const RowPairsFn& each);

/// Returns for each position the smallest position that a chain of near fingerprints joins to it, or the
/// position itself if there is none. Takes about linear time, for any number of pairs. REQUIRES fewer than
/// 2^32 fingerprints. Fails as join() does.
template <Fingerprint F>
[[nodiscard]] Result<std::vector<std::uint32_t>> components(const Context& context,
                                                            std::span<const F> fingerprints,
                                                            const JoinSettings& settings);

/// The settings of an index.
struct IndexSettings {
  unsigned distance = 3;              ///< the largest distance of a search, at most 16
  std::filesystem::path folder = {};  ///< the folder of the index (docs/format.md); empty: in memory alone
  /// The scheme of the fingerprints (Signer::id()). A new index stores it. An existing index opens only with
  /// the same scheme, or if no scheme is given.
  std::optional<SchemeId> scheme = {};
};

template <Fingerprint F>
class HammingIndex;  // inside

/// A set of rows that many threads can search while it changes. Inserting a row that is there changes
/// nothing, and neither does removing one that is not. What has been flushed outlasts the process. One
/// process at a time can use a folder. The context must outlive the index; a stop of the context ends
/// searches, and merges, which then change nothing. All member functions except the moves may be called from
/// any thread at any time.
template <Fingerprint F>
class Index {
 public:
  /// Opens the folder's index, in milliseconds, or makes an empty one. Fails with invalid_argument for
  /// impossible settings and for settings (the scheme included) that contradict the folder; with io if
  /// another process uses the folder; with corrupt, naming file and offset, for damaged files.
  [[nodiscard]] static Result<Index> open(const Context& context, const IndexSettings& settings);
  /// Moves the contents of another object, which may then only be destroyed.
  Index(Index&&) noexcept;
  /// Moves in the same way.
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// The scheme of the fingerprints; nothing if it is unknown.
  [[nodiscard]] const std::optional<SchemeId>& scheme() const noexcept;

  /// Adds rows. Changes exclude one another but not searches. A row is moved O(log n) times, amortised. Fails
  /// with io or cancelled if a merge that it waits for fails in this way.
  [[nodiscard]] Result<void> insert(std::span<const Row<F>> rows);
  /// Removes rows, in the same way as insert() adds them.
  [[nodiscard]] Result<void> remove(std::span<const Row<F>> rows);
  /// Writes all changes so far. Fails with io or cancelled.
  [[nodiscard]] Result<void> flush();
  /// Merges everything into one sorted level, in which searches are fastest. O(n). Fails as flush() does.
  [[nodiscard]] Result<void> merge();

  /// The rows within `most` bits of each query, by query, distance and id; hits name queries by position. All
  /// queries see the index as it was at the call. The calling thread answers up to 256 queries; the context's
  /// threads answer more. Fails with invalid_argument for `most` above the index's distance, with corrupt for
  /// a damaged file, and with cancelled.
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
