// "minhash": MinHash signatures of 5-unit shingles, met by bands.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "dedup/method.hpp"
#include "dedup/methods/in_memory.hpp"
#include "feature/shingles.hpp"
#include "index/band_join.hpp"
#include "signature/minhash.hpp"
#include "signature/minhash_one_permutation.hpp"
#include "signature/minhash_permutations.hpp"

namespace leitong {
namespace {

// What is found is verified, so the bands are chosen for recall: two documents of J = .35, the edge of the
// default rule, meet with probability .9998 (42 bands of 3: .84; 32 of 4: .38). On the mixed real texts that
// is F1 .9943, .9958 and .9591 against .9943, .9946, .9208 with 42 of 3 and .9896, .9709, .8730 with 32 of 4.
constexpr std::array kParams = {
    word_param("scheme", "fast-similarity", "fast-similarity|permutations|one-permutation",
               "how the values are drawn; signatures of two schemes don't compare"),
    number_param("bands", "64", 1, 64, "two documents meet that agree in all values of a band"),
    number_param("rows", "2", 1, 64, "values of a band; bands * rows at most 256")};
// The price, most of the pairs that meet by chance, is sent back here: of what has J = .2 one pair in 3,000
// is lost, and a tenth to a third of the candidates is left.
constexpr double kWorthVerifying = .08;
constexpr std::size_t kLargestGroup = 64;
// Identifier and preference, then the entries of the join and what it remembers of a row.
constexpr std::uint64_t kBytesEach = 4 + 8 + 32 + 16;
constexpr std::size_t kValuesPerWord = sizeof(std::uint64_t) / sizeof(MinhashValue);

enum class Scheme { fast_similarity, permutations, one_permutation };
struct SchemeName {
  std::string_view name;
  Scheme scheme;
};
constexpr std::array kSchemes = {SchemeName{"fast-similarity", Scheme::fast_similarity},
                                 SchemeName{"permutations", Scheme::permutations},
                                 SchemeName{"one-permutation", Scheme::one_permutation}};

class Minhash final : public Method {
 public:
  Minhash(const MethodContext& context, Scheme scheme, Banding banding)
      : rule_(context.rule),
        verify_(context.verify),
        table_(context.table),
        memory_(context.memory),
        scheme_(scheme),
        banding_(banding),
        // Whole vectors of permutations, which are whole words, too.
        per_row_((banding.values() + 15) / 16 * 16) {}

  struct Space final : Scratch {
    PodVector<std::uint32_t> shingles;
    MinhashScratch minhash;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The signature, four values a word; nothing for an empty text.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& space = static_cast<Space&>(scratch);
    shingle_hashes(document.units, space.shingles);
    std::array<MinhashValue, kMaxMinhashValues> signature;
    if (!sign(space, std::span(signature).first(per_row_))) return;
    const std::size_t before = words.size();
    words.resize_for_overwrite(before + per_row_ / kValuesPerWord);
    std::memcpy(words.data() + before, signature.data(), per_row_ * sizeof(MinhashValue));
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b) const override {
    const auto values_of = [this](const SketchView& sketch) {
      std::vector<MinhashValue> values(per_row_);
      std::memcpy(values.data(), sketch.words.data(), sketch.words.size_bytes());
      return values;
    };
    const auto x = values_of(a), y = values_of(b);
    bool met = false;
    for (auto i = x.begin(), j = y.begin(); i < x.begin() + static_cast<std::ptrdiff_t>(banding_.values());
         i += banding_.rows, j += banding_.rows)
      met |= std::equal(i, i + banding_.rows, j);
    const double estimate = estimated_jaccard(x, y);
    return Likeness{met && estimate >= least_accepted(a.units, b.units), estimate, {}};
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    documents_.push_back(document);
    values_.resize_for_overwrite(values_.size() + per_row_);
    std::memcpy(values_.end() - per_row_, words.data(), words.size_bytes());
    return check_memory(memory_, documents_.size(), kBytesEach + per_row_ * sizeof(MinhashValue), "minhash");
  }

  Result<void> find(CandidateSink& sink) override {
    PodVector<std::uint64_t> preference;
    preference.reserve(documents_.size());
    for (const DocId document : documents_) preference.push_back(table_.content[document]);
    CandidateBatch candidates(sink);
    LEITONG_ASSIGN(join_, band_join({values_, per_row_, preference}, {banding_, kLargestGroup},
                                    [&](std::span<const RowPair> pairs) -> Result<void> {
                                      for (const auto [a, b] : pairs) LEITONG_TRY(offer(a, b, candidates));
                                      return {};
                                    }));
    offered_ = candidates.size();
    return candidates.finish();
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"signatures", documents_.size()},
            {"large_groups", join_.large_groups},
            {"documents_in_large_groups", join_.starred_rows},
            {"pairs_that_met", join_.pairs},
            {"offered_pairs", offered_}};
  }

 private:
  [[nodiscard]] std::span<const MinhashValue> row(std::uint32_t i) const {
    return {values_.data() + i * per_row_, per_row_};
  }

  bool sign(Space& space, std::span<MinhashValue> values) const {
    if (scheme_ == Scheme::fast_similarity) return minhash(space.shingles, space.minhash, values);
    std::array<std::uint32_t, kMaxMinhashValues> wide;
    const std::span<std::uint32_t> drawn(wide.data(), values.size());
    const bool any = scheme_ == Scheme::permutations ? minhash_permutations(space.shingles, drawn)
                                                     : minhash_one_permutation(space.shingles, drawn);
    // The upper bits of a minimum are zeros as a rule, the lower ones are fair.
    std::transform(drawn.begin(), drawn.end(), values.begin(),
                   [](std::uint32_t value) { return static_cast<MinhashValue>(value); });
    return any;
  }

  Result<void> offer(std::uint32_t a, std::uint32_t b, CandidateBatch& candidates) const {
    const double estimate = estimated_jaccard(row(a), row(b));
    const DocId x = documents_[a], y = documents_[b];
    if (estimate < (verify_ ? kWorthVerifying : least_accepted(table_.units[x], table_.units[y]))) return {};
    return candidates.add(x, y, estimate);
  }

  /// The rule's Jaccard, where the estimate has to decide.
  [[nodiscard]] double least_accepted(std::size_t units_a, std::size_t units_b) const {
    if (rule_.measure == Measure::jaccard) return rule_.threshold;
    return rule_.jaccard_at_least(static_cast<double>(std::min(units_a, units_b)));
  }

  const Rule& rule_;
  bool verify_;
  const DocumentTable& table_;
  const MemoryBudget& memory_;
  Scheme scheme_;
  Banding banding_;
  std::size_t per_row_;
  PodVector<DocId> documents_;
  PodVector<MinhashValue> values_;
  BandJoinFigures join_;
  std::uint64_t offered_ = 0;
};

MadeMethod make_minhash(const MethodContext& context, const Params& params) {
  const Banding banding{.bands = static_cast<unsigned>(params.whole("bands")),
                        .rows = static_cast<unsigned>(params.whole("rows"))};
  if (banding.values() > kMaxMinhashValues)
    return fail(ErrorCode::invalid_argument, "--param bands and rows: " + std::to_string(banding.values()) +
                                                 " values in all; at most 256 are possible");
  return std::make_unique<Minhash>(context, params.choice("scheme", kSchemes, &SchemeName::scheme), banding);
}

}  // namespace

MethodInfo minhash_method() {
  return {"minhash",
          "128 MinHash values of 5-unit shingles in 64 bands of 2",
          "Broder 1997; Dahlgaard, Knudsen, Thorup 2017",
          kParams,
          "16-bit MinHash values",
          kNeedsUnits,
          make_minhash};
}

}  // namespace leitong
