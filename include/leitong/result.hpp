// How leitong reports failure: values of type Result<T>, never exceptions of its own.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
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
  conflict,          ///< what is there is not what the caller expects: it has changed meanwhile
};

/// A failure. `message` names the thing, the place and, where there is one, the fix; it needs no context to
/// be read by a user: "data.jsonl.gz:81234: field "text" is missing (found: id, body); try --text-field
/// body".
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;  ///< its kind
  std::string message;                           ///< for a person to read
  /// The setting that the failure is about, or that helps, by its name ("max_record"); empty: none. The
  /// command prints it as its flag, Python as its argument. It points to static text.
  std::string_view setting = {};
  std::string_view other = {};  ///< the setting that `setting` contradicts or lacks; empty: none
};

/// A value, or why there is none. The compiler warns of one that nobody looks at.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

 public:
  using Base::Base;
  /// The default value of T; of Result<void>: success.
  Result() = default;
  /// What map() and its kind return.
  Result(Base other) noexcept(std::is_nothrow_move_constructible_v<Base>) : Base(std::move(other)) {}
};

/// `return fail(ErrorCode::io, message);` in a function that returns any Result<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string_view setting = {}, std::string_view other = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), setting, other});
}

}  // namespace leitong
