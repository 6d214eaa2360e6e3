#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <leitong/distributed.hpp>
#include <memory>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "failure.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

namespace ld = leitong::distributed;

// leitong.spark._rows has the same layouts.
static_assert(sizeof(ld::TextWeight) == 12 && sizeof(ld::KeyTally) == 32 && sizeof(ld::PairEvidence) == 60 &&
              sizeof(ld::PairToCompare) == 16 && sizeof(ld::ComparedPair) == 24 &&
              sizeof(ld::ShingleOfText) == 16 && sizeof(ld::KeyOfText) == 24 && sizeof(ld::TextKeys) == 24 &&
              sizeof(ld::TextWorth) == 24 && sizeof(ld::LikelyPair) == 24 && sizeof(ld::TallyOfText) == 72 &&
              sizeof(ld::KeysOfPair) == 48 && sizeof(ld::HeldShingle) == 12);

using Bytes = InputArray<std::uint8_t>;

/// Structs that Python holds in a structured array of the same layout.
template <class Struct>
std::span<const Struct> structs(const Bytes& bytes) {
  if (bytes.size() % sizeof(Struct) != 0 ||
      reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Struct) != 0)
    refuse(ErrorCode::invalid_argument, "an array of structs has another layout");
  return {reinterpret_cast<const Struct*>(bytes.data()), bytes.size() / sizeof(Struct)};
}

template <class T>
std::span<const T> values(const InputArray<T>& array) {
  return {array.data(), array.size()};
}

/// Calls `work`, which must not touch Python, without the interpreter's lock.
template <class Work>
auto without_lock(const Work& work) {
  auto result = [&] {
    const nb::gil_scoped_release others_may_run;
    return work();
  }();
  return take(std::move(result));
}

template <class Value>
auto packets(ld::Packets<Value> of) {
  return std::tuple(to_array(std::move(of.values)), to_array(std::move(of.texts)),
                    to_array(std::move(of.counts)), to_array(std::move(of.ranges)),
                    to_array(std::move(of.text_offsets)), to_array(std::move(of.value_offsets)));
}

auto sketch(const ld::Steps& steps, Session& session, const Texts& texts, unsigned key_bits) {
  ld::Sketches made = session.run([&] { return steps.sketch(session.context(), texts.views, key_bits); });
  return std::tuple(to_array(std::move(made.content)), to_array(std::move(made.check)),
                    to_array(std::move(made.units)), to_array(std::move(made.short_keys)),
                    to_array(std::move(made.sets)), to_array(std::move(made.keys.values)),
                    to_array(std::move(made.keys.offsets)));
}

auto variants(const ld::Steps& steps, Session& session, const Texts& texts) {
  ld::Variants made = session.run([&] { return steps.variants(session.context(), texts.views); });
  return std::tuple(to_array(std::move(made.form)), to_array(std::move(made.signs)));
}

auto judge_range(const ld::Steps& steps, const Bytes& pairs, const std::vector<Bytes>& worth) {
  std::vector<std::span<const ld::TextWorth>> parts;
  for (const Bytes& part : worth) parts.push_back(structs<ld::TextWorth>(part));
  const auto of = structs<ld::KeysOfPair>(pairs);
  return to_bytes(without_lock([&] { return steps.judge_range(of, parts); }));
}

auto compare(const ld::Steps& steps, Session& session, const Texts& texts, const Bytes& pairs) {
  const auto of = structs<ld::PairToCompare>(pairs);
  return to_bytes(session.run([&] { return steps.compare(session.context(), texts.views, of); }));
}

auto link(const ld::Steps& steps, Session& session, const InputArray<std::uint64_t>& content,
          const Bytes& pairs, const InputArray<std::uint32_t>& common, const Texts& texts,
          const Bytes& weights, const InputArray<std::uint64_t>& hot_keys,
          const InputArray<std::uint32_t>& holders) {
  const ld::Linking of{.content = values(content),
                       .pairs = structs<ld::ComparedPair>(pairs),
                       .common = values(common),
                       .texts = texts.views,
                       .weights = structs<ld::TextWeight>(weights),
                       .hot_keys = values(hot_keys),
                       .holders = values(holders)};
  ld::Linked made = session.run([&] { return steps.link(session.context(), of); });
  return std::tuple(to_bytes(std::move(made.pairs)), to_array(std::move(made.component)),
                    to_array(std::move(made.family)));
}

auto complete(const ld::Steps& steps, Session& session, const Texts& texts,
              const InputArray<std::uint8_t>& common, const InputArray<std::uint32_t>& family,
              const Bytes& pairs) {
  const ld::Components part{.texts = texts.views,
                            .common = values(common),
                            .pairs = structs<ld::ComparedPair>(pairs),
                            .family = values(family)};
  return to_bytes(session.run([&] { return steps.complete(session.context(), part); }));
}

auto settle(const ld::Steps& steps, Session& session, const Texts& texts,
            const InputArray<std::uint8_t>& common, const InputArray<std::uint32_t>& rank,
            const InputArray<std::uint8_t>& in_question, const Bytes& shingles, const Bytes& pairs,
            std::uint64_t corpus, bool every_round) {
  const ld::Components part{.texts = texts.views,
                            .common = values(common),
                            .pairs = structs<ld::ComparedPair>(pairs),
                            .rank = values(rank),
                            .in_question = values(in_question),
                            .shingles = structs<ld::ShingleOfText>(shingles),
                            .corpus = corpus,
                            .every_round = every_round};
  ld::Settled made = session.run([&] { return steps.settle(session.context(), part); });
  return std::tuple(to_array(std::move(made.grew)), to_array(std::move(made.kept)),
                    to_array(std::move(made.measures)), to_array(std::move(made.scores)),
                    to_bytes(std::move(made.pairs)));
}

auto decide(const ld::Steps& steps, Session& session, const Texts& texts,
            const std::optional<InputArray<std::uint64_t>>& ranks, const std::optional<VectorArray>& vectors,
            double cosine) {
  const auto by = ranks ? values(*ranks) : std::span<const std::uint64_t>();
  const TextVectors rows = vectors ? text_vectors(*vectors) : TextVectors();
  ld::Decided made =
      session.run([&] { return steps.decide(session.context(), texts.views, by, rows, cosine); });
  return std::tuple(to_array(std::move(made.kept)), to_array(std::move(made.measures)),
                    to_array(std::move(made.scores)), to_bytes(std::move(made.pairs)));
}

void add_to_filter(const ld::Steps& steps, Session& session, const Texts& texts,
                   nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> filter) {
  session.run([&] {
    return ld::add_to_filter(session.context(), texts.views, {filter.data(), filter.size()}, steps.folding());
  });
}

auto wanted_shingles(const ld::Steps& steps, Session& session, const Texts& texts, const Bytes& filter,
                     std::uint32_t ranges, std::size_t most) {
  ld::WantedShingles made = session.run([&] {
    return ld::wanted_shingles(session.context(), texts.views, values(filter), ranges, most, steps.folding());
  });
  return std::tuple(to_array(std::move(made.content)), packets(std::move(made.shingles)));
}

auto bare_texts(const ld::Steps& steps, Session& session, const Texts& texts,
                const InputArray<std::uint32_t>& templates, const InputArray<std::int64_t>& offsets,
                std::uint64_t corpus) {
  Lists<std::uint32_t> lists;
  lists.values.assign(templates.data(), templates.data() + templates.size());
  lists.offsets.assign(offsets.data(), offsets.data() + offsets.size());
  return to_array(session.run(
      [&] { return ld::bare_texts(session.context(), texts.views, lists, corpus, steps.folding()); }));
}

auto pack_keys(const InputArray<std::uint64_t>& keys, const InputArray<std::int64_t>& offsets,
               unsigned key_bits, std::uint32_t ranges, std::size_t most) {
  return packets(ld::pack_keys(values(keys), values(offsets), key_bits, ranges, most));
}

/// RangeJoin, and the session that it works in.
class KeyJoin {
 public:
  KeyJoin(std::shared_ptr<Session> session, std::size_t most)
      : session_(std::move(session)), join_(session_->context(), most) {}

  void add(const InputArray<std::int64_t>& texts, const InputArray<bool>& is_long,
           const InputArray<std::uint32_t>& counts, const Bytes& keys, unsigned key_bits, unsigned tier) {
    session_->run_here([&] {
      return join_.add({.texts = values(texts),
                        .is_long = {reinterpret_cast<const std::uint8_t*>(is_long.data()), is_long.size()},
                        .counts = values(counts),
                        .keys = values(keys),
                        .key_bits = key_bits,
                        .tier = tier});
    });
  }

  auto next() {
    ld::JoinedKeys made = session_->run([&] { return join_.next(); });
    return std::tuple(to_bytes(std::move(made.tallies)), to_bytes(std::move(made.pairs)),
                      to_bytes(std::move(made.hot)));
  }

 private:
  std::shared_ptr<Session> session_;
  ld::RangeJoin join_;
};

using Longs = InputArray<std::int64_t>;
using Numbers = InputArray<std::uint32_t>;

auto shingle_holders(const Longs& texts, const Numbers& counts, const Numbers& shingles,
                     std::uint32_t least) {
  ld::Holders made = without_lock([&] {
    return ld::shingle_holders({values(texts), values(counts), values(shingles)}, least);
  });
  return std::tuple(to_array(std::move(made.shingles)), to_array(std::move(made.texts)));
}

auto count_range(const Longs& texts, const Numbers& counts, const Numbers& shingles, const Longs& known,
                 const Longs& families, const Bytes& flags) {
  ld::CountedShingles made = without_lock([&] {
    return ld::count_range({values(texts), values(counts), values(shingles)},
                           {values(known), values(families), values(flags)});
  });
  return std::tuple(to_bytes(std::move(made.held)), to_array(std::move(made.members)),
                    to_bytes(std::move(made.marks)));
}

auto mark_range(const Bytes& held, const Numbers& members, const Longs& known, const Longs& families,
                const Bytes& flags) {
  return to_bytes(without_lock([&] {
    return ld::mark_range(structs<ld::HeldShingle>(held), values(members),
                          {values(known), values(families), values(flags)});
  }));
}

auto are_templates(const InputArray<std::uint64_t>& families, const InputArray<std::uint64_t>& texts) {
  if (families.size() != texts.size())
    refuse(ErrorCode::invalid_argument, "families and texts are one number for each shingle");
  std::vector<std::uint8_t> flags(families.size());
  for (std::size_t i = 0; i < flags.size(); ++i)
    flags[i] = ld::is_template(families.data()[i], texts.data()[i]);
  return to_array(std::move(flags));
}

}  // namespace

void bind_distributed(nb::module_& module) {
  nb::class_<ld::Steps>(module, "Steps", "The decisions of a run that is spread over many machines.")
      .def_static(
          "open",
          [](const DedupSettings& settings) {
            return std::make_shared<ld::Steps>(take(ld::Steps::open(settings)));
          },
          nb::arg("settings"))
      .def_prop_ro("looks_for_templates", &ld::Steps::looks_for_templates)
      .def(
          "scheme",
          [](const ld::Steps& steps, const Session& session) {
            return scheme_text(take(steps.scheme(session.context())));
          },
          nb::arg("session"), "The whole id of the scheme that makes the keys.")
      .def("sketch", &sketch, nb::arg("session"), nb::arg("texts"), nb::arg("key_bits"),
           "Content, check, units, keys of tier 0, sets, and the keys with where each text's begin.")
      .def("variants", &variants, nb::arg("session"), nb::arg("texts"), "Form and signs.")
      .def(
          "judge",
          [](const ld::Steps& steps, const Bytes& pairs) {
            return to_bytes(steps.judge(structs<ld::PairEvidence>(pairs)));
          },
          nb::arg("pairs"))
      .def(
          "weigh_range",
          [](const ld::Steps& steps, const Bytes& tallies, const Bytes& texts) {
            return to_bytes(
                take(steps.weigh_range(structs<ld::TallyOfText>(tallies), structs<ld::TextKeys>(texts))));
          },
          nb::arg("tallies"), nb::arg("texts"))
      .def("judge_range", &judge_range, nb::arg("pairs"), nb::arg("worth"))
      .def("compare", &compare, nb::arg("session"), nb::arg("texts"), nb::arg("pairs"))
      .def("link", &link, nb::arg("session"), nb::arg("content"), nb::arg("pairs"), nb::arg("common"),
           nb::arg("texts"), nb::arg("weights"), nb::arg("hot_keys"), nb::arg("holders"),
           "All pairs, and the component and the family of each text.")
      .def("complete", &complete, nb::arg("session"), nb::arg("texts"), nb::arg("common"), nb::arg("family"),
           nb::arg("pairs"))
      .def("settle", &settle, nb::arg("session"), nb::arg("texts"), nb::arg("common"), nb::arg("rank"),
           nb::arg("in_question"), nb::arg("shingles"), nb::arg("pairs"), nb::arg("corpus"),
           nb::arg("every_round"),
           "Whether each round grew; kept, measures and scores of each text; all pairs.")
      .def("decide", &decide, nb::arg("session"), nb::arg("texts"), nb::arg("ranks").none(),
           nb::arg("vectors").none(), nb::arg("cosine"),
           nb::sig("def decide(self, session: Session, texts: Texts, ranks: NDArray[numpy.uint64] | None, "
                   "vectors: NDArray[numpy.generic] | None, cosine: float) -> tuple[NDArray[numpy.uint32], "
                   "NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.uint8]]"),
           "A whole corpus: kept, measures and scores of each text; all pairs.")
      .def("add_to_filter", &add_to_filter, nb::arg("session"), nb::arg("texts"), nb::arg("filter"))
      .def("wanted_shingles", &wanted_shingles, nb::arg("session"), nb::arg("texts"), nb::arg("filter"),
           nb::arg("ranges"), nb::arg("most"),
           "The content of each text; shingles in packets, the positions of their texts, how many each has, "
           "the ranges of "
           "packets, where their texts and their shingles begin.")
      .def("bare_texts", &bare_texts, nb::arg("session"), nb::arg("texts"), nb::arg("templates"),
           nb::arg("offsets"), nb::arg("corpus"));
  nb::class_<KeyJoin>(module, "RangeJoin", "Adds up what the keys of one range say of texts and pairs.")
      .def(nb::init<std::shared_ptr<Session>, std::size_t>(), nb::arg("session"), nb::arg("most"))
      .def("add", &KeyJoin::add, nb::arg("texts"), nb::arg("is_long"), nb::arg("counts"), nb::arg("keys"),
           nb::arg("key_bits"), nb::arg("tier"))
      .def("next", &KeyJoin::next, "Tallies of texts, keys of pairs, hot keys; without tallies at the end.");
  module.def("pack_keys", &pack_keys, nb::arg("keys"), nb::arg("offsets"), nb::arg("key_bits"),
             nb::arg("ranges"), nb::arg("most"), "Packets of bytes: see Steps.wanted_shingles().");
  module.def(
      "sum_pairs", [](const Bytes& pairs) { return to_bytes(ld::sum_pairs(structs<ld::KeysOfPair>(pairs))); },
      nb::arg("pairs"));
  module.def("shingle_holders", &shingle_holders, nb::arg("texts"), nb::arg("counts"), nb::arg("shingles"),
             nb::arg("least"), "Shingles, and the texts that hold them.");
  module.def("count_range", &count_range, nb::arg("texts"), nb::arg("counts"), nb::arg("shingles"),
             nb::arg("known"), nb::arg("families"), nb::arg("flags"),
             "Held shingles, the positions of their members in `known`, marks.");
  module.def("mark_range", &mark_range, nb::arg("held"), nb::arg("members"), nb::arg("known"),
             nb::arg("families"), nb::arg("flags"), "Marks.");
  module.def("are_templates", &are_templates, nb::arg("families"), nb::arg("texts"));
  module.def("leader_salt", &ld::leader_salt, nb::arg("round"));
  module.def("measure_names",
             [] { return std::vector<std::string>(ld::measure_names().begin(), ld::measure_names().end()); });
  module.attr("HOT_KEY") = ld::kHotKey;
  module.attr("LARGE_FAMILY") = ld::kLargeFamily;
  module.attr("LONG_TEXT") = ld::kLongText;
  module.attr("ROUNDS") = ld::kRounds;
  module.attr("FRAME_ROUNDS") = ld::kFrameRounds;
  module.attr("WORTHWHILE") = ld::kWorthwhile;
  module.attr("PART_ROUNDS") = ld::kPartRounds;
  module.attr("STRAY_ROUNDS") = ld::kStrayRounds;
  module.attr("RARE_JACCARD") = ld::kRareJaccard;
  module.attr("ASKED") = ld::kAsked;
  module.attr("WANTS_COMMON") = ld::kWantsCommon;
  module.attr("NO_FAMILY") = ld::kNoFamily;
  module.attr("COMMON_FAMILIES") = ld::kCommonFamilies;
  module.attr("TEMPLATE_FAMILIES") = ld::kTemplateFamilies;
}

}  // namespace leitong::python
