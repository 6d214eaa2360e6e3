#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <leitong/decontaminate.hpp>
#include <leitong/settings.hpp>
#include <leitong/trim.hpp>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "characters.hpp"
#include "failure.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

using Given = std::vector<std::pair<std::string, std::vector<std::string>>>;

template <class Settings>
Settings settings_of(const Given& given) {
  Settings settings;
  for (const auto& [name, values] : given) take(set(settings, name, values));
  return settings;
}

/// begin, end, units, documents, and of the part that stays its text, begin and end; in characters.
using CutRow = std::tuple<std::size_t, std::size_t, std::uint64_t, std::uint64_t, std::uint32_t, std::size_t,
                          std::size_t>;
/// position, is it removed, what is left, cuts
using TrimmedRow = std::tuple<std::uint32_t, bool, std::string, std::vector<CutRow>>;

std::vector<TrimmedRow> trim(const std::shared_ptr<Session>& session, const Texts& texts, const Texts& base,
                             const Given& given) {
  const auto settings = settings_of<TrimSettings>(given);
  const auto trimmed =
      session->run([&] { return trim_texts(session->context(), texts.views, settings, base.views); });
  std::vector<TrimmedRow> rows;
  for (const TrimmedText& text : trimmed) {
    const std::string_view whole = texts.views[text.text];
    auto& [position, removed, left, cuts] =
        rows.emplace_back(text.text, text.removed, "", std::vector<CutRow>());
    if (!text.removed) left = without_cuts(whole, text.cuts);
    CharacterCounter characters(whole);
    for (const TextCut& cut : text.cuts) {
      const std::size_t begin = characters.at(cut.bytes.begin), end = characters.at(cut.bytes.end);
      CharacterCounter kept(texts.views[cut.kept_text]);
      const std::size_t kept_begin = kept.at(cut.kept_bytes.begin), kept_end = kept.at(cut.kept_bytes.end);
      cuts.emplace_back(begin, end, cut.units, cut.documents, cut.kept_text, kept_begin, kept_end);
    }
  }
  return rows;
}

/// Of a file of records; what is left of them is not written.
void trim_file(const std::shared_ptr<Session>& session, const std::string& path, const std::string& spans,
               const std::string& too_short, const Given& given) {
  TrimJob job{.input = {.paths = {path}, .kind = "jsonl"},
              .outputs = {.spans = spans, .too_short = too_short}};
  job.settings = settings_of<TrimSettings>(given);
  static_cast<void>(session->run([&] { return trim_files(session->context(), job); }));
}

/// text, item, is it a leak, is it equal, share, begin and end in characters, why it is a doubt
using LeakRow =
    std::tuple<std::uint32_t, std::uint32_t, bool, bool, double, std::size_t, std::size_t, std::string>;

std::pair<std::vector<LeakRow>, std::vector<std::uint32_t>> leaks(
    const std::shared_ptr<Session>& session, const Texts& texts, const Texts& questions,
    const std::vector<std::shared_ptr<Texts>>& answers, const Given& given) {
  const auto settings = settings_of<LeakSettings>(given);
  std::vector<LeakItem> items(questions.views.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].question = questions.views[i];
    for (const auto& field : answers) items[i].answers.push_back(field->views[i]);
  }
  TextLeaks found =
      session->run([&] { return find_leaks(session->context(), texts.views, items, settings); });
  std::vector<LeakRow> rows;
  for (TextLeak& hit : found.hits) {
    CharacterCounter characters(texts.views[hit.text]);
    const std::size_t begin = characters.at(hit.passage.begin), end = characters.at(hit.passage.end);
    rows.emplace_back(hit.text, hit.item, hit.leak, hit.equal, hit.share, begin, end, std::move(hit.why));
  }
  return {std::move(rows), std::move(found.too_short)};
}

}  // namespace

void bind_parts(nb::module_& module) {
  module.def(
      "trim", &trim, nb::arg("session"), nb::arg("texts"), nb::arg("base"), nb::arg("given"),
      "The texts of which something is cut: position, whether it is removed, what is left, and for each "
      "cut begin, end, units, documents, and of the part that stays position, begin and end.");
  module.def("trim_file", &trim_file, nb::arg("session"), nb::arg("path"), nb::arg("spans"),
             nb::arg("too_short"), nb::arg("given"),
             "Writes the cuts of a file of JSON lines, and the documents of which too little is left.");
  module.def("leaks", &leaks, nb::arg("session"), nb::arg("texts"), nb::arg("questions"), nb::arg("answers"),
             nb::arg("given"),
             "For each text and item that it holds: position, item, is it a leak, is it equal, share, begin, "
             "end, why it is a doubt. And the items that are too short.");
}

}  // namespace leitong::python
