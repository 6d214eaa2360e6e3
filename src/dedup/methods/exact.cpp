// "exact": copies only. Equal unit sequences are collapsed before any method is asked, so there is nothing
// left to find.
#include <algorithm>

#include "dedup/methods/methods.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace leitong {
namespace {

class Exact final : public Method {
 public:
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Scratch>(); }

  // XXH3 of the units, 128 bits: equal for texts that folding makes equal.
  void sketch(const DocumentView& document, Scratch&, PodVector<std::uint64_t>& words) const override {
    if (document.units.empty()) return;
    const XXH128_hash_t hash = XXH3_128bits(document.units.data(), document.units.size_bytes());
    words.push_back(hash.high64);
    words.push_back(hash.low64);
  }
  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b) const override {
    const bool equal = std::ranges::equal(a.words, b.words);
    return Likeness{equal, equal ? 1.0 : 0.0, {}};
  }
  Result<void> add(DocId, std::span<const std::uint64_t>) override { return {}; }
  Result<void> find(CandidateSink&) override { return {}; }
  [[nodiscard]] MethodFigures figures() const override { return {}; }
};

}  // namespace

Result<std::unique_ptr<Method>> make_exact(const MethodContext&, const Params&) {
  return std::make_unique<Exact>();
}

}  // namespace leitong
