// "exact": copies only. Equal unit sequences are collapsed before any method is asked, so there is nothing
// left to find.
#include "dedup/methods/methods.hpp"

namespace leitong {
namespace {

class Exact final : public Method {
 public:
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Scratch>(); }
  void sketch(const DocumentView&, Scratch&, PodVector<std::uint64_t>&) const override {}
  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink&) override { return {}; }
  [[nodiscard]] MethodFigures figures() const override { return {}; }
};

}  // namespace

Result<std::unique_ptr<Method>> make_exact(const MethodContext&) { return std::make_unique<Exact>(); }

}  // namespace leitong
