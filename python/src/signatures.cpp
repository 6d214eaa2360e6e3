#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <leitong/methods.hpp>
#include <leitong/sign.hpp>
#include <memory>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "chosen_folding.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

std::shared_ptr<Signer> open_signer(const std::shared_ptr<Session>& session, const std::string& method,
                                    const std::vector<std::string>& params, const Dictionaries& dictionaries,
                                    const std::string& marks, const std::string& numbers) {
  const SignSettings settings{method, params, dictionaries, chosen_folding(marks, numbers)};
  return std::make_shared<Signer>(session->run([&] { return Signer::open(session->context(), settings); }));
}

auto sign_texts(const Signer& signer, const std::shared_ptr<Session>& session, const Texts& texts) {
  Signatures made = session->run([&] { return signer.sign(session->context(), texts.views); });
  return std::pair(to_array(std::move(made.values)), to_array(std::move(made.offsets)));
}

/// Name, summary, source, signature, needs, and for each parameter name, value, meaning and choices.
using MethodRow = std::tuple<std::string, std::string, std::string, std::string, std::string,
                             std::vector<std::tuple<std::string, std::string, std::string, std::string>>>;

std::vector<MethodRow> methods() {
  std::vector<MethodRow> rows;
  for (const MethodDescription& method : list_methods()) {
    MethodRow& row = rows.emplace_back(method.name, method.summary, method.source, method.signature,
                                       method.needs, std::tuple_element_t<5, MethodRow>{});
    for (const MethodParam& param : method.params)
      std::get<5>(row).emplace_back(param.name, param.value, param.meaning, param.words);
  }
  return rows;
}

}  // namespace

void bind_signatures(nb::module_& module) {
  nb::class_<Signer>(module, "Signer", "A method with its tables and dictionaries, ready to sign.")
      .def_static("open", &open_signer, nb::arg("session"), nb::arg("method"), nb::arg("params"),
                  nb::arg("dictionaries"), nb::arg("marks"), nb::arg("numbers"))
      .def_prop_ro(
          "id", [](const Signer& signer) { return scheme_text(signer.id()); }, "The whole scheme id.")
      .def_prop_ro(
          "label", [](const Signer& signer) { return scheme_label(signer.id()); }, "The id for people.")
      .def_prop_ro("fingerprint_bits", &Signer::fingerprint_bits, "64 or 128 of fingerprints, else 0.")
      .def("sign", &sign_texts, nb::arg("session"), nb::arg("texts"),
           "Signatures in 64-bit words, one after the other, and where each begins.");
  module.def("methods", &methods);
  module.def(
      "explain_difference",
      [](const std::string& a, const std::string& b) {
        return explain_difference(take(parse_scheme(a)), take(parse_scheme(b)));
      },
      nb::arg("a"), nb::arg("b"), "What differs between two scheme ids; empty for equal ones.");
}

}  // namespace leitong::python
