// The text form of the policy that says which document of a cluster stays (leitong/dedup.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "leitong/dedup.hpp"

namespace leitong {

Result<KeepPolicy> parse_keep_policy(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  KeepPolicy policy;
  if (name == "longest" || name == "first" || name == "covering") {
    if (colon != std::string_view::npos)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the keep policy {}: \"{}\" takes no argument", text, name), "keep");
    policy.by = name == "longest" ? Keep::longest : name == "first" ? Keep::first : Keep::covering;
    return policy;
  }
  if (name != "newest" && name != "max" && name != "source")
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the keep policy {}: unknown policy; known are longest, first, covering, newest:FIELD, "
                    "max:FIELD or source:PATH,PATH",
                    text),
        "keep");
  if (argument.empty())
    return fail(ErrorCode::invalid_argument,
                fmt::format("the keep policy {}: say which, for example {}", text,
                            name == "newest" ? "newest:date"
                            : name == "max"  ? "max:score"
                                             : "source:best.jsonl,other/"),
                "keep");
  if (name != "source") {
    policy.by = name == "newest" ? Keep::newest : Keep::max;
    policy.field = argument;
    return policy;
  }
  policy.by = Keep::source;
  for (std::string_view rest = argument; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) policy.sources.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return policy;
}

std::string to_string(const KeepPolicy& policy) {
  switch (policy.by) {
    case Keep::longest:
      return "longest";
    case Keep::first:
      return "first";
    case Keep::newest:
      return "newest:" + policy.field;
    case Keep::max:
      return "max:" + policy.field;
    case Keep::source:
      return fmt::format("source:{}", fmt::join(policy.sources, ","));
    case Keep::ranked:
      return "ranked";
    case Keep::covering:
      return "covering";
  }
  return "longest";
}

}  // namespace leitong
