#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <leitong/restore.hpp>
#include <memory>
#include <string>

#include "bindings.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

nb::tuple restored(const std::shared_ptr<Session>& session, const std::string& kept,
                   const std::string& restorable, const std::string& output, const std::string& id,
                   bool force) {
  const RestoreJob job{kept, restorable, output, id, force};
  const RestoreSummary summary = session->run([&] { return restore_files(session->context(), job); });
  nb::dict lost;
  for (const RestoreSummary::Lost& file : summary.lost) lost[file.path.c_str()] = file.why;
  return nb::make_tuple(summary.files, summary.bytes, summary.records, lost);
}

}  // namespace

void bind_restore(nb::module_& module) {
  module.def("restore", &restored, nb::arg("session"), nb::arg("kept"), nb::arg("restorable"),
             nb::arg("output"), nb::arg("id"), nb::arg("force"),
             nb::sig("def restore(session: Session, kept: str, restorable: str, output: str, id: str, force: "
                     "bool) -> tuple[int, int, int, dict[str, str]]"));
}

}  // namespace leitong::python
