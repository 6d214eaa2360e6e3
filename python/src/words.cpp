#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <leitong/dictionaries.hpp>
#include <leitong/normalise.hpp>
#include <leitong/segment.hpp>
#include <memory>

#include "bindings.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

/// Returns a list for each text, with the result of `make` for each value.
template <class T, class Make>
nb::list to_lists(const Lists<T>& lists, Make make) {
  nb::list all;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    nb::list values;
    for (const T& value : lists[i]) values.append(make(i, value));
    all.append(values);
  }
  return all;
}

nb::list normalised(const std::shared_ptr<Session>& session, const Texts& texts,
                    const NormaliseSettings& settings) {
  const NormalisedTexts done =
      session->run([&] { return normalise(session->context(), texts.views, settings); });
  nb::list all;
  for (std::size_t i = 0; i < done.texts.size(); ++i) all.append(to_str(done.texts[i]));
  return all;
}

std::shared_ptr<Segmenter> open_segmenter(const std::shared_ptr<Session>& session,
                                          const Dictionaries& dictionaries, const std::string& phrases) {
  return std::make_shared<Segmenter>(
      session->run([&] { return Segmenter::open(session->context(), dictionaries, phrases); }));
}

nb::list segmented(const Segmenter& segmenter, const std::shared_ptr<Session>& session, const Texts& texts,
                   const SegmentSettings& settings) {
  const Lists<Word> words =
      session->run([&] { return segmenter.segment(session->context(), texts.views, settings); });
  return to_lists(words, [&](std::size_t i, const Word& word) { return to_str(word.in(texts.views[i])); });
}

nb::list keywords_of(const Segmenter& segmenter, const std::shared_ptr<Session>& session, const Texts& texts,
                     std::size_t count, bool all_scripts) {
  const Lists<Keyword> words =
      session->run([&] { return segmenter.keywords(session->context(), texts.views, count, all_scripts); });
  return to_lists(words, [](std::size_t, const Keyword& keyword) {
    return nb::make_tuple(to_str(keyword.word), keyword.weight);
  });
}

}  // namespace

void bind_words(nb::module_& module) {
  nb::enum_<Punctuation>(module, "Punctuation", "What happens to punctuation and symbols.")
      .value("keep", Punctuation::keep)
      .value("fold", Punctuation::fold)
      .value("space", Punctuation::space);
  nb::enum_<Simplify>(module, "Simplify", "What happens to traditional Chinese characters.")
      .value("no", Simplify::no)
      .value("characters", Simplify::characters)
      .value("phrases", Simplify::phrases);
  nb::class_<NormaliseSettings>(module, "NormaliseSettings", "What becomes of what.")
      .def(
          "__init__",
          [](NormaliseSettings* made, bool fold_case, bool drop_invisible, bool run_space_together,
             Punctuation punctuation, Simplify simplify) {
            new (made)
                NormaliseSettings{fold_case, drop_invisible, run_space_together, punctuation, simplify};
          },
          nb::arg("fold_case"), nb::arg("drop_invisible"), nb::arg("run_space_together"),
          nb::arg("punctuation"), nb::arg("simplify"));
  module.def(
      "normalise", &normalised, nb::arg("session"), nb::arg("texts"), nb::arg("settings"),
      nb::sig("def normalise(session: Session, texts: Texts, settings: NormaliseSettings) -> list[str]"));

  nb::enum_<SegmentMode>(module, "SegmentMode", "Which words are given.")
      .value("mix", SegmentMode::mix)
      .value("full", SegmentMode::full)
      .value("search", SegmentMode::search);
  nb::class_<SegmentSettings>(module, "SegmentSettings", "How texts are cut.")
      .def(
          "__init__",
          [](SegmentSettings* made, SegmentMode mode, bool hmm, bool all_scripts) {
            new (made) SegmentSettings{mode, hmm, all_scripts};
          },
          nb::arg("mode"), nb::arg("hmm"), nb::arg("all_scripts"));
  nb::class_<Dictionaries>(module, "Dictionaries", "The files to cut by; what is left empty is jieba's own.")
      .def(
          "__init__",
          [](Dictionaries* made, const std::string& model, const std::vector<std::string>& user,
             const std::string& idf, const std::string& stop_words) {
            new (made) Dictionaries{model, {user.begin(), user.end()}, idf, stop_words};
          },
          nb::arg("model"), nb::arg("user"), nb::arg("idf"), nb::arg("stop_words"));
  nb::class_<Segmenter>(module, "Segmenter", "Dictionaries, ready for use.")
      .def_static("open", &open_segmenter, nb::arg("session"), nb::arg("dictionaries"), nb::arg("phrases"))
      .def("segment", &segmented, nb::arg("session"), nb::arg("texts"), nb::arg("settings"),
           nb::sig("def segment(self, session: Session, texts: Texts, settings: SegmentSettings) -> "
                   "list[list[str]]"))
      .def("keywords", &keywords_of, nb::arg("session"), nb::arg("texts"), nb::arg("count"),
           nb::arg("all_scripts"),
           nb::sig("def keywords(self, session: Session, texts: Texts, count: int, all_scripts: bool) -> "
                   "list[list[tuple[str, float]]]"))
      .def(
          "tag",
          [](const Segmenter& segmenter, const std::string& word) {
            return std::string(segmenter.tag(word));
          },
          nb::arg("word"), "The part of speech of a word.");
}

}  // namespace leitong::python
