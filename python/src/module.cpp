// leitong._leitong: the public C++ interface for the package's Python files, which are what users see.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <leitong/version.hpp>

#include "bindings.hpp"
#include "failure.hpp"
#include "forks.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

NB_MODULE(_leitong, module) {
  using namespace leitong::python;
  nb::set_leak_warnings(false);  // dictionaries that are open when the interpreter ends are no leak
  translate_failures();
  watch_forks();
  bind_session(module);
  bind_texts(module);
  bind_words(module);
  bind_dedup(module);
  bind_restore(module);
  bind_parts(module);
  bind_signatures(module);
  bind_hamming(module);
  bind_online(module);
  bind_measures(module);
  bind_spread(module);
  module.def("version", [] { return std::string(leitong::library_info().version); });
  module.def(
      "kernels", [] { return std::string(leitong::library_info().kernels); },
      "The instruction set in use: scalar, avx2 or avx512.");
}
