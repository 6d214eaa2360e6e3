// The list of methods, in the order of the help: which finder belongs to which scheme.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "dedup/finders/finders.hpp"
#include "dedup/method.hpp"

namespace leitong {
namespace {

/// A method that has the name and the parameters of its scheme.
MethodInfo method_of(std::string_view name,
                     MadeFinder (*make_finder)(const Scheme&, const Params&, const FinderContext&)) {
  const SchemeInfo& scheme = *find_scheme(name);
  return {scheme.name,  scheme.summary, scheme.source, scheme.params, scheme.signature,
          scheme.needs, false,          &scheme,       make_finder};
}

/// The same, but the rule decides.
MethodInfo by_rule(MethodInfo info) {
  info.by_rule = true;
  return info;
}

/// A method over the shingles that the rule counts. It has no parameters: the rule has the threshold.
MethodInfo all_pairs_method() {
  MethodInfo info = method_of("shingle", make_all_pairs_finder);
  info.name = "all-pairs";
  info.summary = "every pair that the rule accepts, found by a prefix join that misses none (slow)";
  info.source = "Bayardo, Ma, Srikant 2007; Chaudhuri, Ganti, Kaushik 2006";
  info.params = {};
  info.signature = {};
  return info;
}

}  // namespace

std::span<const MethodInfo> methods() noexcept {
  static const std::vector<MethodInfo> methods = {by_rule(method_of("default", make_rarity_finder)),
                                                  by_rule(method_of("overlap", make_overlap_finder)),
                                                  by_rule(all_pairs_method()),
                                                  method_of("simhash", make_fingerprint_finder),
                                                  method_of("e-simhash", make_fingerprint_finder),
                                                  method_of("e-simhash-literal", make_fingerprint_finder),
                                                  method_of("p-simhash", make_fingerprint_finder),
                                                  method_of("p-simhash-literal", make_fingerprint_finder),
                                                  method_of("minhash", make_band_finder),
                                                  method_of("shingle", make_shingle_finder),
                                                  method_of("i-match", make_digest_finder),
                                                  method_of("edit", make_edit_finder),
                                                  method_of("copies", make_no_finder)};
  return methods;
}

namespace {

Result<const MethodInfo*> known_method(std::string_view name) {
  if (const MethodInfo* info = find_method(name)) return info;
  std::string known;
  for (const MethodInfo& info : methods()) known.append(known.empty() ? "" : ", ").append(info.name);
  return fail(ErrorCode::invalid_argument,
              fmt::format("unknown method \"{}\"; choose one of: {}", name, known));
}

/// The parameters of a method. If the method does not have one that other methods have, the error names these
/// methods.
Result<Params> params_of(const MethodInfo& info, std::span<const std::string> given) {
  auto params = Params::parse(info.name, info.params, given);
  if (params) return params;
  for (const std::string& one : given) {
    const std::string_view name = std::string_view(one).substr(0, one.find('='));
    const auto has_it = [&](const MethodInfo& method) {
      return std::any_of(method.params.begin(), method.params.end(),
                         [&](const ParamInfo& param) { return param.name == name; });
    };
    if (has_it(info)) continue;
    std::string others;
    for (const MethodInfo& method : methods())
      if (has_it(method)) others.append(others.empty() ? "" : ", ").append(method.name);
    if (!others.empty()) params.error().message += fmt::format("; the methods {} have it", others);
    break;
  }
  return params;
}

/// A method without parameters of its own uses the defaults of its scheme.
MadeScheme scheme_of(const MethodInfo& info, std::span<const std::string> given, SchemeResources& resources,
                     const Folding& folding) {
  LEITONG_TRY(params_of(info, given));
  return make_scheme(info.scheme->name, given, resources, folding);
}

}  // namespace

const MethodInfo* find_method(std::string_view name) noexcept {
  for (const MethodInfo& info : methods())
    if (info.name == name) return &info;
  return nullptr;
}

Result<Method> make_method(std::string_view name, std::span<const std::string> given,
                           SchemeResources& resources, const FinderContext& context) {
  LEITONG_ASSIGN(const MethodInfo* info, known_method(name));
  LEITONG_ASSIGN(const Params params, params_of(*info, given));
  Method method;
  LEITONG_ASSIGN(method.scheme, scheme_of(*info, given, resources, context.folding));
  if (const std::string_view why = method.scheme->must_be_verified(); !context.verify && !why.empty())
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}; have the pairs verified (a search for the best threshold, which takes a "
                            "method's own word, has no use for them)",
                            why));
  FinderContext named = context;
  named.method = info->name;
  LEITONG_ASSIGN(method.finder, info->make_finder(*method.scheme, params, named));
  return method;
}

MadeScheme make_scheme_of(std::string_view method, std::span<const std::string> given,
                          SchemeResources& resources, const Folding& folding) {
  LEITONG_ASSIGN(const MethodInfo* info, known_method(method));
  return scheme_of(*info, given, resources, folding);
}

}  // namespace leitong
