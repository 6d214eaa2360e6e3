// The list of schemes, in the order of the help, one for each line.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "base/try.hpp"
#include "scheme/scheme.hpp"

// Each of them is defined at the end of its file in schemes/.
#define LEITONG_SCHEMES(SCHEME)    \
  SCHEME(winnowed_scheme)          \
  SCHEME(overlap_scheme)           \
  SCHEME(simhash_scheme)           \
  SCHEME(e_simhash_scheme)         \
  SCHEME(e_simhash_literal_scheme) \
  SCHEME(p_simhash_scheme)         \
  SCHEME(p_simhash_literal_scheme) \
  SCHEME(minhash_scheme)           \
  SCHEME(shingle_scheme)           \
  SCHEME(i_match_scheme)           \
  SCHEME(edit_scheme)              \
  SCHEME(copies_scheme)

namespace leitong {

#define LEITONG_DECLARE(scheme) SchemeInfo scheme();
LEITONG_SCHEMES(LEITONG_DECLARE)

namespace {

const std::vector<SchemeInfo>& table() {
#define LEITONG_ENTRY(scheme) scheme(),
  static const std::vector<SchemeInfo> schemes = {LEITONG_SCHEMES(LEITONG_ENTRY)};
  return schemes;
}

}  // namespace

SchemeContent content_of_units() { return {fold_table_id(), 0}; }

Result<void> Scheme::check_folding() const {
  if (looks_at_units_ || folding_ == Folding()) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("the choice of what becomes of marks and numbers has no effect on {}, which does not "
                  "look at letters and digits after folding: leave it out, or choose another method",
                  id_.name));
}

std::span<const SchemeInfo> schemes() noexcept { return table(); }

const SchemeInfo* find_scheme(std::string_view name) noexcept {
  for (const SchemeInfo& info : table())
    if (info.name == name) return &info;
  return nullptr;
}

MadeScheme make_scheme(std::string_view name, std::span<const std::string> given, SchemeResources& resources,
                       const Folding& folding) {
  if (const SchemeInfo* info = find_scheme(name)) {
    LEITONG_ASSIGN(const Params params, Params::parse(name, info->params, given));
    LEITONG_ASSIGN(std::unique_ptr<Scheme> scheme, info->make(params, resources));
    scheme->id_ = {
        std::string(info->name), info->version,
        info->parameters != nullptr ? info->parameters(params) : sketch_parameters(info->params, params),
        scheme->content_.tables, scheme->content_.model};
    scheme->folding_ = folding;
    scheme->looks_at_units_ = scheme->content_.tables == content_of_units().tables;
    if (!scheme->looks_at_units_) return scheme;
    SchemeId& id = scheme->id_;
    id.tables = fold_table_id(folding.marks);
    add_parameters(folding, id);
    return scheme;
  }
  std::string known;
  for (const SchemeInfo& info : table()) known.append(known.empty() ? "" : ", ").append(info.name);
  return fail(ErrorCode::invalid_argument,
              fmt::format("unknown scheme \"{}\"; choose one of: {}", name, known));
}

}  // namespace leitong
