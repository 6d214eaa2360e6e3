#include "dedup/finders/finders.hpp"

namespace leitong {
namespace {

class NoFinder final : public PairFinder {
 public:
  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink&) override { return {}; }
};

}  // namespace

MadeFinder make_no_finder(const Scheme&, const Params&, const FinderContext&) {
  return std::make_unique<NoFinder>();
}

}  // namespace leitong
