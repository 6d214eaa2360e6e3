// Additions, one batch at a time.
#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

Result<void> OnlineIndex::check_before_adding(const View& view, CheckScratch& scratch, CheckedText& text) {
  if (text.verdict == Verdict::refused) return {};
  LEITONG_ASSIGN(text.known, store_->find(text.id));
  return text.known || !scheme_->checks_ahead() ? Result<void>{} : check_one(view, scratch, text);
}

Result<void> OnlineIndex::check_one(const View& view, CheckScratch& scratch, CheckedText& text,
                                    Explanation* explanation) const {
  CheckedText* const one = &text;
  return scheme_->check(view, *store_, scratch, {&one, 1}, explanation);
}

Result<std::vector<Answer>> OnlineIndex::add_shown(std::span<const Text> texts, Look look,
                                                   const Wanted& wanted) {
  std::vector<CheckedText> checked(texts.size());
  const auto prepare_one = [&](std::size_t i, CheckScratch& scratch) -> Result<void> {
    checked[i] = checked_of(texts[i], look);
    checked[i].matches_wanted = wanted.matches;
    prepare(checked[i], true, scratch);
    return {};
  };
  LEITONG_TRY(for_each(texts.size(), prepare_one));
  Request request{checked, 0, {}, {}};
  {
    const auto reading = gate_.read();
    request.version = state_.version;
    LEITONG_TRY(for_each(texts.size(), [&](std::size_t i, CheckScratch& scratch) {
      return check_before_adding({state_}, scratch, checked[i]);
    }));
  }
  LEITONG_TRY(wait_for_turn(request));
  if (wanted.passages) {
    const auto reading = gate_.read();
    LEITONG_TRY(for_each(texts.size(), [&](std::size_t i, CheckScratch& scratch) {
      return add_passages(checked[i], request.answers[i], scratch);
    }));
  }
  return std::move(request.answers);
}

Result<void> OnlineIndex::wait_for_turn(Request& request) {
  std::unique_lock lock(queue_mutex_);
  queue_.push_back(&request);
  turn_over_.wait(lock, [&] { return request.done || !writing_; });
  if (request.done) return std::move(request.result);
  writing_ = true;
  const std::vector<Request*> group(queue_.begin(), queue_.end());
  queue_.clear();
  lock.unlock();
  add_group(group);
  lock.lock();
  for (Request* one : group) one->done = true;
  lock.unlock();
  turn_over_.notify_all();
  // What was added is durable already; the postings stay in memory if this fails, and it is tried again
  // later.
  if (must_flush() && !flush()) flush_at_ = unsealed() + settings_.postings_in_memory / 4 + 1;
  lock.lock();
  writing_ = false;
  lock.unlock();
  turn_over_.notify_all();
  return std::move(request.result);
}

void OnlineIndex::add_group(std::span<Request* const> group) {
  Result<void> result = go_on_committing();
  const ScratchLease scratch(*this);
  Delta delta;
  delta.first = state_.next();
  delta.counts = state_.counts;
  Change change = store_->change();
  const View view{state_, &delta};
  for (Request* request : group)
    if (result) result = add_to_delta(*request, view, *scratch, delta, change);
  if (result && !delta.texts.empty()) {
    change.put_counts(delta.counts);
    result = commit(change, delta, {}, true);
  }
  for (Request* request : group) request->result = result;
}

Result<void> OnlineIndex::add_to_delta(Request& request, const View& view, CheckScratch& scratch,
                                       Delta& delta, Change& change) {
  for (CheckedText& text : request.texts) {
    if (text.verdict == Verdict::refused) {
      request.answers.push_back(answer_of(text));
      continue;
    }
    // A text of this id may be there, or have come meanwhile.
    if (request.version != state_.version) {
      LEITONG_ASSIGN(text.known, store_->find(text.id));
    }
    if (text.known) {
      LEITONG_ASSIGN(Answer known, known_answer(text, *text.known, scratch));
      request.answers.push_back(std::move(known));
      continue;
    }
    if (const auto earlier = delta.ids.find(text.id); earlier != delta.ids.end()) {
      const NewText& other = delta.texts[earlier->second];
      Answer answer = {.verdict = other.row.verdict, .known = true};
      if (other.text != text.text || other.row.stamp != text.stamp)
        answer = {.verdict = Verdict::refused, .reason = "another text of the batch has this id"};
      request.answers.push_back(std::move(answer));
      continue;
    }
    const bool as_it_was =
        (!text.asked_templates || text.templates_version == view.templates_version()) &&
        !text.probes.keys.empty() && state_.unchanged(text.probes.keys, request.version) &&
        std::ranges::all_of(text.probes.keys, [&](Key key) { return delta.postings.find(key).empty(); });
    if (!as_it_was) {
      LEITONG_TRY(check_one(view, scratch, text));
      checked_twice_ += scheme_->checks_ahead();
    }
    count_check(text);
    request.answers.push_back(answer_of(text));

    const TextNumber number = delta.first + static_cast<TextNumber>(delta.texts.size());
    if (number == UINT32_MAX) return fail(ErrorCode::limit, "an index holds fewer than 4,294,967,295 texts");
    Row row{.family = number,
            .content = number,
            .verdict = text.verdict,
            .measure = text.verdict == Verdict::near ? text.figures.measure : Measure::identical,
            .text_bytes = text.packed.empty() ? 0 : static_cast<std::uint32_t>(text.text.size()),
            .id = std::string(text.id),
            .source = std::string(text.source),
            .time = text.time,
            .expires = text.expires,
            .stamp = text.stamp,
            .unchecked = text.look == Look::copies,
            .other_work = text.verdict == Verdict::near && text.figures.footing != Footing::same_work,
            .packed = std::move(text.packed)};
    if (text.verdict == Verdict::near) {
      row.score = text.figures.score;
      row.jaccard = text.figures.jaccard;
      row.containment = text.figures.containment;
    }
    if (text.verdict != Verdict::fresh) row.family = text.match_row.family;
    if (text.verdict == Verdict::near) change.put_member(row.family, number);
    if (text.verdict == Verdict::exact) {
      row.content = text.match_row.content;
      change.put_copy(row.content, number);
    }
    LogEntry entry{number, scheme_->record(text), {}};
    if (text.verdict != Verdict::exact)
      LEITONG_TRY(scheme_->post(text, text.verdict == Verdict::fresh || row.other_work, view, delta, entry));
    learn_templates(text, view, delta, change);
    for (const Key key : entry.keys) {
      delta.postings.add(key, number);
      if (delta.full.contains(key)) change.put_full(key);
    }
    change.put_row(number, row);
    change.put_id(row.id, number);
    change.put_log(entry);
    ++delta.counts.texts;
    ++(text.verdict == Verdict::fresh  ? delta.counts.fresh
       : text.verdict == Verdict::near ? delta.counts.near
                                       : delta.counts.exact);
    row.packed.clear();
    delta.texts.push_back({std::move(row), text.text, text.keys.units, entry.record});
    delta.ids.emplace(text.id, delta.texts.size() - 1);
    delta.log.push_back(std::move(entry));
  }
  return {};
}

// What a new work shares with others, one more work is known to hold.
void OnlineIndex::learn_templates(const CheckedText& text, const View& view, Delta& delta,
                                  Change& change) const {
  for (const std::uint32_t shingle : text.shared) {
    const Works before = view.works(shingle);
    if (before >= TemplateRule::kFamilies) continue;
    const std::size_t known =
        state_.templates.size() + state_.hidden_templates.size() + delta.templates.size();
    if (before == 0 && known >= TemplateTable::kMost) continue;
    const auto now = static_cast<Works>(before == 0 ? 2 : before + 1);
    delta.templates[shingle] = now;
    delta.new_templates += now == TemplateRule::kFamilies;
    change.put_template(shingle, now);
  }
}

Result<Answer> OnlineIndex::known_answer(const CheckedText& text, TextNumber number,
                                         CheckScratch& scratch) const {
  Row& row = scratch.row;
  LEITONG_ASSIGN(const bool there, store_->read(number, row));
  if (there) LEITONG_TRY(scratch.codec.unpack(row.packed, row.text_bytes, scratch.text));
  const bool gone = row.stamp && row.packed.empty();
  const bool same = there && (gone ? same_content(*row.stamp, *text.stamp) : scratch.text == text.text);
  if (!same)
    return Answer{.verdict = Verdict::refused,
                  .reason = "the index has another text under this id; remove that one first"};
  Answer answer{.verdict = row.verdict, .known = true};
  if (row.verdict == Verdict::fresh) return answer;
  const VerifiedPair figures{
      .jaccard = row.jaccard, .containment = row.containment, .score = row.score, .measure = row.measure};
  LEITONG_ASSIGN(const TextNumber match,
                 store_->holder(row.verdict == Verdict::exact ? row.content : row.family));
  if (match == number) return answer;  // the match left, and this text stands for its family
  LEITONG_ASSIGN(const bool stands, store_->read(match, row));
  if (!stands) return answer;
  answer.match = match_of(row, figures, text.stamp);
  return answer;
}

Result<void> OnlineIndex::commit(Change& change, Delta& delta, std::span<const TextNumber> removed,
                                 bool wait) {
  LEITONG_TRY(store_->commit(change, wait));
  const auto writing = gate_.write();
  for (const LogEntry& entry : delta.log) state_.take(entry);
  (committing_ ? state_.hidden_full : state_.full).merge(delta.full);
  state_.templates_version += delta.new_templates;
  for (const auto& [shingle, works] : delta.templates)
    if (committing_)
      state_.hidden_templates[shingle] = works;
    else
      state_.templates.set(shingle, works);
  for (const TextNumber text : removed) state_.removed.add(text);
  state_.counts = delta.counts;
  ++state_.version;
  constexpr std::size_t kPast = 8;
  if (state_.past.size() == kPast) state_.past.pop_front();
  state_.past.push_back({state_.version, std::move(delta.postings), !removed.empty()});
  return {};
}

}  // namespace leitong::online
