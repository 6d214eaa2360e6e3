#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <leitong/dictionaries.hpp>
#include <leitong/online.hpp>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "chosen_folding.hpp"
#include "session.hpp"
#include "texts.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

using online::Answer;

// Plain values, of which leitong._index makes named tuples.
using Moment = std::optional<online::Seconds>;
using MatchRow = std::tuple<std::string, std::string, double, std::optional<double>, std::optional<double>,
                            std::string, Moment, std::optional<unsigned>, std::optional<double>, bool>;
// The places in the two texts in characters, begin and end, and the units.
using PassageRow = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;
using PartRow = std::tuple<std::string, std::string, double, double, std::size_t, double, double, std::string,
                           Moment, std::vector<PassageRow>>;
using AnswerRow =
    std::tuple<std::string, std::optional<MatchRow>, std::vector<MatchRow>, std::uint32_t, bool, bool,
               std::uint32_t, bool, std::string, std::optional<std::uint64_t>, bool, std::vector<PartRow>>;
using StoredRow = std::tuple<std::string, std::string, std::string, std::optional<std::string>, std::string,
                             Moment, Moment>;
using ChangesRow = std::tuple<std::vector<std::tuple<bool, StoredRow>>, std::string, bool>;
using CommittedRow =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
using KeyRow = std::tuple<unsigned, unsigned, std::uint32_t, bool>;
using CandidateRow =
    std::tuple<std::string, std::optional<std::uint32_t>, std::optional<double>, std::optional<double>,
               std::string, std::optional<double>, std::optional<double>, std::optional<unsigned>>;
using ExplanationRow = std::tuple<AnswerRow, std::uint32_t, std::vector<KeyRow>, std::vector<CandidateRow>>;

/// If the distance of fingerprints decided, the texts were not compared.
MatchRow row_of(const online::Match& match) {
  const auto of_texts = [&](double value) { return match.distance ? std::nullopt : std::optional(value); };
  return MatchRow(match.id, match.measure, match.score, of_texts(match.jaccard), of_texts(match.containment),
                  match.source, match.time, match.distance, match.loss, match.covered);
}

CandidateRow row_of(const online::Explanation::Candidate& one) {
  if (one.distance) return {one.id, {}, {}, {}, std::string(one.fate), {}, {}, one.distance};
  return {one.id, one.units, one.rank, one.sketch, std::string(one.fate), one.jaccard, one.containment, {}};
}

PartRow row_of(const online::SharedPart& part) {
  std::vector<PassageRow> passages;
  for (const online::CopiedPassage& passage : part.passages)
    passages.emplace_back(passage.a.begin, passage.a.end, passage.b.begin, passage.b.end,
                          passage.bytes.units);
  return {part.id,    std::string(part.measure), part.score,  part.containment, part.units,
          part.share, part.share_of_source,      part.source, part.time,        std::move(passages)};
}

AnswerRow row_of(const Answer& answer) {
  std::optional<MatchRow> match;
  if (answer.match) match = row_of(*answer.match);
  std::vector<MatchRow> others;
  for (const online::Match& other : answer.others) others.push_back(row_of(other));
  std::vector<PartRow> parts;
  for (const online::SharedPart& part : answer.parts) parts.push_back(row_of(part));
  return {std::string(verdict_name(answer.verdict)),
          std::move(match),
          std::move(others),
          answer.bounds.candidates,
          answer.bounds.ids,
          answer.bounds.keys,
          answer.refused_as_template,
          answer.known,
          answer.reason,
          answer.version,
          answer.too_short,
          std::move(parts)};
}

StoredRow row_of(const online::Stored& stored) {
  return StoredRow(stored.id, stored.text, verdict_name(stored.verdict), stored.family, stored.source,
                   stored.time, stored.expires);
}

std::vector<AnswerRow> rows_of(const std::vector<Answer>& answers) {
  std::vector<AnswerRow> rows;
  rows.reserve(answers.size());
  for (const Answer& answer : answers) rows.push_back(row_of(answer));
  return rows;
}

/// An index with its context. Calls of any threads share it; close() waits for calls in progress.
class OnlineIndex {
 public:
  OnlineIndex(std::shared_ptr<Session> session, const std::string& place, bool create,
              online::Durability durability, std::uint32_t postings_in_memory, const std::string& scheme,
              const std::vector<std::string>& params, const Dictionaries& dictionaries, bool keep_texts,
              const std::string& marks, const std::string& numbers)
      : session_(std::move(session)), index_(std::make_shared<online::Index>(session_->run([&] {
          return online::Index::open(session_->context(), place,
                                     {.durability = durability,
                                      .create = create,
                                      .postings_in_memory = postings_in_memory,
                                      .scheme = scheme,
                                      .params = params,
                                      .dictionaries = dictionaries,
                                      .folding = chosen_folding(marks, numbers),
                                      .keep_texts = keep_texts});
        }))) {}
  OnlineIndex(const OnlineIndex&) = delete;
  OnlineIndex& operator=(const OnlineIndex&) = delete;
  ~OnlineIndex() { close(); }

  void close() {
    if (index_ == nullptr) return;
    std::shared_ptr<online::Index> last = std::move(index_);
    if (!session_->is_of_this_process()) {
      // Its threads, and the lock of its folder, belong to the other process.
      static_cast<void>(new std::shared_ptr<online::Index>(std::move(last)));
      return;
    }
    const nb::gil_scoped_release others_may_run;
    last.reset();
  }
  [[nodiscard]] bool is_closed() const { return index_ == nullptr; }

 private:
  [[nodiscard]] std::shared_ptr<online::Index> opened() const {
    if (index_ == nullptr) refuse(ErrorCode::invalid_argument, "the index is closed; open its folder again");
    return index_;
  }

  /// Calls work(index). A few short texts are answered by the calling thread, which takes less time than
  /// starting another one.
  template <class Work>
  auto on(const Texts& texts, Work work) {
    constexpr std::size_t kFewTexts = 16, kFewBytes = std::size_t{256} << 10;
    std::size_t bytes = 0;
    for (const std::string_view text : texts.views) bytes += text.size();
    const auto call = [&work, index = opened()] { return work(*index); };
    if (texts.views.size() <= kFewTexts && bytes <= kFewBytes) return session_->run_here(call);
    return session_->run(call);
  }

 public:
  std::vector<AnswerRow> check(const Texts& texts, std::uint32_t matches, std::vector<std::string> exclude,
                               const std::string& base, const std::string& source) {
    const online::Wanted wanted{.matches = matches, .exclude = std::move(exclude)};
    std::vector<online::Text> asked;
    asked.reserve(texts.views.size());
    for (const std::string_view text : texts.views)
      asked.push_back({.id = {}, .text = text, .source = source, .base = base});
    return rows_of(on(texts, [&](online::Index& index) { return index.check(asked, wanted); }));
  }
  std::vector<AnswerRow> check_and_add(const Texts& ids, const Texts& texts, const std::string& source,
                                       Moment time, Moment expires, online::ExpectedVersion expected,
                                       std::uint32_t matches) {
    const auto named = with_names(ids, texts, source, time, expires);
    return rows_of(on(texts, [&](online::Index& index) {
      return index.check_and_add(named, {.matches = matches}, expected);
    }));
  }
  std::vector<AnswerRow> add(const Texts& ids, const Texts& texts, const std::string& source, Moment time,
                             Moment expires, online::ExpectedVersion expected) {
    const auto named = with_names(ids, texts, source, time, expires);
    return rows_of(on(texts, [&](online::Index& index) { return index.add(named, expected); }));
  }
  bool remove(const std::string& id, online::ExpectedVersion expected) {
    return session_->run_here([&, index = opened()] { return index->remove(id, expected); });
  }
  ChangesRow changes(const std::string& since, std::uint32_t limit, bool texts) {
    const online::Changes found = session_->run(
        [&, index = opened()] { return index->changes(since, {.limit = limit, .texts = texts}); });
    std::vector<std::tuple<bool, StoredRow>> rows;
    for (const auto& change : found.changes) rows.emplace_back(change.removed, row_of(change.stored));
    return {std::move(rows), found.cursor, found.more};
  }
  std::optional<StoredRow> get(const std::string& id) {
    const auto found = session_->run_here([&, index = opened()] { return index->get(id); });
    if (!found) return std::nullopt;
    return row_of(*found);
  }
  bool begin(const std::string& source) {
    return session_->run_here([&, index = opened()] { return index->begin(source); });
  }
  CommittedRow commit(const std::string& source) {
    const auto of = session_->run([&, index = opened()] { return index->commit(source); });
    return {of.texts, of.fresh, of.near, of.exact, of.known, of.refused};
  }
  void rollback(const std::string& source) {
    session_->run([&, index = opened()] { return index->rollback(source); });
  }
  std::vector<std::string> open_sources() {
    return session_->run_here(
        [index = opened()]() -> Result<std::vector<std::string>> { return index->open_sources(); });
  }
  std::uint64_t remove_source(const std::string& source) {
    return session_->run([&, index = opened()] { return index->remove_source(source); });
  }
  std::uint64_t expire(online::Seconds before) {
    return session_->run([&, index = opened()] { return index->expire(before); });
  }
  void snapshot(const std::string& folder) {
    session_->run([&, index = opened()] { return index->snapshot(folder); });
  }
  void compact() {
    session_->run([index = opened()] { return index->compact(); });
  }
  ExplanationRow explain(const Texts& one) {
    const online::Explanation found =
        on(one, [&](online::Index& index) { return index.explain(one.views.at(0)); });
    std::vector<KeyRow> keys;
    for (const auto& key : found.keys) keys.emplace_back(key.tier, key.level, key.holders, key.full);
    std::vector<CandidateRow> candidates;
    for (const auto& one_of : found.candidates) candidates.push_back(row_of(one_of));
    return {row_of(found.answer), found.units, std::move(keys), std::move(candidates)};
  }
  void verify() {
    session_->run([index = opened()] { return index->verify(); });
  }
  std::vector<std::pair<std::string, std::uint64_t>> figures() {
    const online::Figures of = session_->run_here([index = opened()] { return index->figures(); });
    std::vector<std::pair<std::string, std::uint64_t>> known;
    const auto add = [&](const char* name, std::optional<std::uint64_t> value) {
      if (value) known.emplace_back(name, *value);
    };
    add("texts", of.texts);
    add("new", of.fresh);
    add("near", of.near);
    add("exact", of.exact);
    add("postings", of.postings);
    add("full_keys", of.full_keys);
    add("segments", of.segments);
    add("segment_bytes", of.segment_bytes);
    add("memory_bytes", of.memory_bytes);
    add("store_bytes", of.store_bytes);
    add("checks", of.checks);
    add("bounded_candidates", of.bounded_candidates);
    add("bounded_ids", of.bounded_ids);
    add("bounded_keys", of.bounded_keys);
    add("checked_twice", of.checked_twice);
    add("version", of.version);
    return known;
  }

 private:
  static std::vector<online::Text> with_names(const Texts& ids, const Texts& texts, std::string_view source,
                                              Moment time, Moment expires) {
    if (ids.views.size() != texts.views.size())
      refuse(ErrorCode::invalid_argument, std::to_string(ids.views.size()) + " ids for " +
                                              std::to_string(texts.views.size()) +
                                              " texts; give one for each");
    std::vector<online::Text> named;
    named.reserve(texts.views.size());
    for (std::size_t i = 0; i < texts.views.size(); ++i)
      named.push_back(
          {.id = ids.views[i], .text = texts.views[i], .source = source, .time = time, .expires = expires});
    return named;
  }

  std::shared_ptr<Session> session_;
  std::shared_ptr<online::Index> index_;
};

}  // namespace

void bind_online(nb::module_& module) {
  nb::enum_<online::Durability>(module, "Durability", "When an addition counts as done.")
      .value("sync", online::Durability::sync)
      .value("everysec", online::Durability::everysec)
      .value("none", online::Durability::none);
  nb::class_<OnlineIndex>(module, "OnlineIndex", "Texts that are compared with all that came before.")
      .def(nb::init<std::shared_ptr<Session>, const std::string&, bool, online::Durability, std::uint32_t,
                    const std::string&, const std::vector<std::string>&, const Dictionaries&, bool,
                    const std::string&, const std::string&>(),
           nb::arg("session"), nb::arg("place"), nb::arg("create"), nb::arg("durability"),
           nb::arg("postings_in_memory"), nb::arg("scheme"), nb::arg("params"), nb::arg("dictionaries"),
           nb::arg("keep_texts"), nb::arg("marks"), nb::arg("numbers"))
      .def("close", &OnlineIndex::close)
      .def_prop_ro("is_closed", &OnlineIndex::is_closed)
      .def("check", &OnlineIndex::check, nb::arg("texts"), nb::arg("matches"), nb::arg("exclude"),
           nb::arg("base"), nb::arg("source"))
      .def("check_and_add", &OnlineIndex::check_and_add, nb::arg("ids"), nb::arg("texts"), nb::arg("source"),
           nb::arg("time").none(), nb::arg("expires").none(), nb::arg("expected_version").none(),
           nb::arg("matches"))
      .def("add", &OnlineIndex::add, nb::arg("ids"), nb::arg("texts"), nb::arg("source"),
           nb::arg("time").none(), nb::arg("expires").none(), nb::arg("expected_version").none())
      .def("begin", &OnlineIndex::begin, nb::arg("source"))
      .def("commit", &OnlineIndex::commit, nb::arg("source"))
      .def("rollback", &OnlineIndex::rollback, nb::arg("source"))
      .def("open_sources", &OnlineIndex::open_sources)
      .def("remove_source", &OnlineIndex::remove_source, nb::arg("source"))
      .def("expire", &OnlineIndex::expire, nb::arg("before"))
      .def("snapshot", &OnlineIndex::snapshot, nb::arg("folder"))
      .def("compact", &OnlineIndex::compact)
      .def("remove", &OnlineIndex::remove, nb::arg("id"), nb::arg("expected_version").none())
      .def("changes", &OnlineIndex::changes, nb::arg("since"), nb::arg("limit"), nb::arg("texts"))
      .def("get", &OnlineIndex::get, nb::arg("id"))
      .def("explain", &OnlineIndex::explain, nb::arg("one"))
      .def("verify", &OnlineIndex::verify)
      .def("figures", &OnlineIndex::figures);
}

}  // namespace leitong::python
