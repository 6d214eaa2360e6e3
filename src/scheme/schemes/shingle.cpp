// "shingle": the set of k-unit shingles, compared by its exact resemblance or containment.
#include <array>
#include <vector>

#include "feature/ngrams.hpp"
#include "feature/shingles.hpp"
#include "scheme/scheme.hpp"
#include "scheme/shingle_measure.hpp"

namespace leitong {
namespace {

constexpr std::array kShingleParams = {
    number_param("k", "5", 1, kMaxNgram, "units of a shingle"),
    of_search(word_param("measure", "resemblance", "resemblance|containment",
                         "shared of all shingles, or of those of the smaller text")),
    of_search(fraction_param("threshold", "0.2", 0.01, 1,
                             "the least value of similar texts; 0.2 is what search engines used first"))};

class Shingle final : public Scheme {
 public:
  explicit Shingle(const Params& params)
      : Scheme(content_of_units()),
        k_(params.whole("k")),
        measure_(shingle_measure(params)),
        threshold_(params.number("threshold")) {}

  struct Space final : Scratch {
    PodVector<std::uint32_t> set, working;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // Appends the set of shingles, a word for each.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    if (k_ == kShingleUnits)
      shingle_set(document.units, space.set, space.working);
    else
      ngram_set(document.units, k_, space.set);
    for (const std::uint32_t shingle : space.set) words.push_back(shingle);
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b,
                                                const Rule&) const override {
    const std::vector<std::uint32_t> x(a.words.begin(), a.words.end()), y(b.words.begin(), b.words.end());
    const double value = measure_(x, y);
    return Likeness{value >= threshold_, value, {}};
  }

 private:
  std::size_t k_;
  ShingleMeasure measure_;
  double threshold_;
};

MadeScheme make_shingle(const Params& params, SchemeResources&) { return std::make_unique<Shingle>(params); }

}  // namespace

SchemeInfo shingle_scheme() {
  return {"shingle",
          "the exact resemblance or containment of k-unit shingles",
          "Broder 1997",
          kShingleParams,
          "shingle hashes",
          kNeedsUnits,
          1,
          make_shingle};
}

}  // namespace leitong
