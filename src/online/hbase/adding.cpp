// Additions to an index on HBase: batches of texts, their turns, and waiting for other clients. home.hpp
// explains how a text is decided, and settling.cpp does it.
#include "online/hbase/batch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "base/try.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;
using Stage = HBaseText::Stage;

// The most texts of one batch, and the bytes of text at which it ends.
constexpr std::size_t kInBatch = 256, kBytesInBatch = std::size_t{8} << 20;
// If a pending text makes another client wait for so long, that client settles it.
constexpr milliseconds kPatience{2000};
// A batch that is not settled after this time fails; its texts stay pending until they are added again.
constexpr milliseconds kLongest{120'000};
// HBase limits a cell to 10 MB.
constexpr std::size_t kMostPacked = std::size_t{9} << 20;

}  // namespace

HBaseHome::Batch::Batch(HBaseHome& index) : index_(index) {
  std::random_device random;
  owner_ = std::uint64_t{random()} << 32 | random();
}

void HBaseHome::Batch::add(CheckedText& text, Answer& answer) {
  HBaseArriving& one = texts_.emplace_back();
  one.text = &text;
  one.answer = &answer;
  one.id = text.id;
  one.near_wanted = text.look == Look::near;
}

HBaseHome::Batch::Texts HBaseHome::Batch::those(Step step) {
  Texts chosen;
  for (HBaseArriving& one : texts_)
    if (one.step == step) chosen.push_back(&one);
  return chosen;
}

void HBaseHome::Batch::start(HBaseArriving& one) {
  one.posted = one.looked = false;
  one.step = one.known.entry.stamp.digest ? Step::content : Step::tables;
}

HBaseText HBaseHome::Batch::pending(const HBaseArriving& one) const {
  CheckedText& text = *one.text;
  HBaseText entry;
  entry.time = index_.now();
  entry.owner = owner_;
  entry.label = {std::string(text.id), std::string(text.source), text.time, text.expires};
  entry.stamp = *text.stamp;
  entry.packed_bytes = static_cast<std::uint32_t>(text.packed.size());
  entry.text_bytes = text.packed.empty() ? 0 : static_cast<std::uint32_t>(text.text.size());
  entry.first = entry.name();
  index_.note_text(text, entry);
  index_.note_posted(text, entry);
  return entry;
}

Result<void> HBaseHome::Batch::settle_all() {
  const auto end = Clock::now() + kLongest;
  milliseconds pause{2};
  for (;;) {
    LEITONG_TRY(index_.stop().check());
    moved_ = false;
    if (const Texts texts = those(Step::begin); !texts.empty()) LEITONG_TRY(begin(texts));
    if (const Texts texts = those(Step::content); !texts.empty()) LEITONG_TRY(look_at_contents(texts));
    if (const Texts texts = those(Step::tables); !texts.empty()) LEITONG_TRY(look_into_tables(texts));
    for (HBaseKnown& other : std::exchange(taken_over_, {})) {
      LEITONG_TRY(index_.link_->put(index_.lists(other.entry)));  // its owner may not have written them
      HBaseArriving& one = texts_.emplace_back();
      one.id = other.entry.label.id;
      one.known = std::move(other);
      start(one);
      moved_ = true;
    }
    if (std::ranges::all_of(texts_, [](const HBaseArriving& one) { return one.step == Step::done; }))
      return {};
    if (Clock::now() > end)
      return fail(ErrorCode::io, fmt::format("{}: other clients that add what is like these texts don't come "
                                             "to an end; add them again",
                                             index_.link_->address().shown()));
    if (moved_) {
      pause = milliseconds(2);
      continue;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, milliseconds(20));
  }
}

Result<void> HBaseHome::Batch::wait_for(const HBaseKnown& other) {
  const auto [waiting, first] =
      waiting_.try_emplace(other.entry.label.id, Waiting{other.bytes, Clock::now()});
  if (!first && waiting->second.bytes != other.bytes) waiting->second = {other.bytes, Clock::now()};
  if (Clock::now() < waiting->second.since + kPatience) return {};
  waiting_.erase(waiting);
  HBaseKnown mine = other;
  HBaseText entry = mine.entry;
  entry.owner = owner_;
  ++entry.round;
  LEITONG_ASSIGN(const bool taken, index_.change_one(mine, entry));
  if (!taken) return {};
  // A text of this batch that another client had taken over comes back.
  for (HBaseArriving& one : texts_)
    if (one.id == mine.entry.label.id && one.step != Step::done &&
        (one.text == nullptr || mine.entry.stamp == *one.text->stamp)) {
      LEITONG_TRY(index_.link_->put(index_.lists(mine.entry)));
      one.known = std::move(mine);
      start(one);
      moved_ = true;
      return {};
    }
  taken_over_.push_back(std::move(mine));
  return {};
}

Result<void> HBaseHome::Batch::take_known(HBaseArriving& one) {
  one.step = Step::done;
  moved_ = true;
  if (one.text == nullptr) return {};
  HBaseText mine;
  index_.note_text(*one.text, mine);
  if (one.known.entry.stamp != *one.text->stamp || one.known.entry.text_hash != mine.text_hash) {
    *one.answer = {.verdict = Verdict::refused,
                   .reason = "the index has another text under this id; remove that one first"};
    return {};
  }
  LEITONG_ASSIGN(*one.answer, index_.answer_of_known(one.known));
  one.answer->known = !one.ours;
  return {};
}

Result<void> HBaseHome::Batch::begin(const Texts& texts) {
  std::vector<std::string> ids;
  for (const HBaseArriving* one : texts) ids.push_back(one->id);
  LEITONG_ASSIGN(std::vector<HBaseKnown> known, index_.read(ids));
  std::vector<Change> changes;
  Texts coming, pending_now;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HBaseArriving& one = *texts[i];
    one.known = std::move(known[i]);
    if (one.known.is(Stage::settled)) {
      LEITONG_TRY(take_known(one));
    } else if (one.known.is(Stage::leaving)) {
      LEITONG_TRY(index_.finish_leaving(one.known));
      moved_ = true;
    } else if (one.known.is(Stage::pending) && one.known.entry.owner != owner_) {
      LEITONG_TRY(wait_for(one.known));
    } else if (one.known.is(Stage::pending)) {
      pending_now.push_back(&one);  // it was taken over and came back
    } else if (one.text == nullptr) {
      one.step = Step::done;  // a text of another client that was removed
    } else {
      Change& change = changes.emplace_back(index_.change(one.known, pending(one)));
      change.put.put.cells.push_back({"t", one.text->packed});
      coming.push_back(&one);
    }
  }
  LEITONG_ASSIGN(const std::vector<bool> made, index_.make(std::move(changes)));
  for (std::size_t i = 0; i < coming.size(); ++i)
    if (made[i]) pending_now.push_back(coming[i]);  // the others are read again
  std::vector<HBaseRow> rows;
  for (HBaseArriving* one : pending_now) {
    start(*one);
    one->ours = true;
    moved_ = true;
    std::ranges::move(index_.lists(one->known.entry), std::back_inserter(rows));
  }
  return index_.link_->put(rows);
}

// Each batch holds an id only once, so that the second text with it sees the first as known.
Result<void> HBaseHome::add_group(std::span<Request* const> group) {
  std::vector<std::pair<CheckedText*, Answer*>> all;
  for (const Request* one : group)
    for (std::size_t i = 0; i < one->texts.size(); ++i) all.emplace_back(&one->texts[i], &one->answers[i]);
  for (std::size_t first = 0; first < all.size();) {
    Batch batch(*this);
    std::set<std::string_view> ids;
    std::size_t bytes = 0;
    for (; first < all.size() && ids.size() < kInBatch && bytes < kBytesInBatch; ++first) {
      auto& [text, answer] = all[first];
      if (text->verdict != Verdict::refused && text->packed.size() > kMostPacked) {
        text->verdict = Verdict::refused;
        text->reason = fmt::format("the text has {} bytes when it is compressed; HBase takes {}",
                                   text->packed.size(), kMostPacked);
      }
      if (text->verdict == Verdict::refused) {
        *answer = {.verdict = Verdict::refused, .reason = text->reason};
        continue;
      }
      if (!ids.insert(text->id).second) break;
      batch.add(*text, *answer);
      bytes += text->packed.size();
    }
    LEITONG_TRY(batch.settle_all());
  }
  return put_counts();
}

// Adds the other near texts beside the match, which is not always the first of them.
Result<void> HBaseHome::add_others(std::span<CheckedText> texts, const Wanted& wanted,
                                   std::span<Answer> answers) {
  LEITONG_ASSIGN(std::vector<Answer> now, answers_of(texts, wanted));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!answers[i].match || answers[i].known) continue;
    const auto take_other = [&](Match& other) {
      if (other.id != answers[i].match->id && other.id != texts[i].id &&
          answers[i].others.size() + 1 < wanted.matches)
        answers[i].others.push_back(std::move(other));
    };
    if (now[i].match) take_other(*now[i].match);
    for (Match& other : now[i].others) take_other(other);
  }
  return {};
}

Result<std::vector<Answer>> HBaseHome::add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                           ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped(texts, look, true));
  std::vector<Answer> answers(texts.size());
  Request request{checked, answers};
  LEITONG_TRY(turns_.wait(request, [&](std::span<Request* const> group) { return add_group(group); }));
  if (wanted.matches > 1) LEITONG_TRY(add_others(checked, wanted, answers));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

}  // namespace leitong::online
