// The list of methods, in the order of the help: a line each.
#include <string>
#include <vector>

#include "dedup/method.hpp"

// Each is defined at the end of its file in methods/.
#define LEITONG_METHODS(METHOD)    \
  METHOD(default_method)           \
  METHOD(all_pairs_method)         \
  METHOD(simhash_method)           \
  METHOD(e_simhash_method)         \
  METHOD(e_simhash_literal_method) \
  METHOD(p_simhash_method)         \
  METHOD(p_simhash_literal_method) \
  METHOD(minhash_method)           \
  METHOD(shingle_method)           \
  METHOD(i_match_method)           \
  METHOD(edit_method)              \
  METHOD(exact_method)

namespace leitong {

#define LEITONG_DECLARE(method) MethodInfo method();
LEITONG_METHODS(LEITONG_DECLARE)

namespace {

const std::vector<MethodInfo>& table() {
#define LEITONG_ENTRY(method) method(),
  static const std::vector<MethodInfo> methods = {LEITONG_METHODS(LEITONG_ENTRY)};
  return methods;
}

}  // namespace

std::span<const MethodInfo> methods() noexcept { return table(); }

const MethodInfo* find_method(std::string_view name) noexcept {
  for (const MethodInfo& info : table())
    if (info.name == name) return &info;
  return nullptr;
}

MadeMethod make_method(std::string_view name, const MethodContext& context) {
  if (const MethodInfo* info = find_method(name)) {
    LEITONG_ASSIGN(const Params params, Params::parse(name, info->params, context.params));
    return info->make(context, params);
  }
  std::string known;
  for (const MethodInfo& info : table()) known.append(known.empty() ? "" : ", ").append(info.name);
  return fail(ErrorCode::invalid_argument,
              "unknown method \"" + std::string(name) + "\"; choose one of: " + known);
}

}  // namespace leitong
