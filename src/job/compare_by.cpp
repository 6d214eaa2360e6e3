#include "job/compare_by.hpp"

#include "base/pair.hpp"
#include "base/try.hpp"
#include "dedup/method.hpp"
#include "job/sign.hpp"
#include "scheme/resources.hpp"
#include "scheme/text_sketcher.hpp"

namespace leitong {

Result<MethodVerdict> compare_by(std::string_view method, std::span<const std::string> params,
                                 std::string_view a, std::string_view b, const CompareResult& compared,
                                 SchemeResources& resources, const Folding& folding) {
  LEITONG_ASSIGN(auto scheme, make_scheme_of(method, params, resources, folding));
  const MethodInfo& info = *find_method(method);
  const TextSketcher sketcher(std::move(scheme));
  TextSketcher::Workspace space = sketcher.new_workspace();
  PodVector<std::uint64_t> words_a, words_b;
  sketcher.sketch(a, space, words_a);
  sketcher.sketch(b, space, words_b);

  const bool copies = compared.identical || compared.similar_by == measure_name(Measure::copy);
  MethodVerdict verdict{.method = std::string(method)};
  if (!info.signature.empty()) {
    if (!words_a.empty()) verdict.signature_a = signature_hex(words_a);
    if (!words_b.empty()) verdict.signature_b = signature_hex(words_b);
  }
  const std::string needs(info.needs);
  if (words_a.empty()) verdict.lacks_a = needs;
  if (words_b.empty()) verdict.lacks_b = needs;
  if (words_a.empty() || words_b.empty()) {
    verdict.similarity = copies ? 1 : 0;
  } else if (const auto likeness =
                 sketcher.scheme().compare({words_a, compared.a.units}, {words_b, compared.b.units}, Rule{});
             likeness && !info.by_rule) {
    verdict.similar = likeness->similar;
    verdict.similarity = likeness->similarity;
    verdict.distance = likeness->distance;
  } else {
    verdict.similar = !compared.similar_by.empty();
    verdict.similarity = compared.jaccard;
  }
  verdict.similar |= copies;
  return verdict;
}

}  // namespace leitong
