#include "failure.hpp"

#include <nanobind/nanobind.h>

#include <array>
#include <exception>

namespace nb = nanobind;

namespace leitong::python {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::io:
      return "io";
    case ErrorCode::corrupt:
      return "corrupt";
    case ErrorCode::limit:
      return "limit";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::conflict:
      return "conflict";
  }
  return "invalid_argument";
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    try {
      const nb::object made =
          nb::module_::import_("leitong._errors")
              .attr("error_of")(name_of(failure.error.code),
                                nb::str(failure.error.message.data(), failure.error.message.size()),
                                nb::str(failure.error.setting.data(), failure.error.setting.size()),
                                nb::str(failure.error.other.data(), failure.error.other.size()));
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
    } catch (nb::python_error& error) {
      error.restore();
    }
  }
}

}  // namespace

void translate_failures() { nb::register_exception_translator(translate); }

}  // namespace leitong::python
