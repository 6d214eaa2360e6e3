// The public functions of leitong/hamming.hpp.
#include "leitong/hamming.hpp"

#include <numeric>

#include "base/try.hpp"
#include "index/hamming/join/components.hpp"
#include "index/hamming/join/join.hpp"
#include "index/hamming/search/hamming_index.hpp"

namespace leitong::hamming {
namespace {

constexpr std::size_t kFewQueries = 256;

JoinOptions options_of(const JoinSettings& settings, const Context& context) {
  return {.distance = settings.distance, .memory = context.settings().memory};
}

template <Fingerprint F>
Result<void> join_sources(const Context& context, const JoinInput<F>& input, const JoinSettings& settings,
                          const RowPairsFn& each) {
  return on_threads(context, [&]() -> Result<void> {
    LEITONG_ASSIGN(Joined joined, join(input, options_of(settings, context), context));
    return joined.for_each_pair(each);
  });
}

}  // namespace

template <Fingerprint F>
Result<void> join(const Context& context, std::span<const F> fingerprints, const JoinSettings& settings,
                  const RowPairsFn& each) {
  const MemorySource<F> source(fingerprints);
  return join_sources<F>(context, {source}, settings, each);
}

template <Fingerprint F>
Result<void> join(const Context& context, std::span<const F> left, std::span<const F> right,
                  const JoinSettings& settings, const RowPairsFn& each) {
  const MemorySource<F> left_source(left), right_source(right);
  return join_sources<F>(context, {left_source, &right_source}, settings, each);
}

template <Fingerprint F>
Result<std::vector<std::uint32_t>> components(const Context& context, std::span<const F> fingerprints,
                                              const JoinSettings& settings) {
  if (fingerprints.size() > UINT32_MAX)
    return fail(ErrorCode::limit, "components() takes fewer than 2^32 fingerprints; join() takes more");
  const MemorySource<F> source(fingerprints);
  std::vector<std::uint32_t> first(fingerprints.size());
  std::iota(first.begin(), first.end(), 0u);
  const auto note = [&](std::span<const ComponentRow> rows) -> Result<void> {
    for (const ComponentRow& row : rows) first[row.row] = static_cast<std::uint32_t>(row.component);
    return {};
  };
  return on_threads(context, [&]() -> Result<std::vector<std::uint32_t>> {
    LEITONG_TRY(components<F>(source, options_of(settings, context), context, note));
    return std::move(first);
  });
}

template <Fingerprint F>
Index<F>::Index(const Context& context, std::unique_ptr<HammingIndex<F>> index)
    : context_(&context), index_(std::move(index)) {}
template <Fingerprint F>
Index<F>::Index(Index&&) noexcept = default;
template <Fingerprint F>
Index<F>& Index<F>::operator=(Index&&) noexcept = default;
template <Fingerprint F>
Index<F>::~Index() = default;

template <Fingerprint F>
Result<Index<F>> Index<F>::open(const Context& context, const IndexSettings& settings) {
  LEITONG_ASSIGN(auto index, HammingIndex<F>::open({.distance = settings.distance,
                                                    .folder = settings.folder,
                                                    .scheme = settings.scheme,
                                                    .stop = StopToken(context.state().stop),
                                                    .context = &context}));
  return Index(context, std::move(index));
}

template <Fingerprint F>
const std::optional<SchemeId>& Index<F>::scheme() const noexcept {
  return index_->scheme();
}

template <Fingerprint F>
Result<void> Index<F>::insert(std::span<const Row<F>> rows) {
  return index_->insert(rows);
}
template <Fingerprint F>
Result<void> Index<F>::remove(std::span<const Row<F>> rows) {
  return index_->remove(rows);
}
template <Fingerprint F>
Result<void> Index<F>::flush() {
  return index_->flush();
}
template <Fingerprint F>
Result<void> Index<F>::merge() {
  return index_->merge();
}

template <Fingerprint F>
Result<std::vector<Hit<F>>> Index<F>::search(std::span<const F> queries, unsigned most, HitRule rule) const {
  const StopToken stop(context_->state().stop);
  LEITONG_TRY(stop.check());
  const Snapshot<F> snapshot = index_->snapshot();
  std::vector<Hit<F>> hits;
  // A few queries are answered faster than other threads could start.
  if (queries.size() <= kFewQueries) {
    typename Snapshot<F>::Scratch scratch;
    LEITONG_TRY(snapshot.search(queries, most, rule, scratch, hits));
    return hits;
  }
  const auto append = [&](std::span<const Hit<F>> some) -> Result<void> {
    hits.insert(hits.end(), some.begin(), some.end());
    return {};
  };
  LEITONG_TRY(
      on_threads(*context_, [&] { return snapshot.search_batch(queries, most, rule, stop, append); }));
  return hits;
}

template Result<void> join(const Context&, std::span<const Fingerprint64>, const JoinSettings&,
                           const RowPairsFn&);
template Result<void> join(const Context&, std::span<const Fingerprint128>, const JoinSettings&,
                           const RowPairsFn&);
template Result<void> join(const Context&, std::span<const Fingerprint64>, std::span<const Fingerprint64>,
                           const JoinSettings&, const RowPairsFn&);
template Result<void> join(const Context&, std::span<const Fingerprint128>, std::span<const Fingerprint128>,
                           const JoinSettings&, const RowPairsFn&);
template Result<std::vector<std::uint32_t>> components(const Context&, std::span<const Fingerprint64>,
                                                       const JoinSettings&);
template Result<std::vector<std::uint32_t>> components(const Context&, std::span<const Fingerprint128>,
                                                       const JoinSettings&);
template class Index<Fingerprint64>;
template class Index<Fingerprint128>;

}  // namespace leitong::hamming
