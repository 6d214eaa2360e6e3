#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <leitong/settings.hpp>
#include <leitong/spread.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "failure.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

using Given = std::vector<std::pair<std::string, std::vector<std::string>>>;

void plan(const std::shared_ptr<Session>& session, const std::vector<std::string>& inputs,
          const std::string& work, const std::string& output, std::uint32_t parts, bool write_kept,
          const Given& fields, const DedupSettings& settings) {
  SpreadJob job{
      .settings = settings, .work = work, .output = output, .parts = parts, .write_kept = write_kept};
  for (const auto& [name, values] : fields) take(set(job.input, name, values));
  job.input.paths = inputs;
  session->run([&] { return plan_spread(session->context(), job); });
}

std::vector<std::pair<std::string, std::uint32_t>> stages(const std::shared_ptr<Session>& session,
                                                          const std::string& work) {
  std::vector<std::pair<std::string, std::uint32_t>> listed;
  for (const SpreadStage& stage : session->run([&] { return spread_stages(session->context(), work); }))
    listed.emplace_back(stage.name, stage.parts);
  return listed;
}

bool run(const std::shared_ptr<Session>& session, const std::string& work, const std::string& stage,
         std::uint32_t part, bool again) {
  return session->run([&] { return run_part(session->context(), work, stage, part, again); });
}

}  // namespace

void bind_spread(nb::module_& module) {
  module.def(
      "check_spread", [](const DedupSettings& settings) { take(check_spread(settings)); },
      nb::arg("settings"), "Fails for settings that are impossible or can't be spread.");
  module.def("plan_spread", &plan, nb::arg("session"), nb::arg("inputs"), nb::arg("work"), nb::arg("output"),
             nb::arg("parts"), nb::arg("write_kept"), nb::arg("fields"), nb::arg("settings"),
             "`fields`: settings of the input by their names, each with its values as texts.");
  module.def("spread_stages", &stages, nb::arg("session"), nb::arg("work"));
  module.def("run_part", &run, nb::arg("session"), nb::arg("work"), nb::arg("stage"), nb::arg("part"),
             nb::arg("again"));
}

}  // namespace leitong::python
