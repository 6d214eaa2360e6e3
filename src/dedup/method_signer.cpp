#include "dedup/method_signer.hpp"

#include "text/units.hpp"

namespace leitong {

Result<std::unique_ptr<const MethodSigner>> MethodSigner::make(std::string_view method,
                                                               std::span<const std::string> params,
                                                               std::filesystem::path work_dir) {
  std::unique_ptr<MethodSigner> signer(new MethodSigner(std::move(work_dir)));
  LEITONG_ASSIGN(signer->method_, make_method(method, {signer->rule_, signer->table_, signer->memory_,
                                                       signer->work_, true, params}));
  return signer;
}

void MethodSigner::sign(std::string_view text, Workspace& space, PodVector<std::uint64_t>& words) const {
  to_units(text, space.units);
  method_->sketch({text, space.units}, *space.method, words);
}

}  // namespace leitong
