// "minhash": MinHash signatures of 5-unit shingles.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "feature/shingles.hpp"
#include "scheme/minhash_shape.hpp"
#include "scheme/scheme.hpp"
#include "signature/minhash.hpp"

namespace leitong {
namespace {

// Pairs are verified, so the bands are chosen for recall: two documents of Jaccard 0.35, the threshold of the
// default rule, become candidates with probability 0.9998 (42 bands of 3: 0.84; 32 of 4: 0.38). On the mixed
// real texts the F1 is 0.9943, 0.9958 and 0.9591, in place of 0.9943, 0.9946, 0.9208 with 42 of 3 and 0.9896,
// 0.9709, 0.8730 with 32 of 4.
constexpr std::array kMinhashParams = {
    word_param("scheme", "fast-similarity", "fast-similarity|permutations|one-permutation",
               "how the values are drawn; signatures of two schemes don't compare"),
    of_search(number_param("bands", "64", 1, 64, "two documents meet that agree in all values of a band")),
    of_search(number_param("rows", "2", 1, 64, "values of a band; bands * rows at most 256"))};
constexpr std::size_t kValuesPerWord = sizeof(std::uint64_t) / sizeof(MinhashValue);

enum class Drawing { fast_similarity, permutations, one_permutation };
struct DrawingName {
  std::string_view name;
  Drawing drawing;
};
constexpr std::array kDrawings = {DrawingName{"fast-similarity", Drawing::fast_similarity},
                                  DrawingName{"permutations", Drawing::permutations},
                                  DrawingName{"one-permutation", Drawing::one_permutation}};

class Minhash final : public Scheme {
 public:
  Minhash(Drawing drawing, Banding banding)
      : Scheme(content_of_units()), drawing_(drawing), banding_(banding), values_(minhash_values(banding)) {}

  struct Space final : Scratch {
    PodVector<std::uint32_t> shingles;
    MinhashScratch minhash;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // Appends the signature, four values a word; appends nothing for an empty text.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    shingle_hashes(document.units, space.shingles);
    std::array<MinhashValue, kMaxMinhashValues> signature;
    if (!sign(space, std::span(signature).first(values_))) return;
    const std::size_t before = words.size();
    words.resize_for_overwrite(before + values_ / kValuesPerWord);
    std::memcpy(words.data() + before, signature.data(), values_ * sizeof(MinhashValue));
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b,
                                                const Rule& rule) const override {
    const auto values_of = [this](const SketchView& sketch) {
      std::vector<MinhashValue> values(values_);
      std::memcpy(values.data(), sketch.words.data(), sketch.words.size_bytes());
      return values;
    };
    const auto x = values_of(a), y = values_of(b);
    bool met = false;
    for (auto i = x.begin(), j = y.begin(); i < x.begin() + static_cast<std::ptrdiff_t>(banding_.values());
         i += banding_.rows, j += banding_.rows)
      met |= std::equal(i, i + banding_.rows, j);
    const double estimate = estimated_jaccard(x, y);
    return Likeness{met && estimate >= least_accepted_jaccard(rule, a.units, b.units), estimate, {}};
  }

 private:
  bool sign(Space& space, std::span<MinhashValue> values) const {
    if (drawing_ == Drawing::fast_similarity) return minhash(space.shingles, space.minhash, values);
    std::array<std::uint32_t, kMaxMinhashValues> wide;
    const std::span<std::uint32_t> drawn(wide.data(), values.size());
    const bool any = drawing_ == Drawing::permutations ? minhash_permutations(space.shingles, drawn)
                                                       : minhash_one_permutation(space.shingles, drawn);
    // The upper bits of a minimum usually are zeros; the lower ones are unbiased.
    std::transform(drawn.begin(), drawn.end(), values.begin(),
                   [](std::uint32_t value) { return static_cast<MinhashValue>(value); });
    return any;
  }

  Drawing drawing_;
  Banding banding_;
  std::size_t values_;
};

/// Bands and rows affect sketches only through the number of values.
std::string minhash_parameters(const Params& params) {
  return fmt::format("{} values={}", sketch_parameters(kMinhashParams, params),
                     minhash_values(minhash_banding(params)));
}

MadeScheme make_minhash(const Params& params, SchemeResources&) {
  const Banding banding = minhash_banding(params);
  if (banding.values() > kMaxMinhashValues)
    return fail(ErrorCode::invalid_argument,
                fmt::format("the parameters bands and rows: {} values in all; at most {} are possible",
                            banding.values(), kMaxMinhashValues),
                "params");
  return std::make_unique<Minhash>(params.choice("scheme", kDrawings, &DrawingName::drawing), banding);
}

}  // namespace

SchemeInfo minhash_scheme() {
  return {"minhash",
          "128 MinHash values of 5-unit shingles in 64 bands of 2",
          "Broder 1997; Dahlgaard, Knudsen, Thorup 2017",
          kMinhashParams,
          "16-bit MinHash values",
          kNeedsUnits,
          1,
          make_minhash,
          minhash_parameters};
}

}  // namespace leitong
