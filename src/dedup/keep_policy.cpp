// The text form of the policy that says which document of a cluster stays (leitong/dedup.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "leitong/dedup.hpp"

namespace leitong {
namespace {

struct NamedKeep {
  std::string_view name;
  Keep by;
  std::string_view example = {};  ///< of its argument; empty: it takes none
};
constexpr std::array kNamed = {NamedKeep{"longest", Keep::longest},
                               NamedKeep{"shortest", Keep::shortest},
                               NamedKeep{"first", Keep::first},
                               NamedKeep{"covering", Keep::covering},
                               NamedKeep{"newest", Keep::newest, "date"},
                               NamedKeep{"oldest", Keep::oldest, "date"},
                               NamedKeep{"max", Keep::max, "score"},
                               NamedKeep{"min", Keep::min, "score"},
                               NamedKeep{"source", Keep::source, "best.jsonl,other/"}};

const NamedKeep* find_keep(std::string_view name) {
  const auto found = std::ranges::find(kNamed, name, &NamedKeep::name);
  return found == kNamed.end() ? nullptr : &*found;
}

/// True if a part between commas begins a policy of its own, and is no more of the argument before it.
bool begins_policy(std::string_view part) {
  const std::size_t colon = part.find(':');
  const NamedKeep* const known = find_keep(part.substr(0, colon));
  return known != nullptr && known->example.empty() == (colon == std::string_view::npos);
}

Result<KeepPolicy> parse_one(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::string_view argument = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  const NamedKeep* const known = find_keep(name);
  if (known == nullptr)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the keep policy {}: unknown policy; known are longest, shortest, first, covering, "
                    "newest:FIELD, oldest:FIELD, max:FIELD, min:FIELD, source:PATH,PATH or "
                    "source:FIELD=VALUE,VALUE, and several of them with commas between them",
                    text),
        "keep");
  if (known->example.empty() && colon != std::string_view::npos)
    return fail(ErrorCode::invalid_argument,
                fmt::format("the keep policy {}: \"{}\" takes no argument", text, name), "keep");
  if (!known->example.empty() && argument.empty())
    return fail(ErrorCode::invalid_argument,
                fmt::format("the keep policy {}: say which, for example {}:{}", text, name, known->example),
                "keep");
  KeepPolicy policy(known->by);
  if (policy.by != Keep::source) {
    policy.field = argument;
    return policy;
  }
  // A path may have an equals sign in the name of a folder, but a field has no slash.
  const std::size_t equals = argument.find('=');
  if (equals != std::string_view::npos && equals > 0 &&
      argument.substr(0, equals).find_first_of("/,") == std::string_view::npos) {
    policy.field = argument.substr(0, equals);
    argument.remove_prefix(equals + 1);
  }
  for (std::string_view rest = argument; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) policy.sources.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (policy.sources.empty())
    return fail(ErrorCode::invalid_argument,
                fmt::format("the keep policy {}: say which, for example source:site=a,b", text), "keep");
  return policy;
}

std::string one_to_string(const KeepPolicy& policy) {
  const auto known = std::ranges::find(kNamed, policy.by, &NamedKeep::by);
  if (known == kNamed.end()) return "ranked";
  if (known->example.empty()) return std::string(known->name);
  if (policy.by != Keep::source) return fmt::format("{}:{}", known->name, policy.field);
  return fmt::format("source:{}{}{}", policy.field, policy.field.empty() ? "" : "=",
                     fmt::join(policy.sources, ","));
}

}  // namespace

Result<KeepPolicy> parse_keep_policy(std::string_view text) {
  std::optional<KeepPolicy> policy;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    // A policy ends at the comma before the next one.
    for (end = begin;; ++end) {
      end = std::min(text.find(',', end), text.size());
      if (end == text.size() || begins_policy(text.substr(end + 1, text.find(',', end + 1) - end - 1))) break;
    }
    LEITONG_ASSIGN(KeepPolicy one, parse_one(text.substr(begin, end - begin)));
    if ((policy && one.by == Keep::covering) || (policy && policy->by == Keep::covering))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the keep policy {}: covering decides alone; leave the others out", text),
                  "keep");
    if (!policy)
      policy = std::move(one);
    else
      policy->then.push_back(std::move(one));
  }
  return *std::move(policy);
}

std::string to_string(const KeepPolicy& policy) {
  std::string text = one_to_string(policy);
  for (const KeepPolicy& next : policy.then) text += "," + one_to_string(next);
  return text;
}

}  // namespace leitong
