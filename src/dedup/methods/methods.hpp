// The makers of all methods; registry.cpp names them.
#pragma once

#include <memory>

#include "dedup/method.hpp"

namespace leitong {

Result<std::unique_ptr<Method>> make_default(const MethodContext& context);
Result<std::unique_ptr<Method>> make_all_pairs(const MethodContext& context);
Result<std::unique_ptr<Method>> make_simhash(const MethodContext& context);
Result<std::unique_ptr<Method>> make_minhash(const MethodContext& context);
Result<std::unique_ptr<Method>> make_exact(const MethodContext& context);

}  // namespace leitong
