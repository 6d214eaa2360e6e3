#include "dedup/compare_by.hpp"

#include <memory>

#include "base/memory.hpp"
#include "base/work_folder.hpp"
#include "dedup/method.hpp"
#include "dedup/sign.hpp"
#include "text/units.hpp"

namespace leitong {

Result<MethodVerdict> compare_by(std::string_view method, std::span<const std::string> params,
                                 std::string_view a, std::string_view b, const CompareResult& compared) {
  const Rule rule;
  const DocumentTable table;
  MemoryBudget memory;
  const WorkFolder work;
  LEITONG_ASSIGN(const std::unique_ptr<Method> made,
                 make_method(method, {rule, table, memory, work, false, params}));
  const auto scratch = made->new_scratch();
  PodVector<Unit> units;
  PodVector<std::uint64_t> words_a, words_b;
  to_units(a, units);
  made->sketch({a, units}, *scratch, words_a);
  to_units(b, units);
  made->sketch({b, units}, *scratch, words_b);

  MethodVerdict verdict{.method = std::string(method)};
  if (!find_method(method)->signature.empty()) {
    if (!words_a.empty()) verdict.signature_a = signature_hex(words_a);
    if (!words_b.empty()) verdict.signature_b = signature_hex(words_b);
  }
  if (words_a.empty() || words_b.empty()) {
    verdict.similarity = compared.identical ? 1 : 0;
  } else if (const auto likeness = made->compare({words_a, compared.a.units}, {words_b, compared.b.units})) {
    verdict.similar = likeness->similar;
    verdict.similarity = likeness->similarity;
    verdict.distance = likeness->distance;
  } else {
    verdict.similar = !compared.similar_by.empty();
    verdict.similarity = compared.jaccard;
  }
  verdict.similar |= compared.identical;
  return verdict;
}

}  // namespace leitong
