// Turns failures of the library into exceptions of Python.
#pragma once

#include <leitong/result.hpp>
#include <string>
#include <utility>

namespace leitong::python {

/// An error that is thrown to Python, where it becomes a leitong.Error.
struct Failure {
  Error error;
};

/// Returns the value, or throws a Failure.
template <class T>
T take(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

[[noreturn]] inline void refuse(ErrorCode code, std::string message) {
  throw Failure{{code, std::move(message)}};
}

/// Called once, when the module is made.
void translate_failures();

}  // namespace leitong::python
