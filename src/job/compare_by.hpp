// Two texts by one method: their signatures and what the method makes of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "leitong/compare.hpp"
#include "leitong/result.hpp"
#include "similarity/method_verdict.hpp"

namespace leitong {

class SchemeResources;  // scheme/resources.hpp

/// What `leitong pairs --no-verify` with this method would decide of the two: `similar` is whether it would
/// pair them. A method that decides by the rule (default, all-pairs) gives the rule's verdict. `compared` is
/// compare() of the same two valid UTF-8 texts; texts that are the same after folding are similar to any
/// method. Fails as make_scheme_of().
Result<MethodVerdict> compare_by(std::string_view method, std::span<const std::string> params,
                                 std::string_view a, std::string_view b, const CompareResult& compared,
                                 SchemeResources& resources, const Folding& folding = {});

}  // namespace leitong
