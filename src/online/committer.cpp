#include "online/committer.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"

namespace leitong::online {

Result<void> expect(const View& view, ExpectedVersion expected) {
  if (!expected || *expected == view.version()) return {};
  return fail(ErrorCode::conflict, fmt::format("the index is of version {}, not of version {} any more; look "
                                               "again, and decide anew",
                                               view.version(), *expected));
}

Result<void> Committer::check_before_adding(const View& view, CheckScratch& scratch, CheckedText& text) {
  if (text.verdict == Verdict::refused) return {};
  text.state_version = core_.state.version;
  LEITONG_ASSIGN(text.known, core_.store->find(text.id));
  return text.known || !core_.scheme->checks_ahead() ? Result<void>{} : core_.check_one(view, scratch, text);
}

Result<std::vector<Answer>> Committer::add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                           ExpectedVersion expected) {
  LEITONG_TRY(check_wanted(*core_.scheme, wanted));
  const CheckedTexts::Lease lease(checked_);
  std::vector<CheckedText>& checked = *lease;
  checked.resize(texts.size());
  const auto prepare_one = [&](std::size_t i, CheckScratch& scratch) -> Result<void> {
    begin_check(texts[i], look, checked[i]);
    checked[i].matches_wanted = wanted.matches;
    core_.prepare(checked[i], true, scratch);
    return {};
  };
  const auto check_prepared = [&](std::size_t i, CheckScratch& scratch) {
    return check_before_adding({core_.state}, scratch, checked[i]);
  };
  Request request{{}, checked, expected};
  // No other thread changes the state meanwhile. The gate must not be taken here: a thread that holds it, and
  // waits for threads of the context, may be given this work.
  const auto serve_own = [&](Turn& turn) {
    serve(turn, &request, [&](std::size_t i, CheckScratch& scratch) -> Result<void> {
      LEITONG_TRY(prepare_one(i, scratch));
      return check_prepared(i, scratch);
    });
  };
  if (texts.size() >= IndexCore::kWorthSharing && !expected && turns_.serve_if_free(request, serve_own)) {
    LEITONG_TRY(std::move(request.result));
  } else {
    LEITONG_TRY(core_.for_each(texts.size(), prepare_one));
    {
      const auto reading = core_.gate.read();
      LEITONG_TRY(core_.for_each(texts.size(), check_prepared));
    }
    LEITONG_TRY(turns_.wait(request, [&](Turn& turn) { serve(turn, nullptr, {}); }));
  }
  if (wanted.passages) {
    const auto reading = core_.gate.read();
    LEITONG_TRY(core_.for_each(texts.size(), [&](std::size_t i, CheckScratch& scratch) {
      return core_.add_passages(checked[i], request.answers[i], scratch);
    }));
  }
  std::size_t bytes = 0;
  for (const Text& text : texts) bytes += text.text.size();
  if (bytes > kKeptBytes) checked = std::vector<CheckedText>();
  return std::move(request.answers);
}

void Committer::serve(Turn& turn, Request* own, const CheckFn& check) {
  turn.answer(work_out(turn, own, check));
  segments_.flush_if_due();  // the additions are durable already
}

Result<void> Committer::work_out(Turn& turn, Request* own, const CheckFn& check) {
  State& state = core_.state;
  Store& store = *core_.store;
  LEITONG_TRY(core_.check_in_step());
  Result<void> result = complete_();
  const ScratchPool::Lease scratch(core_.scratches);
  Delta delta;
  const auto begin = [&] {
    delta = Delta();
    delta.first = state.next();
    delta.counts = state.counts;
  };
  begin();
  const View view{state, &delta};
  Batch batch{*core_.scheme, view, store, *scratch, delta};
  if (own != nullptr && result) {
    own->result = add_as_checked(*own, check, batch);
    if (!own->result) begin();  // nothing of the request is added
  }
  for (Request* request : turn.take()) {
    if (!result) break;
    if (request == own) continue;
    // The index is not of the version that this request expects; the others continue.
    if (request->result = meets_expectation(*request, view); !request->result) continue;
    for (CheckedText& text : request->texts)
      if (result) result = add_one(*request, text, batch);
  }
  checked_twice_ += batch.checked_twice;
  if (!result || delta.texts.empty()) return result;
  if (store.is_bulk()) {
    LEITONG_TRY(store.append(delta));
    const auto writing = core_.gate.write();
    show(delta, {}, true);
    return {};
  }
  LEITONG_ASSIGN(Change change, store.change());
  change.put_texts(delta);
  return commit(change, delta, true);
}

Result<void> Committer::meets_expectation(Request& request, const View& view) {
  for (CheckedText& text : request.texts)
    if (text.verdict != Verdict::refused && text.state_version != core_.state.version) {
      // The text may have been added meanwhile.
      LEITONG_ASSIGN(text.known, core_.store->find(text.id));
    }
  const auto adds = [](const CheckedText& text) { return text.verdict != Verdict::refused && !text.known; };
  return std::ranges::any_of(request.texts, adds) ? expect(view, request.expected) : Result<void>{};
}

Result<void> Committer::add_one(Request& request, CheckedText& text, Batch& batch) {
  const State& state = core_.state;
  const bool as_it_was = !text.probes.keys.empty() && state.unchanged(text.probes.keys, text.state_version);
  LEITONG_ASSIGN(Answer answer, add_to_batch(batch, text, as_it_was));
  answer.version = batch.view.version();
  if (answer.verdict != Verdict::refused && !answer.known) checks_.count(text.bounds);
  request.answers.push_back(std::move(answer));
  return {};
}

Result<void> Committer::add_as_checked(Request& request, const CheckFn& check, Batch& batch) {
  return on_threads(core_.context, [&] {
    return parallel_in_order(
        StopToken(core_.context.state().stop), request.texts.size(),
        [&] { return ScratchPool::Lease(core_.scratches); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) { return check(i, *scratch); },
        [&](std::size_t i) { return add_one(request, request.texts[i], batch); });
  });
}

Result<std::vector<Answer>> Committer::add_of_source(std::span<CheckedText> texts) {
  const State& state = core_.state;
  Delta delta;
  delta.first = state.next();
  delta.counts = state.counts;
  const View view{state, &delta};
  const ScratchPool::Lease scratch(core_.scratches);
  Batch batch{*core_.scheme, view, *core_.store, *scratch, delta};
  Request request{{}, texts, {}};
  Delta nothing;  // what this part adds; a view with a delta sees the hidden texts before it
  nothing.first = delta.first;
  const auto check = [&](std::size_t i, CheckScratch& space) -> Result<void> {
    core_.prepare(texts[i], true, space);
    return check_before_adding({state, &nothing}, space, texts[i]);
  };
  LEITONG_TRY(add_as_checked(request, check, batch));
  checked_twice_ += batch.checked_twice;
  if (!delta.texts.empty()) {
    LEITONG_ASSIGN(Change change, core_.store->change());
    change.put_texts(delta);
    LEITONG_TRY(commit(change, delta, false));
    if (segments_.must_flush()) LEITONG_TRY(segments_.flush());
  }
  return std::move(request.answers);
}

Result<void> Committer::commit(Change& change, Delta& delta, bool wait) {
  LEITONG_TRY(core_.store->commit(change, wait));
  const auto writing = core_.gate.write();
  show(delta, {}, wait);
  return {};
}

// Readers look up rows by what they see of postings, so both change together.
Result<void> Committer::commit_removal(Change& change, Delta& delta, std::span<const TextNumber> removed) {
  const auto writing = core_.gate.write();
  LEITONG_TRY(core_.store->commit(change, false));
  show(delta, removed, false);
  return {};
}

void Committer::show(Delta& delta, std::span<const TextNumber> removed, bool durable) {
  State& state = core_.state;
  core_.out_of_step = true;  // until the change is complete
  // Keys lie anywhere in a large table: prefetch those of the next texts, so that the waits for memory
  // overlap.
  constexpr std::size_t kAhead = 4;
  for (std::size_t i = 0; i < delta.log.size(); ++i) {
    if (i + kAhead < delta.log.size())
      for (const Key key : delta.log[i + kAhead].keys) state.table.prefetch(key);
    state.take(delta.log[i]);
  }
  (state.is_committing() ? state.hidden_full : state.full).merge(delta.full);
  state.templates_version += delta.became_templates.size();
  (state.is_committing() ? state.hidden_templates : state.templates).set_all(delta.templates);
  core_.template_entries += delta.templates.size();
  for (const TextNumber text : removed) state.removed.add(text);
  state.removals += delta.removals;
  state.first_removal = delta.first_removal.value_or(state.first_removal);
  if (durable) state.durable = state.extent();
  state.counts = delta.counts;
  ++state.version;
  constexpr std::size_t kPast = 8;
  if (state.past.size() == kPast) state.past.pop_front();
  state.past.push_back({state.version, std::move(delta.postings), !removed.empty(),
                        std::move(delta.became_templates), state.templates_version});
  core_.out_of_step = false;
}

Result<void> Committer::sync() {
  State& state = core_.state;
  Extent extent;
  {
    const auto reading = core_.gate.read();
    extent = state.extent();
  }
  LEITONG_TRY(core_.store->sync());
  const auto writing = core_.gate.write();
  state.durable.texts = std::max(state.durable.texts, extent.texts);
  state.durable.removals = std::max(state.durable.removals, extent.removals);
  return {};
}

}  // namespace leitong::online
