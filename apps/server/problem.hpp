// The error for a request: a status and a message (RFC 9457).
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "leitong/result.hpp"

namespace leitong::server {

struct Problem {
  unsigned status = 500;
  std::string detail;        ///< the thing, the place and the fix; never a text of a request
  unsigned retry_after = 0;  ///< seconds; 0: unknown
  std::string allow = {};    ///< for 405: the allowed methods
};

template <class T>
using Outcome = tl::expected<T, Problem>;

[[nodiscard]] inline tl::unexpected<Problem> problem(unsigned status, std::string detail,
                                                     unsigned retry_after = 0) {
  return tl::unexpected<Problem>(Problem{status, std::move(detail), retry_after});
}

/// 503: there is no memory for a request.
[[nodiscard]] Problem no_memory();

/// A failure of the library as a problem.
[[nodiscard]] Problem to_problem(const Error& error);

/// A result of the library as one of the server.
template <class T>
[[nodiscard]] Outcome<T> outcome(Result<T> result) {
  if (!result) return tl::make_unexpected(to_problem(result.error()));
  if constexpr (std::is_void_v<T>)
    return {};
  else
    return *std::move(result);
}

/// "Not Found".
[[nodiscard]] std::string_view phrase(unsigned status) noexcept;

/// application/problem+json.
[[nodiscard]] std::string to_json(const Problem& problem);

}  // namespace leitong::server

/// Returns the failure of an expression, whatever its kind: Outcome within a request, Result at the start.
#define SERVER_TRY(expression)                                      \
  do {                                                              \
    if (auto server_try_ = (expression); !server_try_)              \
      return ::tl::make_unexpected(std::move(server_try_).error()); \
  } while (false)

/// Binds the value, or returns the failure.
#define SERVER_ASSIGN_CAT2(a, b) a##b
#define SERVER_ASSIGN_CAT(a, b) SERVER_ASSIGN_CAT2(a, b)
#define SERVER_ASSIGN(declaration, expression)                                                   \
  auto SERVER_ASSIGN_CAT(server_value_, __LINE__) = (expression);                                \
  if (!SERVER_ASSIGN_CAT(server_value_, __LINE__))                                               \
    return ::tl::make_unexpected(std::move(SERVER_ASSIGN_CAT(server_value_, __LINE__)).error()); \
  declaration = *std::move(SERVER_ASSIGN_CAT(server_value_, __LINE__))
