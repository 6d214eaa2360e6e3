#include "index/hamming/join/components.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "index/hamming/join_helpers.hpp"

namespace leitong::hamming {
namespace {

template <class F>
class HammingComponents : public ::testing::Test {};
using Widths = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingComponents, Widths);

/// The component of each row: its smallest row.
template <Fingerprint F>
std::vector<std::uint64_t> found(const std::vector<F>& values, const JoinOptions& options,
                                 ComponentFigures* figures = nullptr) {
  std::vector<std::uint64_t> component(values.size());
  std::iota(component.begin(), component.end(), 0u);
  const MemorySource<F> source{std::span<const F>(values)};
  const auto result = components<F>(source, options, usual_context(),
                                    [&](std::span<const ComponentRow> rows) -> Result<void> {
                                      for (const ComponentRow& row : rows) component[row.row] = row.component;
                                      return {};
                                    });
  EXPECT_TRUE(result.has_value());
  if (result && figures != nullptr) *figures = *result;
  return component;
}

template <Fingerprint F>
std::vector<std::uint64_t> expected(const std::vector<F>& values, unsigned most) {
  std::vector<std::uint64_t> component(values.size());
  std::iota(component.begin(), component.end(), 0u);
  const auto pairs = brute_force(values, most);
  for (bool changed = true; changed;) {
    changed = false;
    for (const RowPair& pair : pairs) {
      const std::uint64_t least = std::min(component[pair.a], component[pair.b]);
      changed = changed || component[pair.a] != least || component[pair.b] != least;
      component[pair.a] = component[pair.b] = least;
    }
  }
  return component;
}

TYPED_TEST(HammingComponents, AreThoseOfAllPairs) {
  using F = TypeParam;
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const F mask = trial % 3 == 0   ? lowest_bits(~F{}, 24)
                   : trial % 3 == 1 ? random_fingerprint<F>(random)
                                    : ~F{};
    const auto values = crowd(trial % 10 == 0 ? 3000 : random() % 300, mask, 5, random);
    JoinOptions options;
    options.distance = static_cast<unsigned>(random() % 6);
    const auto names = plan_names<F>(options.distance, 12);
    options.plan = names[random() % names.size()];
    ASSERT_EQ(found(values, options), expected(values, options.distance))
        << options.plan << ", distance " << options.distance;
  }
}

TYPED_TEST(HammingComponents, AMillionAroundOneCentreAreOneInLinearTime) {
  using F = TypeParam;
  std::mt19937_64 random(2);
  const F centre = random_fingerprint<F>(random);
  std::vector<F> values;
  for (int i = 0; i < 1'000'000; ++i) values.push_back(with_flipped_bits(centre, 2, random));
  ComponentFigures figures;
  const auto component = found(values, JoinOptions{}, &figures);
  EXPECT_EQ(figures.components, 1u);
  EXPECT_EQ(figures.rows, values.size());
  EXPECT_EQ(component.back(), 0u);
  // All pairs would be half a million comparisons for each.
  EXPECT_LT(figures.join.compare.compared, 100 * values.size());
}

TEST(HammingComponents64, ADenseCrowdIsConnectedWithoutComparingAllPairs) {
  std::mt19937_64 random(3);
  std::vector<Fingerprint64> values;
  for (int i = 0; i < 400'000; ++i) values.push_back(with_flipped_bits<Fingerprint64>(0, 4, random));
  JoinOptions options;
  options.plan = "scan";
  ComponentFigures figures;
  (void)found(values, options, &figures);
  EXPECT_GT(figures.rows, 399'000u);
  EXPECT_LT(figures.join.compare.compared, values.size() * values.size() / 20);
}

}  // namespace
}  // namespace leitong::hamming
