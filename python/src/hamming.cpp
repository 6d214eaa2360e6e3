#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <leitong/hamming.hpp>
#include <memory>
#include <optional>
#include <span>

#include "arrays.hpp"
#include "bindings.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

using namespace hamming;

// leitong.hamming views the bytes of pairs and hits by these offsets.
static_assert(sizeof(RowPair) == 24 && offsetof(RowPair, b) == 8 && offsetof(RowPair, distance) == 16);
static_assert(sizeof(Hit<Fingerprint64>) == 24 && offsetof(Hit<Fingerprint64>, query) == 16 &&
              offsetof(Hit<Fingerprint64>, distance) == 20);
static_assert(sizeof(Hit<Fingerprint128>) == 32 && offsetof(Hit<Fingerprint128>, id) == 16 &&
              offsetof(Hit<Fingerprint128>, query) == 24 && offsetof(Hit<Fingerprint128>, distance) == 28);

using Words = InputArray<std::uint64_t>;

/// Fingerprints as their words, the low one first: a fingerprint of 128 bits is two of them.
template <Fingerprint F>
std::span<const F> fingerprints_of(const Words& words) {
  if (words.size() % kWords<F> != 0)
    refuse(ErrorCode::invalid_argument, "fingerprints of 128 bits are two words each");
  return {reinterpret_cast<const F*>(words.data()), words.size() / kWords<F>};
}

template <Fingerprint F>
Array<std::uint8_t> joined(const std::shared_ptr<Session>& session, const Words& left,
                           const std::optional<Words>& right, unsigned distance) {
  return to_bytes(session->run([&]() -> Result<std::vector<RowPair>> {
    std::vector<RowPair> pairs;
    const RowPairsFn collect = [&](std::span<const RowPair> some) -> Result<void> {
      pairs.insert(pairs.end(), some.begin(), some.end());
      return {};
    };
    const JoinSettings settings{distance};
    const auto fingerprints = fingerprints_of<F>(left);
    const Result<void> done =
        right ? join<F>(session->context(), fingerprints, fingerprints_of<F>(*right), settings, collect)
              : join<F>(session->context(), fingerprints, settings, collect);
    if (!done) return fail(done.error().code, done.error().message);
    return pairs;
  }));
}

template <Fingerprint F>
Array<std::uint32_t> united(const std::shared_ptr<Session>& session, const Words& words, unsigned distance) {
  return to_array(session->run(
      [&] { return components<F>(session->context(), fingerprints_of<F>(words), JoinSettings{distance}); }));
}

/// An index with its context.
template <Fingerprint F>
class BoundIndex {
 public:
  BoundIndex(std::shared_ptr<Session> session, unsigned distance, const std::string& folder,
             const std::optional<std::string>& scheme)
      : session_(std::move(session)), index_(open(*session_, distance, folder, scheme)) {}

  [[nodiscard]] std::optional<std::string> scheme() const {
    if (!index_.scheme()) return std::nullopt;
    return scheme_text(*index_.scheme());
  }
  void insert(const Words& ids, const Words& words) {
    const auto rows = rows_of(ids, words);
    session_->run([&] { return index_.insert(rows); });
  }
  void remove(const Words& ids, const Words& words) {
    const auto rows = rows_of(ids, words);
    session_->run([&] { return index_.remove(rows); });
  }
  void flush() {
    session_->run([&] { return index_.flush(); });
  }
  void merge() {
    session_->run([&] { return index_.merge(); });
  }
  Array<std::uint8_t> search(const Words& words, unsigned most, HitRule rule) {
    // Up to so many queries are answered by the calling thread, which takes less time than starting another
    // one.
    constexpr std::size_t kFewQueries = 256;
    const auto queries = fingerprints_of<F>(words);
    const auto work = [&] { return index_.search(queries, most, rule); };
    if (queries.size() > kFewQueries) return to_bytes(session_->run(work));
    return to_bytes(session_->run_here(work));
  }

 private:
  static Index<F> open(Session& session, unsigned distance, const std::string& folder,
                       const std::optional<std::string>& scheme) {
    IndexSettings settings{.distance = distance, .folder = folder};
    if (scheme) settings.scheme = take(parse_scheme(*scheme));
    return session.run([&] { return Index<F>::open(session.context(), settings); });
  }
  static std::vector<Row<F>> rows_of(const Words& ids, const Words& words) {
    const auto fingerprints = fingerprints_of<F>(words);
    if (ids.size() != fingerprints.size())
      refuse(ErrorCode::invalid_argument, std::to_string(ids.size()) + " ids for " +
                                              std::to_string(fingerprints.size()) +
                                              " fingerprints; give one for each");
    std::vector<Row<F>> rows(ids.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {fingerprints[i], ids.data()[i]};
    return rows;
  }

  std::shared_ptr<Session> session_;
  Index<F> index_;
};

template <Fingerprint F>
void bind_size(nb::module_& module, const char* join_name, const char* components_name,
               const char* index_name) {
  module.def(join_name, &joined<F>, nb::arg("session"), nb::arg("left"), nb::arg("right").none(),
             nb::arg("distance"));
  module.def(components_name, &united<F>, nb::arg("session"), nb::arg("words"), nb::arg("distance"));
  using Bound = BoundIndex<F>;
  nb::class_<Bound>(module, index_name)
      .def(nb::init<std::shared_ptr<Session>, unsigned, const std::string&,
                    const std::optional<std::string>&>(),
           nb::arg("session"), nb::arg("distance"), nb::arg("folder"), nb::arg("scheme").none())
      .def_prop_ro("scheme", &Bound::scheme)
      .def("insert", &Bound::insert, nb::arg("ids"), nb::arg("words"))
      .def("remove", &Bound::remove, nb::arg("ids"), nb::arg("words"))
      .def("flush", &Bound::flush)
      .def("merge", &Bound::merge)
      .def("search", &Bound::search, nb::arg("words"), nb::arg("most"), nb::arg("rule"));
}

}  // namespace

void bind_hamming(nb::module_& module) {
  nb::enum_<HitRule>(module, "HitRule", "Which of the rows within the distance a search gives.")
      .value("all", HitRule::all)
      .value("nearest", HitRule::nearest)
      .value("any", HitRule::any);
  bind_size<Fingerprint64>(module, "join64", "components64", "Index64");
  bind_size<Fingerprint128>(module, "join128", "components128", "Index128");
}

}  // namespace leitong::python
