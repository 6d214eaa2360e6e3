// What the library says about itself: its version and its methods.
#include "base/cpu.hpp"
#include "dedup/method.hpp"
#include "leitong/methods.hpp"
#include "leitong/version.hpp"
#include "text/units.hpp"

namespace leitong {

#define LEITONG_TEXT_(x) #x
#define LEITONG_TEXT(x) LEITONG_TEXT_(x)

LibraryInfo library_info() noexcept {
  return {LEITONG_TEXT(LEITONG_VERSION_MAJOR) "." LEITONG_TEXT(LEITONG_VERSION_MINOR) "." LEITONG_TEXT(
              LEITONG_VERSION_PATCH),
          simd_name(simd_level()), fold_table_id()};
}

std::vector<MethodDescription> list_methods() {
  std::vector<MethodDescription> all;
  for (const MethodInfo& method : methods()) {
    MethodDescription description{method.name,      method.summary, method.source,
                                  method.signature, method.needs,   {}};
    for (const ParamInfo& param : method.params)
      description.params.push_back({param.name, param.fallback, param.meaning, param.least, param.greatest,
                                    param.words, param.use == ParamUse::file});
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace leitong
