#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <leitong/dedup.hpp>
#include <leitong/job.hpp>
#include <leitong/settings.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

// leitong._result views the bytes of pairs by these offsets.
static_assert(sizeof(SimilarTexts) == 24 && offsetof(SimilarTexts, b) == 4 &&
              offsetof(SimilarTexts, jaccard) == 8 && offsetof(SimilarTexts, containment) == 16);

/// Decisions use the context in which they were made, so they hold it.
struct Decided {
  std::shared_ptr<Session> session;
  std::shared_ptr<const Decisions> decisions;
};

struct Removals {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint8_t> measures;  // numbers of names
  std::vector<double> scores, losses;  // a loss is NaN if losses were not requested
  std::vector<std::string> reasons;
  std::vector<std::string_view> relations;  // static names
  std::vector<std::string> names;
};

/// Numbers the names of measures in the order in which they come.
class MeasureNames {
 public:
  std::uint8_t operator()(std::string_view name) {
    const auto [number, is_new] = numbers_.try_emplace(name, static_cast<std::uint8_t>(numbers_.size()));
    if (is_new) all.emplace_back(name);
    return number->second;
  }
  std::vector<std::string> all;

 private:
  std::map<std::string_view, std::uint8_t> numbers_;
};

Result<Removals> removals(const Decisions& decisions) {
  Removals all;
  MeasureNames names;
  const auto add = [&](std::uint32_t text, std::string_view sentence) -> Result<void> {
    const auto reason = decisions.reason(text);
    all.positions.push_back(text);
    all.measures.push_back(names(reason->measure));
    all.scores.push_back(reason->score);
    all.losses.push_back(reason->loss.value_or(std::numeric_limits<double>::quiet_NaN()));
    all.reasons.emplace_back(sentence);
    all.relations.push_back(reason->relation);
    return {};
  };
  if (auto read = decisions.for_each_removal(add); !read) return tl::unexpected(std::move(read.error()));
  all.names = std::move(names.all);
  return all;
}

struct Pairs {
  std::vector<SimilarTexts> texts;
  std::vector<std::uint8_t> measures;  // numbers of names
  std::vector<double> scores;
  std::vector<std::string> names;
};

Result<Pairs> pairs(const Decisions& decisions) {
  Pairs all;
  MeasureNames names;
  const auto add = [&](const VerifiedTexts& pair) -> Result<void> {
    all.texts.push_back(pair);
    all.measures.push_back(names(pair.measure));
    all.scores.push_back(pair.score);
    return {};
  };
  if (auto read = decisions.for_each_pair(add); !read) return tl::unexpected(std::move(read.error()));
  all.names = std::move(names.all);
  return all;
}

Decided deduplicate_texts(const std::shared_ptr<Session>& session, const Texts& texts,
                          const DedupSettings& settings) {
  return {session, std::make_shared<Decisions>(
                       session->run([&] { return deduplicate(session->context(), texts.views, settings); }))};
}

Decided rethresholded(const Decided& of, const std::string& measure, double threshold) {
  return {of.session, std::make_shared<Decisions>(
                          of.session->run([&] { return of.decisions->rethreshold(measure, threshold); }))};
}

/// Writes the page that the command writes, from files with the same texts.
void write_report(const std::shared_ptr<Session>& session, const std::vector<std::string>& paths,
                  const std::vector<std::string>& references, const DedupSettings& settings,
                  const std::string& rank_field, const std::string& vectors, const std::string& to,
                  bool force) {
  DedupJob job{.input = {.paths = paths, .reference_paths = references, .kind = "jsonl"},
               .settings = settings,
               .outputs = {.report = to, .force = force},
               .vectors = vectors};
  job.settings.vectors = {};  // the file contains them
  const TextGroups groups =
      std::exchange(job.settings.groups, {});  // and the numbers of these, by their names
  if (!groups.within.empty()) job.within = "within";
  if (!groups.across.empty()) job.across = "across";
  if (!groups.keep_each.empty()) job.keep_each = "keep_each";
  if (settings.keep.by == Keep::ranked) {
    job.settings.keep.by = Keep::max;
    job.settings.keep.field = rank_field;
  }
  static_cast<void>(session->run([&] { return dedup_files(session->context(), job); }));
}

/// Takes texts in batches, which the library copies.
class Batches {
 public:
  Batches(std::shared_ptr<Session> session, const DedupSettings& settings)
      : session_(std::move(session)),
        settings_(settings),
        deduplicator_(take(Deduplicator::open(session_->context(), settings))) {}

  void add_references(const Texts& texts) {
    session_->run([&] { return deduplicator_.add_references(texts.views); });
  }
  /// Returns their ids.
  std::vector<std::string> add_reference_index(const std::string& place) {
    std::vector<std::string> all;
    const auto add = [&](std::span<const std::string> ids, std::span<const std::string_view> texts) {
      all.insert(all.end(), ids.begin(), ids.end());
      return deduplicator_.add_references(texts);
    };
    session_->run([&] { return read_reference_index(session_->context(), place, settings_, add); });
    return all;
  }
  void add(const Texts& texts, const std::optional<InputArray<std::uint64_t>>& ranks) {
    std::span<const std::uint64_t> given;
    if (ranks) given = {ranks->data(), ranks->size()};
    session_->run([&] { return deduplicator_.add(texts.views, given); });
  }
  [[nodiscard]] nb::str text(std::uint32_t position) {
    const std::string found = take(deduplicator_.text(position));
    return nb::str(found.data(), found.size());
  }
  [[nodiscard]] std::uint64_t size() const { return deduplicator_.size(); }
  Decided finish() {
    decisions_ = std::make_shared<Decisions>(session_->run([&] { return deduplicator_.finish(); }));
    return {session_, decisions_};
  }

 private:
  std::shared_ptr<Session> session_;
  const DedupSettings settings_;
  std::shared_ptr<const Decisions> decisions_;  // they own the work folder from which texts are read
  Deduplicator deduplicator_;
};

/// An index of the kept rows.
class IndexOfKept {
 public:
  IndexOfKept(std::shared_ptr<Session> session, const std::string& place, const DedupSettings& settings)
      : session_(std::move(session)), index_(session_->run([&] {
          return KeptIndex::begin(session_->context(), place, folding_of(settings));
        })) {}

  std::uint64_t add(const Texts& ids, const Texts& texts) {
    const std::vector<std::string> names(ids.views.begin(), ids.views.end());
    return session_->run([&] { return index_.add(names, texts.views); });
  }
  void finish() {
    session_->run([&] { return index_.finish(); });
  }

 private:
  std::shared_ptr<Session> session_;
  KeptIndex index_;
};

using Groups = std::optional<InputArray<std::uint32_t>>;

std::span<const std::uint32_t> numbers(const Groups& groups) {
  return groups ? std::span(groups->data(), groups->size()) : std::span<const std::uint32_t>();
}

}  // namespace

void bind_dedup(nb::module_& module) {
  nb::class_<DedupSettings>(module, "DedupSettings", "How texts are compared and which ones stay.")
      .def(
          "__init__",
          [](DedupSettings* made, const std::vector<std::pair<std::string, std::vector<std::string>>>& given,
             const Dictionaries& dictionaries, bool ranked) {
            DedupSettings settings;
            for (const auto& [name, values] : given) take(set(settings, name, values));
            settings.dictionaries = dictionaries;
            if (ranked) settings.keep = Keep::ranked;
            new (made) DedupSettings(std::move(settings));
          },
          nb::arg("given"), nb::arg("dictionaries"), nb::arg("ranked"),
          "Of settings by their names, each with its values as texts.")
      .def(
          "set_vectors",
          [](DedupSettings& settings, const VectorArray& vectors) {
            settings.vectors = text_vectors(vectors);
          },
          nb::arg("vectors"), nb::keep_alive<1, 2>(),
          nb::sig("def set_vectors(self, vectors: NDArray[numpy.generic]) -> None"),
          "Takes one row for each text, references first; the array lives as long as the settings.")
      .def(
          "set_groups",
          [](DedupSettings& settings, const Groups& within, const Groups& across, const Groups& keep_each) {
            settings.groups = {numbers(within), numbers(across), numbers(keep_each)};
          },
          nb::arg("within").none(), nb::arg("across").none(), nb::arg("keep_each").none(),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          nb::sig(
              "def set_groups(self, within: NDArray[numpy.uint32] | None, across: NDArray[numpy.uint32] | "
              "None, keep_each: NDArray[numpy.uint32] | None) -> None"),
          "Takes a number for the value of each text, references first; the arrays live as long as the "
          "settings.");

  module.def(
      "settings",
      [] {
        std::vector<std::tuple<std::string, std::string, std::string, std::string>> all;
        const auto add = [&](const Setting& setting, const SettingValue& value) {
          std::string words;
          for (const std::string& word : words_of(setting)) words += (words.empty() ? "" : "|") + word;
          all.emplace_back(setting.name, words, text_of(setting, value), setting.help);
        };
        DedupJob job;
        each_setting(job, add);
        ContextSettings context;
        each_setting(context, add);
        return all;
      },
      "The settings of a run: the name, the words to choose from, the default and the purpose of each.");

  nb::class_<Decided>(module, "Decisions", "What was decided; positions are those of the texts.")
      .def("__len__", [](const Decided& of) { return of.decisions->size(); })
      .def_prop_ro(
          "kept",
          [](const Decided& of) {
            const auto kept = of.decisions->kept();
            return Array<const std::uint32_t>(kept.data(), {kept.size()}, nb::find(&of));
          },
          "For every text the one that is kept in its place.")
      .def(
          "removals",
          [](const Decided& of) {
            Removals all = of.session->run([&] { return removals(*of.decisions); });
            return std::tuple(to_array(std::move(all.positions)), to_array(std::move(all.measures)),
                              to_array(std::move(all.scores)), std::move(all.reasons), std::move(all.names),
                              to_array(std::move(all.losses)), std::move(all.relations));
          },
          "Positions of the texts that leave, the numbers of the measures that say why, their values, the "
          "reasons in words, the names of the measures, what the kept texts lack, and the relations.")
      .def_prop_ro(
          "relatives", [](const Decided& of) { return of.decisions->relatives(); },
          "Texts that stay, though similar to one that does, for what would be lost of them.")
      .def(
          "pairs",
          [](const Decided& of) {
            Pairs all = of.session->run([&] { return pairs(*of.decisions); });
            return std::tuple(to_bytes(std::move(all.texts)), to_array(std::move(all.measures)),
                              to_array(std::move(all.scores)), std::move(all.names));
          },
          "All verified pairs, 24 bytes each, the numbers of the measures that decided, their values, and "
          "the names of the measures.")
      .def(
          "near_misses",
          [](const Decided& of) {
            std::vector<std::tuple<std::uint32_t, std::uint32_t, double, double, double, double, double,
                                   double, std::uint32_t, std::string>>
                all;
            for (const NearMiss& miss : of.decisions->near_misses())
              all.emplace_back(miss.texts.a, miss.texts.b, miss.texts.jaccard, miss.texts.containment,
                               miss.closeness, miss.own_jaccard, miss.own_containment, miss.template_share,
                               miss.families, miss.reason);
            return all;
          },
          "The refused pairs that came nearest to the rule: the members of NearMiss, in their order.")
      .def(
          "recall",
          [](const Decided& of) {
            const RecallEstimate recall = of.decisions->recall();
            return std::tuple(recall.sampled, recall.pairs, recall.found, recall.linked, recall.both_stay,
                              recall.all_sampled, recall.low, recall.high);
          },
          "The members of RecallEstimate, in their order.")
      .def("rethreshold", &rethresholded, nb::arg("measure"), nb::arg("threshold"),
           "Decides anew by the pairs that reach the threshold.")
      .def(
          "vectors",
          [](const Decided& of) {
            const VectorCounts counts = of.decisions->vectors();
            return std::tuple(counts.compared, counts.unusable, counts.first_unusable, counts.why,
                              counts.pairs, counts.limited);
          },
          "The members of VectorCounts, in their order, but the last.")
      .def(
          "vector_recall",
          [](const Decided& of) {
            const VectorRecall recall = of.decisions->vectors().recall;
            return std::tuple(recall.sampled, recall.pairs, recall.found, recall.low, recall.high);
          },
          "The members of VectorRecall, in their order.")
      .def(
          "stage_seconds",
          [](const Decided& of) {
            const auto seconds = of.decisions->stage_seconds();
            return std::vector<std::pair<std::string, double>>(seconds.begin(), seconds.end());
          },
          "Seconds by stage.");

  module.def("deduplicate", &deduplicate_texts, nb::arg("session"), nb::arg("texts"), nb::arg("settings"),
             "Decides on texts in memory, which are not copied.");

  module.def("write_report", &write_report, nb::arg("session"), nb::arg("paths"), nb::arg("references"),
             nb::arg("settings"), nb::arg("rank_field"), nb::arg("vectors"), nb::arg("to"), nb::arg("force"));

  nb::class_<Batches>(module, "Deduplicator", "Takes texts in batches, more of them than memory holds.")
      .def(nb::init<std::shared_ptr<Session>, const DedupSettings&>(), nb::arg("session"),
           nb::arg("settings"))
      .def("add_references", &Batches::add_references, nb::arg("texts"))
      .def("add_reference_index", &Batches::add_reference_index, nb::arg("place"),
           "Takes the texts of an index in a folder as references; their ids.")
      .def("add", &Batches::add, nb::arg("texts"), nb::arg("ranks").none())
      .def("text", &Batches::text, nb::arg("position"))
      .def("__len__", &Batches::size)
      .def("finish", &Batches::finish);

  nb::class_<IndexOfKept>(module, "IndexOfKept", "A new index of kept texts, which appears when it is whole.")
      .def(nb::init<std::shared_ptr<Session>, const std::string&, const DedupSettings&>(), nb::arg("session"),
           nb::arg("place"), nb::arg("settings"))
      .def("add", &IndexOfKept::add, nb::arg("ids"), nb::arg("texts"), "How many are in the index then.")
      .def("finish", &IndexOfKept::finish);
}

}  // namespace leitong::python
