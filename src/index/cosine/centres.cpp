#include "index/cosine/centres.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "index/cosine/kernels.hpp"

#ifdef LEITONG_HAVE_USEARCH
#include <usearch/index.hpp>
#endif

namespace leitong {

#ifdef LEITONG_HAVE_USEARCH

namespace {

namespace us = unum::usearch;

using Index = us::index_gt<float, std::uint64_t, std::uint32_t>;

// Neighbours of a centre in the graph, and the number of candidates during construction and search.
constexpr std::size_t kConnectivity = 16, kMade = 128, kAsked = 48;
// A number above every product.
constexpr float kMostProduct = 0x1p24F;
constexpr std::size_t kRowsBetweenStops = 1024;

/// The distance between a direction or centre and a centre, as USearch calls it. A whole number, so it is
/// exact.
struct Distance {
  const WholeDirections& centres;
  const CosineKernels& kernels;

  template <class Entry>
  float operator()(const std::int16_t* direction, const Entry& centre) const noexcept {
    return kMostProduct - kernels.product(direction, centres.at(get_slot(centre)), centres.width);
  }
  template <class EntryA, class EntryB>
  float operator()(const EntryA& a, const EntryB& b) const noexcept {
    return (*this)(centres.at(get_slot(a)), b);
  }
};

/// Takes the error, because its destructor would throw it.
bool is_failure(us::error_t& error) noexcept { return error.release() != nullptr; }

tl::unexpected<Error> no_memory(std::size_t centres) {
  return fail(ErrorCode::limit,
              fmt::format("there is no memory for a graph of {} vectors; search exactly", centres));
}

}  // namespace

struct Centres::Graph {
  WholeDirections centres;
  const CosineKernels& kernels;
  Index index;

  [[nodiscard]] Distance distance() const { return {centres, kernels}; }
};

Result<void> Centres::available() { return {}; }

Result<Centres> Centres::make(WholeDirections centres, Simd level, StopToken stop) {
  const std::size_t count = centres.count();
  auto made = Index::make(us::index_config_t(kConnectivity));
  if (is_failure(made.error)) return no_memory(count);
  auto graph =
      std::make_unique<Graph>(Graph{std::move(centres), cosine_kernels(level), std::move(made.index)});
  us::index_limits_t limits;
  limits.members = count;
  limits.threads_add = 1;
  limits.threads_search = kSearchers;
  if (!graph->index.try_reserve(limits)) return no_memory(count);
  us::index_update_config_t config;
  config.expansion = kMade;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kRowsBetweenStops == 0) LEITONG_TRY(stop.check());
    auto added = graph->index.add(i, graph->centres.at(i), graph->distance(), config);
    if (is_failure(added.error)) return no_memory(count);
  }
  return Centres(std::move(graph));
}

Result<std::size_t> Centres::find(std::size_t searcher, const std::int16_t* direction,
                                  std::span<std::uint32_t> nearest) const {
  us::index_search_config_t config;
  config.expansion = kAsked;
  config.thread = searcher;
  auto found = graph_->index.search(direction, nearest.size(), graph_->distance(), config);
  if (is_failure(found.error)) return no_memory(graph_->centres.count());
  for (std::size_t i = 0; i < found.count; ++i)
    nearest[i] = static_cast<std::uint32_t>(found.at(i).member.slot);
  return found.count;
}

#else

struct Centres::Graph {};

Result<void> Centres::available() {
  return fail(ErrorCode::unsupported,
              "this build has no approximate search of vectors, since USearch was not there; run ./dev setup "
              "and build again, or search exactly");
}

Result<Centres> Centres::make(WholeDirections, Simd, StopToken) {
  return tl::unexpected<Error>(available().error());
}

Result<std::size_t> Centres::find(std::size_t, const std::int16_t*, std::span<std::uint32_t>) const {
  return tl::unexpected<Error>(available().error());
}

#endif

Centres::Centres(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
Centres::Centres(Centres&&) noexcept = default;
Centres& Centres::operator=(Centres&&) noexcept = default;
Centres::~Centres() = default;

}  // namespace leitong
