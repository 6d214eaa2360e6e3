// What users call a method: a scheme together with its way of finding pairs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "dedup/pair_finder.hpp"
#include "leitong/result.hpp"
#include "scheme/scheme.hpp"

namespace leitong {

struct MethodInfo {
  std::string_view name;
  std::string_view summary;  ///< one line for --help
  std::string_view source;   ///< paper and section
  std::span<const ParamInfo> params;
  /// What users call the sketch ("64-bit fingerprint"); empty if it is no signature that can be stored or
  /// compared.
  std::string_view signature;
  /// What a document must contain to have a sketch. Of a document without it only exact copies are looked
  /// for.
  std::string_view needs;
  bool by_rule;  ///< the rule over the shingles of two texts decides whether they are similar
  const SchemeInfo* scheme;
  MadeFinder (*make_finder)(const Scheme&, const Params&, const FinderContext&);
};

/// Every method, in the order of the help.
[[nodiscard]] std::span<const MethodInfo> methods() noexcept;
/// Null for an unknown name.
[[nodiscard]] const MethodInfo* find_method(std::string_view name) noexcept;

/// A method with its parameters applied.
struct Method {
  std::unique_ptr<const Scheme> scheme;
  std::unique_ptr<PairFinder> finder;
};

/// `given` are "name=value", see MethodInfo::params. An unknown method or parameter fails with the list of
/// known ones; a scheme that must be verified fails without verification.
Result<Method> make_method(std::string_view name, std::span<const std::string> given,
                           SchemeResources& resources, const FinderContext& context);

/// The scheme of the method alone, for signatures. Fails as make_method() does.
MadeScheme make_scheme_of(std::string_view method, std::span<const std::string> given,
                          SchemeResources& resources, const Folding& folding = {});

}  // namespace leitong
