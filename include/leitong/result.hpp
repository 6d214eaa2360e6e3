// How leitong reports failures: by values of type Result<T>, never by exceptions of its own.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace leitong {

/// The kind of a failure; the command line maps each to one exit code (docs/cli.md).
enum class ErrorCode {
  invalid_argument,  ///< an impossible option, name or value
  not_found,         ///< a file, field or method that does not exist
  io,                ///< the system refused a read or a write (disk full, permission, vanished file)
  corrupt,           ///< bytes that break their own format (truncated archive, bad model file)
  limit,             ///< a stated bound was exceeded (memory budget, record size, nesting)
  cancelled,         ///< the caller asked to stop
  unsupported,       ///< not built in, or not possible with these settings
  conflict,          ///< the state is not what the caller expects: it has changed meanwhile
};

/// A failure. `message` names the thing, the place and, if there is one, the fix. A user can read it without
/// context: "data.jsonl.gz:81234: field "text" is missing (found: id, body); try --text-field body".
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;  ///< the kind of the failure
  std::string message;                           ///< a message for a person
  /// The name of the setting that the failure is about, or that helps ("max_record"); empty: none. The
  /// command prints it as a flag, Python as an argument. It points to static text.
  std::string_view setting = {};
  std::string_view other = {};  ///< the setting that `setting` contradicts or needs; empty: none
};

/// A value or a failure. The compiler warns if it is not used.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

 public:
  using Base::Base;
  /// The default value of T; for Result<void>: success.
  Result() = default;
  /// Takes the result of map() and similar functions.
  Result(Base other) noexcept(std::is_nothrow_move_constructible_v<Base>) : Base(std::move(other)) {}
};

/// `return fail(ErrorCode::io, message);` in a function that returns any Result<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string_view setting = {}, std::string_view other = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), setting, other});
}

}  // namespace leitong
