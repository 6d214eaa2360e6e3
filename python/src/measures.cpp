#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <leitong/compare.hpp>
#include <leitong/digest.hpp>
#include <leitong/evaluate.hpp>
#include <sstream>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "characters.hpp"
#include "chosen_folding.hpp"
#include "failure.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

/// Python's strings are indexed by characters.
void to_characters(std::string_view text, std::vector<Passage>& passages, ByteRange Passage::*side) {
  std::vector<Passage*> order;
  for (Passage& passage : passages) order.push_back(&passage);
  std::sort(order.begin(), order.end(),
            [&](const Passage* x, const Passage* y) { return (x->*side).begin < (y->*side).begin; });
  CharacterCounter characters(text);
  for (Passage* const passage : order) {
    ByteRange& range = passage->*side;
    range = {characters.at(range.begin), characters.at(range.end)};
  }
}

CompareResult compared(const Texts& pair, std::uint64_t edit_cells, const std::string& marks,
                       const std::string& numbers) {
  if (pair.views.size() != 2)
    refuse(ErrorCode::invalid_argument, "two texts are compared, neither more nor fewer");
  const CompareOptions options{.edit_cells = edit_cells, .folding = chosen_folding(marks, numbers)};
  auto result = [&] {
    const nb::gil_scoped_release others_may_run;
    return compare(pair.views[0], pair.views[1], options);
  }();
  CompareResult found = take(std::move(result));
  to_characters(pair.views[0], found.passages, &Passage::a);
  to_characters(pair.views[1], found.passages, &Passage::b);
  return found;
}

std::string digest_of(nb::bytes bytes, const std::string& kind) {
  for (const DigestName& known : digest_names()) {
    if (known.name != kind) continue;
    auto made = [&, view = std::string_view(bytes.c_str(), bytes.size())] {
      const nb::gil_scoped_release others_may_run;
      return digest(known.kind, view);
    }();
    return take(std::move(made));
  }
  std::string names;
  for (const DigestName& known : digest_names())
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  refuse(ErrorCode::invalid_argument, "unknown digest \"" + kind + "\"; choose one of " + names);
}

ClusterMetrics evaluated(const InputArray<std::uint32_t>& gold, const InputArray<std::uint32_t>& result) {
  if (gold.size() != result.size())
    refuse(ErrorCode::invalid_argument, std::to_string(gold.size()) + " labels of the truth for " +
                                            std::to_string(result.size()) +
                                            " of the result; give one for each");
  const std::span<const Label> of_gold(gold.data(), gold.size()), of_result(result.data(), result.size());
  const nb::gil_scoped_release others_may_run;
  return cluster_metrics(of_gold, of_result);
}

std::string in_words(const Score& score) {
  std::ostringstream words;
  words << "precision " << score.precision << ", recall " << score.recall << ", f1 " << score.f1();
  return words.str();
}

std::string in_words(const ClusterMetrics& metrics) {
  std::ostringstream words;
  words << "<Metrics of " << metrics.documents << " texts: pairs " << in_words(metrics.pairs.score())
        << "; b_cubed " << in_words(metrics.b_cubed) << "; adjusted_rand " << metrics.adjusted_rand << ">";
  return words.str();
}

}  // namespace

void bind_measures(nb::module_& module) {
  // The parts of answers can be pickled: each is represented by its members.
  using PassageState = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;
  using TextState = std::tuple<std::size_t, std::size_t, std::size_t, double, double, double>;
  using PairsState = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  using ScoreState = std::tuple<double, double>;
  using MetricsState =
      std::tuple<PairsState, ScoreState, double, std::uint64_t, std::uint64_t, std::uint64_t>;
  nb::class_<Passage>(module, "Passage", "A stretch that two texts share, in characters of either.")
      .def_prop_ro(
          "a", [](const Passage& of) { return nb::make_tuple(of.a.begin, of.a.end); },
          nb::sig("def a(self) -> tuple[int, int]"))
      .def_prop_ro(
          "b", [](const Passage& of) { return nb::make_tuple(of.b.begin, of.b.end); },
          nb::sig("def b(self) -> tuple[int, int]"))
      .def_ro("units", &Passage::units)
      .def("__getstate__",
           [](const Passage& of) {
             return PassageState(of.a.begin, of.a.end, of.b.begin, of.b.end, of.units);
           })
      .def("__setstate__", [](Passage& made, const PassageState& state) {
        const auto& [a_begin, a_end, b_begin, b_end, units] = state;
        new (&made) Passage{{a_begin, a_end}, {b_begin, b_end}, units};
      });
  nb::class_<ComparedText>(module, "ComparedText", "What is known of one of two texts.")
      .def_ro("bytes", &ComparedText::bytes)
      .def_ro("units", &ComparedText::units)
      .def_ro("shingles", &ComparedText::shingles)
      .def_ro("containment", &ComparedText::containment)
      .def_ro("coverage", &ComparedText::coverage)
      .def_ro("loss", &ComparedText::loss)
      .def("__getstate__",
           [](const ComparedText& of) {
             return TextState(of.bytes, of.units, of.shingles, of.containment, of.coverage, of.loss);
           })
      .def("__setstate__", [](ComparedText& made, const TextState& state) {
        const auto& [bytes, units, shingles, containment, coverage, loss] = state;
        new (&made) ComparedText{bytes, units, shingles, containment, coverage, loss};
      });
  nb::class_<CompareResult>(module, "CompareResult", "Two texts by every measure.")
      .def_ro("a", &CompareResult::a)
      .def_ro("b", &CompareResult::b)
      .def_ro("shared_shingles", &CompareResult::shared_shingles)
      .def_ro("relation", &CompareResult::relation)
      .def_ro("jaccard", &CompareResult::jaccard)
      .def_ro("edit", &CompareResult::edit)
      .def_ro("shingle_simhash_distance", &CompareResult::shingle_simhash_distance)
      .def_ro("identical", &CompareResult::identical)
      .def_ro("other_signs", &CompareResult::other_signs)
      .def_prop_ro("similar_by", [](const CompareResult& of) { return std::string(of.similar_by); })
      .def_ro("passages", &CompareResult::passages)
      .def_ro("passage_units", &CompareResult::passage_units);
  module.def("compare", &compared, nb::arg("pair"), nb::arg("edit_cells"), nb::arg("marks"),
             nb::arg("numbers"));
  module.def("digest", &digest_of, nb::arg("data"), nb::arg("kind"));

  nb::class_<Score>(module, "Score", "Fractions of 1.")
      .def_ro("precision", &Score::precision)
      .def_ro("recall", &Score::recall)
      .def_prop_ro("f1", &Score::f1)
      .def("__repr__", [](const Score& of) { return "<Score: " + in_words(of) + ">"; })
      .def("__getstate__", [](const Score& of) { return ScoreState(of.precision, of.recall); })
      .def("__setstate__", [](Score& made, const ScoreState& state) {
        new (&made) Score{std::get<0>(state), std::get<1>(state)};
      });
  nb::class_<ClusterMetrics>(module, "ClusterMetrics", "A result against the truth.")
      .def_prop_ro("pairs", [](const ClusterMetrics& of) { return of.pairs.score(); })
      .def_ro("b_cubed", &ClusterMetrics::b_cubed)
      .def_ro("adjusted_rand", &ClusterMetrics::adjusted_rand)
      .def_ro("documents", &ClusterMetrics::documents)
      .def_ro("clusters", &ClusterMetrics::clusters)
      .def_ro("gold_clusters", &ClusterMetrics::gold_clusters)
      .def("__repr__", [](const ClusterMetrics& of) { return in_words(of); })
      .def("__getstate__",
           [](const ClusterMetrics& of) {
             return MetricsState({of.pairs.claimed, of.pairs.gold, of.pairs.both},
                                 {of.b_cubed.precision, of.b_cubed.recall}, of.adjusted_rand, of.documents,
                                 of.clusters, of.gold_clusters);
           })
      .def("__setstate__", [](ClusterMetrics& made, const MetricsState& state) {
        const auto& [pairs, b_cubed, adjusted_rand, documents, clusters, gold_clusters] = state;
        const auto& [claimed, gold, both] = pairs;
        const auto& [precision, recall] = b_cubed;
        new (&made) ClusterMetrics{
            {claimed, gold, both}, {precision, recall}, adjusted_rand, documents, clusters, gold_clusters};
      });
  module.def("evaluate", &evaluated, nb::arg("gold"), nb::arg("result"));
}

}  // namespace leitong::python
