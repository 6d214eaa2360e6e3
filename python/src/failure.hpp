// Failures of the library become exceptions of Python.
#pragma once

#include <leitong/result.hpp>
#include <string>
#include <utility>

namespace leitong::python {

/// An error on its way to Python, where it is a leitong.Error.
struct Failure {
  Error error;
};

/// The value, or a Failure is thrown.
template <class T>
T take(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

[[noreturn]] inline void refuse(ErrorCode code, std::string message) {
  throw Failure{{code, std::move(message)}};
}

/// Once, when the module is made.
void translate_failures();

}  // namespace leitong::python
