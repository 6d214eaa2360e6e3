// The stages of a spread run: each is a function that does one part. run.cpp has their order.
#pragma once

#include <cstdint>

#include "spread/plan.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {

/// What a part gets.
struct PartRun {
  const Context& context;
  const Plan& plan;
  const Steps& steps;
  std::uint32_t part;
};

/// Reads the part's records -> sketches by ranges of texts, and keys by ranges of keys; the places of texts;
/// bad records.
Result<void> sketch(const PartRun& run);
/// The keys of a range -> what they say of pairs and texts, and the hot ones.
Result<void> join(const PartRun& run);
/// The texts of a range -> each different one, the copies of these, and what their keys are worth.
Result<void> weigh(const PartRun& run);
/// Pairs of texts of a range -> those that the rule accepts or sets aside.
Result<void> verify(const PartRun& run);
/// All pairs -> the same with the links of large families, by ranges of components.
Result<void> families(const PartRun& run);
/// The components of a range -> all their pairs, their works, and a filter of the shingles in question.
Result<void> complete(const PartRun& run);
/// The part's texts -> those that hold shingles in question, by ranges of shingles.
Result<void> shingles(const PartRun& run);
/// The shingles of a range -> those of several families with their texts, and which of them are templates.
Result<void> count(const PartRun& run);
/// The components of a range -> their families, after similar texts that are little but template are joined.
Result<void> bare(const PartRun& run);
/// The shingles of a range -> what is known of them with these families.
Result<void> mark(const PartRun& run);
/// The components of a range -> which text leaves for which, and all pairs.
Result<void> settle(const PartRun& run);
/// Reads the part's records once more -> the outputs.
Result<void> keep(const PartRun& run);

}  // namespace leitong::spread
