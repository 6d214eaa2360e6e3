// "shingle": every pair whose k-unit shingles resemble each other, or lie in each other, by the exact value.
#include <algorithm>
#include <array>
#include <vector>

#include "dedup/method.hpp"
#include "dedup/methods/in_memory.hpp"
#include "dedup/methods/kept_arrays.hpp"
#include "feature/ngrams.hpp"
#include "feature/shingles.hpp"
#include "index/prefix_join.hpp"
#include "similarity/resemblance.hpp"

namespace leitong {
namespace {

constexpr std::array kParams = {
    number_param("k", "5", 1, kMaxNgram, "units of a shingle"),
    word_param("measure", "resemblance", "resemblance|containment",
               "shared of all shingles, or of those of the smaller text"),
    fraction_param("threshold", "0.2", 0.01, 1, "least value; .2 is the search engines' classic")};

class Shingle final : public Method {
 public:
  Shingle(const MethodContext& context, const Params& params)
      : memory_(context.memory),
        join_(context.memory, context.work),
        k_(params.whole("k")),
        containment_(params.text("measure") == "containment"),
        threshold_(params.number("threshold")) {}

  struct Space final : Scratch {
    PodVector<std::uint32_t> set, working;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The set of shingles, a word each.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    if (k_ == kShingleUnits)
      shingle_set(document.units, space.set, space.working);
    else
      ngram_set(document.units, k_, space.set);
    for (const std::uint32_t shingle : space.set) words.push_back(shingle);
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b) const override {
    const std::vector<std::uint32_t> x(a.words.begin(), a.words.end()), y(b.words.begin(), b.words.end());
    const double value = measure(x, y);
    return Likeness{value >= threshold_, value, {}};
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    sets_.add(document, words);
    LEITONG_TRY(check_memory(memory_, sets_.documents(), sets_.bytes_each(), "shingle"));
    return join_.add(document, words);
  }

  Result<void> find(CandidateSink& sink) override {
    MeasuringSink measuring(sink, threshold_,
                            [this](DocId a, DocId b) { return measure(sets_.of(a), sets_.of(b)); });
    // J = t of sets of n <= m elements means t (n + m) / (1 + t) shared ones, so a part 2t / (1 + t) of the
    // smaller set at least.
    const double share = containment_ ? threshold_ : 2 * threshold_ / (1 + threshold_);
    return join_.find(measuring, share, [this](std::uint32_t na, std::uint32_t nb) {
      return containment_ ||
             static_cast<double>(std::min(na, nb)) >= threshold_ * static_cast<double>(std::max(na, nb));
    });
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"shingles", sets_.numbers()}, {"distinct_pairs", join_.distinct_pairs()}};
  }

 private:
  [[nodiscard]] double measure(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) const {
    if (!containment_) return resemblance(x, y);
    return x.size() <= y.size() ? containment(x, y) : containment(y, x);
  }

  const MemoryBudget& memory_;
  PrefixJoin join_;
  KeptArrays sets_;
  std::size_t k_;
  bool containment_;
  double threshold_;
};

MadeMethod make_shingle(const MethodContext& context, const Params& params) {
  return std::make_unique<Shingle>(context, params);
}

}  // namespace

MethodInfo shingle_method() {
  return {"shingle",        "the exact resemblance or containment of k-unit shingles",
          "Broder 1997",    kParams,
          "shingle hashes", kNeedsUnits,
          make_shingle};
}

}  // namespace leitong
