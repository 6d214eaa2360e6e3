// The makers of all methods and their parameters; registry.cpp names them.
#pragma once

#include <memory>
#include <span>

#include "dedup/method.hpp"

namespace leitong {

using MadeMethod = Result<std::unique_ptr<Method>>;

MadeMethod make_default(const MethodContext& context, const Params& params);
MadeMethod make_all_pairs(const MethodContext& context, const Params& params);

std::span<const ParamInfo> exact_params() noexcept;
MadeMethod make_exact(const MethodContext& context, const Params& params);

std::span<const ParamInfo> simhash_params() noexcept;
MadeMethod make_simhash(const MethodContext& context, const Params& params);

std::span<const ParamInfo> e_simhash_params() noexcept;
MadeMethod make_e_simhash(const MethodContext& context, const Params& params);
MadeMethod make_e_simhash_literal(const MethodContext& context, const Params& params);

std::span<const ParamInfo> p_simhash_params() noexcept;
MadeMethod make_p_simhash(const MethodContext& context, const Params& params);
MadeMethod make_p_simhash_literal(const MethodContext& context, const Params& params);

std::span<const ParamInfo> minhash_params() noexcept;
MadeMethod make_minhash(const MethodContext& context, const Params& params);

std::span<const ParamInfo> shingle_params() noexcept;
MadeMethod make_shingle(const MethodContext& context, const Params& params);

std::span<const ParamInfo> i_match_params() noexcept;
MadeMethod make_i_match(const MethodContext& context, const Params& params);

std::span<const ParamInfo> edit_params() noexcept;
MadeMethod make_edit(const MethodContext& context, const Params& params);

}  // namespace leitong
