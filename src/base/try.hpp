// Macros that return the failure of a called function.
#pragma once

#include <utility>

#include "leitong/result.hpp"

/// Evaluates an expression of type Result<..>; on failure returns its error from the enclosing function.
#define LEITONG_TRY(expression)                                                   \
  do {                                                                            \
    if (auto leitong_try_ = (expression); !leitong_try_)                          \
      return ::tl::unexpected<::leitong::Error>(std::move(leitong_try_).error()); \
  } while (false)

/// `LEITONG_ASSIGN(auto file, open(path));` binds the value or returns the error.
#define LEITONG_ASSIGN_CAT2(a, b) a##b
#define LEITONG_ASSIGN_CAT(a, b) LEITONG_ASSIGN_CAT2(a, b)
#define LEITONG_ASSIGN(declaration, expression)                           \
  auto LEITONG_ASSIGN_CAT(leitong_value_, __LINE__) = (expression);       \
  if (!LEITONG_ASSIGN_CAT(leitong_value_, __LINE__))                      \
    return ::tl::unexpected<::leitong::Error>(                            \
        std::move(LEITONG_ASSIGN_CAT(leitong_value_, __LINE__)).error()); \
  declaration = *std::move(LEITONG_ASSIGN_CAT(leitong_value_, __LINE__))
