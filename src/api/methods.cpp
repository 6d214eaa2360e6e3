#include "leitong/methods.hpp"

#include "dedup/method.hpp"

namespace leitong {

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
