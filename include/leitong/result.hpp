// How leitong reports failure: values of type Result<T>, never exceptions of its own.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace leitong {

/// The kind of a failure; the command line maps each to one exit code (docs/cli.md).
enum class ErrorCode {
  invalid_argument,  ///< an option, a name or a value that can't be meant
  not_found,         ///< a file, field or method that isn't there
  io,                ///< the system refused a read or a write (disk full, permission, vanished file)
  corrupt,           ///< bytes that break their own format (truncated archive, bad model file)
  limit,             ///< a stated bound was exceeded (memory budget, record size, nesting)
  cancelled,         ///< the caller asked to stop
  unsupported,       ///< not built in, or not possible with these settings
};

/// A failure. `message` names the thing, the place and, where there is one, the fix; it needs no context to
/// be read by a user: "data.jsonl.gz:81234: field "text" is missing (found: id, body); try --text-field
/// body".
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;  ///< its kind
  std::string message;                           ///< for a person to read
};

template <class T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::io, message);` in a function that returns any Result<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace leitong

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
