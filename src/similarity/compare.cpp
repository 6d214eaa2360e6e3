#include "leitong/compare.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "feature/shingles.hpp"
#include "leitong/feature.hpp"
#include "signature/simhash.hpp"
#include "similarity/edit.hpp"
#include "similarity/intersect.hpp"
#include "similarity/passages.hpp"
#include "similarity/rule.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

Result<void> check_text(std::string_view name, std::string_view text) {
  if (text.size() > kMaxComparedBytes)
    return fail(ErrorCode::limit, fmt::format("{} has {} bytes; texts of at most {} can be compared", name,
                                              text.size(), kMaxComparedBytes));
  if (simdjson::validate_utf8(text.data(), text.size())) return {};
  std::size_t at = 0;
  for (DecodedPoint point; point = decode_utf8(text, at), point.valid;) at += point.length;
  return fail(ErrorCode::corrupt, fmt::format("{} isn't UTF-8 at byte {}; convert it first", name, at));
}

struct Features {
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
};

Features features_of(std::string_view text) {
  Features features;
  PodVector<std::uint32_t> scratch;
  to_units(text, features.units);
  shingle_set(features.units, features.shingles, scratch);
  return features;
}

/// Of distinct shingles, each of weight 1: what SimHash makes of the same sets that Jaccard is taken over.
std::optional<std::uint64_t> simhash_of(std::span<const std::uint32_t> shingles) {
  std::vector<Feature> features;
  features.reserve(shingles.size());
  for (const std::uint32_t shingle : shingles) features.push_back({mix64(shingle), 1});
  return simhash(features);
}

double share(std::size_t part, std::size_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string_view decide(const CompareResult& result) noexcept {
  if (result.identical) return measure_name(Measure::identical);
  const auto pair = Rule{}.decide({}, result.shared_shingles, result.a.shingles, result.b.shingles);
  return pair ? measure_name(pair->measure) : std::string_view();
}

}  // namespace

Result<CompareResult> compare(std::string_view a, std::string_view b, const CompareOptions& options) {
  LEITONG_TRY(check_text(options.name_a, a));
  LEITONG_TRY(check_text(options.name_b, b));
  const Features of_a = features_of(a), of_b = features_of(b);

  CompareResult result;
  result.a = {a.size(), of_a.units.size(), of_a.shingles.size()};
  result.b = {b.size(), of_b.units.size(), of_b.shingles.size()};
  result.identical = std::ranges::equal(of_a.units, of_b.units);
  result.shared_shingles = intersection_size(of_a.shingles, of_b.shingles);
  result.a.containment = share(result.shared_shingles, result.a.shingles);
  result.b.containment = share(result.shared_shingles, result.b.shingles);
  result.jaccard =
      share(result.shared_shingles, result.a.shingles + result.b.shingles - result.shared_shingles);
  if (result.identical) result.jaccard = result.a.containment = result.b.containment = 1;
  if (std::uint64_t{result.a.units} * result.b.units <= options.edit_cells)
    result.edit = edit_similarity(of_a.units, of_b.units);
  const auto simhash_a = simhash_of(of_a.shingles), simhash_b = simhash_of(of_b.shingles);
  if (simhash_a && simhash_b)
    result.shingle_simhash_distance = static_cast<unsigned>(std::popcount(*simhash_a ^ *simhash_b));
  result.similar_by = decide(result);

  SharedPassages shared = shared_passages(a, b);
  result.a.coverage = result.identical ? 1 : shared.coverage_a();
  result.b.coverage = result.identical ? 1 : shared.coverage_b();
  result.passages = std::move(shared.passages);
  result.passage_units = shared.at_least;
  return result;
}

}  // namespace leitong
