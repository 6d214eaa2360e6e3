// The part of the module that each source file adds.
#pragma once

#include <nanobind/nanobind.h>

namespace leitong::python {

void bind_dedup(nanobind::module_& module);
void bind_words(nanobind::module_& module);
void bind_restore(nanobind::module_& module);
void bind_parts(nanobind::module_& module);
void bind_signatures(nanobind::module_& module);
void bind_hamming(nanobind::module_& module);
void bind_online(nanobind::module_& module);
void bind_measures(nanobind::module_& module);
void bind_spread(nanobind::module_& module);

}  // namespace leitong::python
