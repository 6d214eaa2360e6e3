// Compares two texts by one method: their signatures and what the method decides.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "leitong/compare.hpp"
#include "leitong/result.hpp"
#include "similarity/method_verdict.hpp"

namespace leitong {

class SchemeResources;  // scheme/resources.hpp

/// What `leitong pairs --no-verify` with this method would decide about the two texts: `similar` says whether
/// they would be a pair. A method that decides by the rule (default, all-pairs) gives the decision of the
/// rule. `compared` is compare() of the same two valid UTF-8 texts; texts that are equal after folding are
/// similar for any method. Fails as make_scheme_of().
Result<MethodVerdict> compare_by(std::string_view method, std::span<const std::string> params,
                                 std::string_view a, std::string_view b, const CompareResult& compared,
                                 SchemeResources& resources, const Folding& folding = {});

}  // namespace leitong
