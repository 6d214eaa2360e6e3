#include "corpora/plan.hpp"

namespace leitong::bench {
namespace {

// The peers compare sets by resemblance and cannot find excerpts with any settings, so corpora for
// comparisons with them have none. Of copies with 6-10 % independent edits the default rule accepts some and
// not others (Jaccard 0.3-0.5), so whether they count depends on the threshold of a program: they have a
// corpus of their own.
constexpr std::array<double, kKindNames.size()> kNoDoubt = {0, 2, 8, 0, 2.5, 0, 1};
constexpr std::array<double, kKindNames.size()> kNoExcerpts = {0, 2, 5, 3, 2.5, 0, 1};

// Growing corpora need a source of phrases that grows as that of real language does: see bench/README.md.
constexpr auto kAllKinds = Plan{}.planted;
constexpr double kGrowth = .5;

constexpr Plan kPlans[] = {
    {"articles-100k", "100k documents of 5 KB, copies beyond doubt", Shape::mixed, 100'000, 1'450, kNoDoubt},
    {"edits-20k", "20k documents of 5 KB, some with 6-10 % edits", Shape::mixed, 20'000, 1'450, kNoExcerpts},
    {"growth-20k", "20k documents of 1.4 KB", Shape::mixed, 20'000, 365, kAllKinds, 0, kGrowth},
    {"growth-100k", "100k documents of 1.4 KB", Shape::mixed, 100'000, 365, kAllKinds, 0, kGrowth},
    {"growth-400k", "400k documents of 1.4 KB", Shape::mixed, 400'000, 365, kAllKinds, 0, kGrowth},
    {"growth-2m", "2M documents of 1.4 KB", Shape::mixed, 2'000'000, 365, kAllKinds, 0, kGrowth},
    {"long-100k", "100k documents of 5 KB, of a growing language", Shape::mixed, 100'000, 1'450, kAllKinds, 0,
     kGrowth},
    {"short-10m", "10M short documents of 340 bytes", Shape::mixed, 10'000'000, 74, kAllKinds, 0, kGrowth},
    {"brief-100m", "100M texts of 150 bytes", Shape::mixed, 100'000'000, 26, kAllKinds, 0, kGrowth},
    {"identical-1m", "one text, a million times", Shape::identical, 1'000'000, 200},
    {"template-1m", "a million texts that share a template of 60 %", Shape::templated, 1'000'000, 200},
    {"edited-10k", "10,000 edited copies of one text", Shape::edited, 10'000, 1'700},
    {"giant", "one text of 500 MB among 1,000", Shape::giant, 1'000, 300, {}, 500'000'000},
};

}  // namespace

std::span<const Plan> plans() { return kPlans; }

std::optional<Plan> find_plan(std::string_view name) {
  for (const Plan& plan : kPlans) {
    if (plan.name == name) return plan;
  }
  return std::nullopt;
}

}  // namespace leitong::bench
