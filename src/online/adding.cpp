// Additions, one batch at a time.
#include <fmt/core.h>

#include <algorithm>
#include <new>

#include "base/try.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

Result<void> OnlineIndex::check_before_adding(const View& view, CheckScratch& scratch, CheckedText& text) {
  if (text.verdict == Verdict::refused) return {};
  text.state_version = state_.version;
  LEITONG_ASSIGN(text.known, store_->find(text.id));
  return text.known || !scheme_->checks_ahead() ? Result<void>{} : check_one(view, scratch, text);
}

Result<void> OnlineIndex::check_one(const View& view, CheckScratch& scratch, CheckedText& text,
                                    Explanation* explanation) const {
  CheckedText* const one = &text;
  return scheme_->check(view, *store_, scratch, {&one, 1}, explanation);
}

Result<std::vector<Answer>> OnlineIndex::add_shown(std::span<const Text> texts, Look look,
                                                   const Wanted& wanted, ExpectedVersion expected) {
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  const Pool<std::vector<CheckedText>>::Lease lease(checked_);
  std::vector<CheckedText>& checked = *lease;
  checked.resize(texts.size());
  const auto prepare_one = [&](std::size_t i, CheckScratch& scratch) -> Result<void> {
    begin_check(texts[i], look, checked[i]);
    checked[i].matches_wanted = wanted.matches;
    prepare(checked[i], true, scratch);
    return {};
  };
  const auto check_prepared = [&](std::size_t i, CheckScratch& scratch) {
    return check_before_adding({state_}, scratch, checked[i]);
  };
  Request request{checked, expected, {}, {}};
  if (texts.size() >= kWorthSharing && !expected && take_free_turn()) {
    // No other thread changes the state meanwhile. The gate must not be taken here: a thread that holds it,
    // and waits for threads of the context, may be given this work.
    serve(&request, [&](std::size_t i, CheckScratch& scratch) -> Result<void> {
      LEITONG_TRY(prepare_one(i, scratch));
      return check_prepared(i, scratch);
    });
    LEITONG_TRY(std::move(request.result));
  } else {
    LEITONG_TRY(for_each(texts.size(), prepare_one));
    {
      const auto reading = gate_.read();
      LEITONG_TRY(for_each(texts.size(), check_prepared));
    }
    LEITONG_TRY(wait_for_turn(request));
  }
  if (wanted.passages) {
    const auto reading = gate_.read();
    LEITONG_TRY(for_each(texts.size(), [&](std::size_t i, CheckScratch& scratch) {
      return add_passages(checked[i], request.answers[i], scratch);
    }));
  }
  std::size_t bytes = 0;
  for (const Text& text : texts) bytes += text.text.size();
  if (bytes > kKeptBytes) checked = std::vector<CheckedText>();
  return std::move(request.answers);
}

Result<void> OnlineIndex::wait_for_turn(Request& request) {
  {
    std::unique_lock lock(queue_mutex_);
    queue_.push_back(&request);
    turn_over_.wait(lock, [&] { return request.done || !writing_; });
    if (request.done) return std::move(request.result);
    writing_ = true;
  }
  serve(nullptr, {});
  return std::move(request.result);
}

bool OnlineIndex::take_free_turn() {
  const std::scoped_lock lock(queue_mutex_);
  if (writing_ || !queue_.empty()) return false;
  return writing_ = true;
}

tl::unexpected<Error> OnlineIndex::no_memory() const {
  return fail(ErrorCode::io, fmt::format("{}: there is no memory to change the index; try again",
                                         place_.empty() ? "the index" : place_.string()));
}

Result<void> OnlineIndex::check_in_step() const {
  if (!out_of_step_) return {};
  return fail(ErrorCode::io,
              fmt::format("{}: there was no memory to show what was stored; close the index and open "
                          "it again",
                          place_.empty() ? "the index" : place_.string()));
}

// Every request that waits for this turn gets its result, and the turn ends, even if there is no memory.
void OnlineIndex::serve(Request* own, const CheckFn& check) {
  std::vector<Request*> group;
  Result<void> result;
  try {
    result = work_out(own, check, group);
  } catch (const std::bad_alloc&) {
    result = no_memory();
  }
  {
    const std::scoped_lock lock(queue_mutex_);
    const auto end = [&](Request& request) {
      if (request.result) request.result = result;
      request.done = true;
    };
    for (Request* request : group) end(*request);
    if (own != nullptr) end(*own);
  }
  turn_over_.notify_all();
  // The additions are durable already. If the flush fails, the postings stay in memory and it is tried again
  // later.
  const auto flushed = [&] {
    try {
      return !must_flush() || flush();
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  if (!flushed()) flush_at_ = unsealed() + settings_.postings_in_memory / 4 + 1;
  {
    const std::scoped_lock lock(queue_mutex_);
    writing_ = false;
  }
  turn_over_.notify_all();
}

Result<void> OnlineIndex::work_out(Request* own, const CheckFn& check, std::vector<Request*>& group) {
  LEITONG_TRY(check_in_step());
  Result<void> result = go_on_committing();
  const ScratchPool::Lease scratch(scratches_);
  Delta delta;
  const auto begin = [&] {
    delta = Delta();
    delta.first = state_.next();
    delta.counts = state_.counts;
  };
  begin();
  const View view{state_, &delta};
  Batch batch{*scheme_, view, *store_, *scratch, delta};
  if (own != nullptr && result) {
    own->result = add_as_checked(*own, check, batch);
    if (!own->result) begin();  // nothing of it is added
  }
  {
    const std::scoped_lock lock(queue_mutex_);
    group.assign(queue_.begin(), queue_.end());
    queue_.clear();
  }
  for (Request* request : group) {
    if (!result) break;
    // The index is not of the version that this request expects; the others continue.
    if (request->result = meets_expectation(*request, view); !request->result) continue;
    for (CheckedText& text : request->texts)
      if (result) result = add_one(*request, text, batch);
  }
  checked_twice_ += batch.checked_twice;
  const auto commit_delta = [&]() -> Result<void> {
    if (store_->is_bulk()) {
      LEITONG_TRY(store_->append(delta));
      const auto writing = gate_.write();
      show(delta, {}, true);
      return {};
    }
    LEITONG_ASSIGN(Change change, store_->change());
    change.put_texts(delta);
    return commit(change, delta, true);
  };
  if (result && !delta.texts.empty()) result = commit_delta();
  return result;
}

Result<void> OnlineIndex::meets_expectation(Request& request, const View& view) {
  for (CheckedText& text : request.texts)
    if (text.verdict != Verdict::refused && text.state_version != state_.version) {
      // It may have been added meanwhile.
      LEITONG_ASSIGN(text.known, store_->find(text.id));
    }
  const auto adds = [](const CheckedText& text) { return text.verdict != Verdict::refused && !text.known; };
  if (!request.expected || *request.expected == view.version() || !std::ranges::any_of(request.texts, adds))
    return {};
  return is_not_at(*request.expected, view.version());
}

Result<void> OnlineIndex::add_one(Request& request, CheckedText& text, Batch& batch) {
  const bool as_it_was = !text.probes.keys.empty() && state_.unchanged(text.probes.keys, text.state_version);
  LEITONG_ASSIGN(Answer answer, add_to_batch(batch, text, as_it_was));
  answer.version = batch.view.version();
  if (answer.verdict != Verdict::refused && !answer.known) checks_.count(text.bounds);
  request.answers.push_back(std::move(answer));
  return {};
}

Result<void> OnlineIndex::add_as_checked(Request& request, const CheckFn& check, Batch& batch) {
  return on_threads(context_, [&] {
    return parallel_in_order(
        StopToken(context_.state().stop), request.texts.size(),
        [&] { return ScratchPool::Lease(scratches_); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) { return check(i, *scratch); },
        [&](std::size_t i) { return add_one(request, request.texts[i], batch); });
  });
}

Result<void> OnlineIndex::commit(Change& change, Delta& delta, bool wait) {
  LEITONG_TRY(store_->commit(change, wait));
  const auto writing = gate_.write();
  show(delta, {}, wait);
  return {};
}

// Readers look up rows by what they see of postings, so both change together.
Result<void> OnlineIndex::commit_removal(Change& change, Delta& delta, std::span<const TextNumber> removed) {
  const auto writing = gate_.write();
  LEITONG_TRY(store_->commit(change, false));
  show(delta, removed, false);
  return {};
}

void OnlineIndex::show(Delta& delta, std::span<const TextNumber> removed, bool durable) {
  out_of_step_ = true;  // until the end is reached
  // Keys lie anywhere in a large table: prefetch those of the next texts, so that the waits for memory
  // overlap.
  constexpr std::size_t kAhead = 4;
  for (std::size_t i = 0; i < delta.log.size(); ++i) {
    if (i + kAhead < delta.log.size())
      for (const Key key : delta.log[i + kAhead].keys) state_.table.prefetch(key);
    state_.take(delta.log[i]);
  }
  (committing_ ? state_.hidden_full : state_.full).merge(delta.full);
  state_.templates_version += delta.became_templates.size();
  (committing_ ? state_.hidden_templates : state_.templates).set_all(delta.templates);
  template_entries_ += delta.templates.size();
  for (const TextNumber text : removed) state_.removed.add(text);
  state_.removals += delta.removals;
  state_.first_removal = delta.first_removal.value_or(state_.first_removal);
  if (durable) state_.durable = state_.extent();
  state_.counts = delta.counts;
  ++state_.version;
  constexpr std::size_t kPast = 8;
  if (state_.past.size() == kPast) state_.past.pop_front();
  state_.past.push_back({state_.version, std::move(delta.postings), !removed.empty(),
                         std::move(delta.became_templates), state_.templates_version});
  out_of_step_ = false;
}

}  // namespace leitong::online
