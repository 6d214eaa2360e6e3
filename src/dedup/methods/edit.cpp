// "edit": every pair whose edit similarity reaches the threshold, by the exact value.
#include "similarity/edit.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/hash.hpp"
#include "dedup/method.hpp"
#include "dedup/methods/in_memory.hpp"
#include "dedup/methods/kept_arrays.hpp"
#include "index/prefix_join.hpp"

namespace leitong {
namespace {

constexpr std::array kParams = {
    fraction_param("threshold", "0.8", 0.3, 1, "least similarity, 1 - distance / units of the longer text")};

// Part of the runs that a pair has to share at least: less of it makes a join of everything with everything.
constexpr double kLeastShare = .25;
constexpr std::size_t kLongestRun = 8;

/// The longest runs of which similar texts share so large a part.
std::size_t run_length(double threshold) {
  for (std::size_t q = kLongestRun; q > 1; --q)
    if (1 - static_cast<double>(q) * (1 - threshold) >= kLeastShare) return q;
  return 1;
}

class Edit final : public Method {
 public:
  Edit(const MethodContext& context, double threshold)
      : memory_(context.memory),
        join_(context.memory, context.work),
        threshold_(threshold),
        q_(run_length(threshold)) {}

  struct Space final : Scratch {
    std::vector<Unit> padded;
    std::vector<std::uint32_t> runs;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // The number of units, the units, and the runs of q units that the join needs. A text is padded by q - 1
  // on either side, so that n units make n + q - 1 runs of which one edit touches q at most (Gravano et al.
  // 2001, section 4.2); the i-th of equal runs is told from the others by i, which makes sets of them.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    if (document.units.empty()) return;
    auto& [padded, runs] = static_cast<Space&>(scratch);
    constexpr Unit kPadding = 0x7FFFFFFEu;
    padded.assign(q_ - 1, kPadding);
    padded.insert(padded.end(), document.units.begin(), document.units.end());
    padded.insert(padded.end(), q_ - 1, kPadding);
    runs.clear();
    for (std::size_t i = 0; i + q_ <= padded.size(); ++i) {
      std::uint64_t hash = 0;
      for (std::size_t j = 0; j < q_; ++j) hash = mix64(hash ^ padded[i + j]);
      runs.push_back(static_cast<std::uint32_t>(hash));
    }
    std::sort(runs.begin(), runs.end());
    words.push_back(document.units.size());
    for (const Unit unit : document.units) words.push_back(unit);
    for (std::size_t i = 0, repeated = 0; i < runs.size(); ++i) {
      repeated = i > 0 && runs[i] == runs[i - 1] ? repeated + 1 : 0;
      words.push_back(repeated == 0 ? runs[i]
                                    : static_cast<std::uint32_t>(mix64(runs[i] + (repeated << 32))));
    }
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b) const override {
    const auto text_of = [](const SketchView& sketch) {
      const auto units = sketch.words.subspan(1, sketch.words[0]);
      return std::vector<Unit>(units.begin(), units.end());
    };
    const double value = edit_similarity(text_of(a), text_of(b));
    return Likeness{value >= threshold_, value, {}};
  }

  Result<void> add(DocId document, std::span<const std::uint64_t> words) override {
    if (words.empty()) return {};
    texts_.add(document, words.subspan(1, words[0]));
    LEITONG_TRY(check_memory(memory_, texts_.documents(), texts_.bytes_each(), "edit"));
    return join_.add(document, words.subspan(1 + words[0]));
  }

  Result<void> find(CandidateSink& sink) override {
    MeasuringSink measuring(sink, threshold_, [this](DocId a, DocId b) {
      return edit_similarity(texts_.of(a), texts_.of(b), threshold_);
    });
    // d <= (1 - t) n edits leave n + q - 1 - q d runs of the longer text, a part 1 - q (1 - t) or more.
    return join_.find(measuring, 1 - static_cast<double>(q_) * (1 - threshold_),
                      [this](std::uint32_t na, std::uint32_t nb) {
                        const double padding = static_cast<double>(q_) - 1;
                        return std::min(na, nb) - padding >= threshold_ * (std::max(na, nb) - padding) - 1e-9;
                      });
  }

  [[nodiscard]] MethodFigures figures() const override {
    return {{"run_length", static_cast<double>(q_)}, {"distinct_pairs", join_.distinct_pairs()}};
  }

 private:
  const MemoryBudget& memory_;
  PrefixJoin join_;
  KeptArrays texts_;
  double threshold_;
  std::size_t q_;
};

MadeMethod make_edit(const MethodContext& context, const Params& params) {
  return std::make_unique<Edit>(context, params.number("threshold"));
}

}  // namespace

MethodInfo edit_method() {
  return {"edit",
          "the exact edit similarity, found by shared runs (slow)",
          "Levenshtein 1965; Gravano et al. 2001",
          kParams,
          "",
          kNeedsUnits,
          make_edit};
}

}  // namespace leitong
