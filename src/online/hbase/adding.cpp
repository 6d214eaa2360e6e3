// Additions to an index of fingerprints on HBase: fingerprints.hpp says how it is decided. A batch goes on in
// turns, each of which asks for all of its texts at once, until all are settled.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/try.hpp"
#include "online/hbase/fingerprints.hpp"

namespace leitong::online {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Stage = HBaseText::Stage;

// Texts that are on their way together, and bytes of text from which they are fewer.
constexpr std::size_t kInBatch = 256, kBytesInBatch = std::size_t{8} << 20;
// A text that is pending for so long while one waits for it is settled by who waits.
constexpr milliseconds kPatience{2000};
// A batch that isn't settled after so long is given up; its texts are pending until they are added again.
constexpr milliseconds kLongest{120'000};
// A cell of HBase has 10 MB at most.
constexpr std::size_t kMostPacked = std::size_t{9} << 20;

}  // namespace

struct HBaseFingerprints::Arriving {
  enum class Step : std::uint8_t {
    begin,    ///< its id is looked at
    content,  ///< whose copy is it?
    tables,   ///< who is near?
    done,
  };
  Step step = Step::begin;
  const CheckedText* text = nullptr;  ///< null: another client's, which is settled for it
  Answer* answer = nullptr;
  std::string id;
  Known known;  ///< as it was read or written last; of the batch's owner from `content` on
  bool posted = false, looked = false, ours = false, bounded = false;
  bool near_wanted = true;
  std::vector<Near> near;
};

class HBaseFingerprints::Batch {
 public:
  explicit Batch(HBaseFingerprints& index) : index_(index) {
    std::random_device random;
    owner_ = std::uint64_t{random()} << 32 | random();
  }

  void add(const CheckedText& text, Answer& answer) {
    Arriving& one = texts_.emplace_back();
    one.text = &text;
    one.answer = &answer;
    one.id = text.id;
    one.near_wanted = text.look == Look::near;
  }
  Result<void> settle_all();

 private:
  using Texts = std::vector<Arriving*>;
  Texts those(Arriving::Step step) {
    Texts chosen;
    for (Arriving& one : texts_)
      if (one.step == step) chosen.push_back(&one);
    return chosen;
  }
  Result<void> begin(const Texts& texts);
  Result<void> look_at_contents(const Texts& texts);
  Result<void> look_into_tables(const Texts& texts);
  /// Settles these as they say; those that changed meanwhile are looked at again.
  struct Verdicts {
    Texts texts;
    std::vector<HBaseText> entries;
    std::vector<std::optional<Match>> matches;
  };
  Result<void> settle(Verdicts verdicts);
  /// A text that was there, or that another client settled.
  Result<void> take_known(Arriving& one);
  /// Waits for a text that another client is to settle; takes it over if that takes too long.
  Result<void> wait_for(const Known& other);
  [[nodiscard]] HBaseText pending(const Arriving& one) const;

  HBaseFingerprints& index_;
  std::uint64_t owner_;
  std::vector<Arriving> texts_;
  bool moved_ = false;  ///< something was done in this turn
  struct Waiting {
    std::string bytes;
    Clock::time_point since;
  };
  std::unordered_map<std::string, Waiting> waiting_;
  std::vector<Known> taken_over_;
};

HBaseText HBaseFingerprints::Batch::pending(const Arriving& one) const {
  const CheckedText& text = *one.text;
  HBaseText entry;
  entry.time = index_.now();
  entry.owner = owner_;
  entry.label = {std::string(text.id), std::string(text.source), text.time, text.expires};
  entry.stamp = *text.stamp;
  entry.packed_bytes = static_cast<std::uint32_t>(text.packed.size());
  entry.text_bytes = text.packed.empty() ? 0 : static_cast<std::uint32_t>(text.text.size());
  entry.first = entry.name();
  return entry;
}

Result<void> HBaseFingerprints::Batch::settle_all() {
  const auto end = Clock::now() + kLongest;
  milliseconds pause{2};
  for (;;) {
    LEITONG_TRY(index_.stop().check());
    moved_ = false;
    if (const Texts texts = those(Arriving::Step::begin); !texts.empty()) LEITONG_TRY(begin(texts));
    if (const Texts texts = those(Arriving::Step::content); !texts.empty())
      LEITONG_TRY(look_at_contents(texts));
    if (const Texts texts = those(Arriving::Step::tables); !texts.empty())
      LEITONG_TRY(look_into_tables(texts));
    for (Known& other : std::exchange(taken_over_, {})) {
      LEITONG_TRY(index_.link_->put(index_.lists(other.entry)));  // its owner may not have come so far
      Arriving& one = texts_.emplace_back();
      one.id = other.entry.label.id;
      one.known = std::move(other);
      one.step = one.known.entry.stamp.digest ? Arriving::Step::content : Arriving::Step::tables;
      moved_ = true;
    }
    if (std::ranges::all_of(texts_, [](const Arriving& one) { return one.step == Arriving::Step::done; }))
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

Result<void> HBaseFingerprints::Batch::wait_for(const Known& other) {
  const auto [waiting, first] =
      waiting_.try_emplace(other.entry.label.id, Waiting{other.bytes, Clock::now()});
  if (!first && waiting->second.bytes != other.bytes) waiting->second = {other.bytes, Clock::now()};
  if (Clock::now() < waiting->second.since + kPatience) return {};
  waiting_.erase(waiting);
  Known mine = other;
  HBaseText entry = mine.entry;
  entry.owner = owner_;
  ++entry.round;
  LEITONG_ASSIGN(const bool taken, index_.change_one(mine, entry));
  if (!taken) return {};
  // One of this batch, which another client had taken over, comes back.
  for (Arriving& one : texts_)
    if (one.id == mine.entry.label.id && one.step != Arriving::Step::done &&
        (one.text == nullptr || mine.entry.stamp == *one.text->stamp)) {
      LEITONG_TRY(index_.link_->put(index_.lists(mine.entry)));
      one.known = std::move(mine);
      one.looked = one.posted = false;
      one.step = one.known.entry.stamp.digest ? Arriving::Step::content : Arriving::Step::tables;
      moved_ = true;
      return {};
    }
  taken_over_.push_back(std::move(mine));
  return {};
}

Result<void> HBaseFingerprints::Batch::take_known(Arriving& one) {
  one.step = Arriving::Step::done;
  moved_ = true;
  if (one.text == nullptr) return {};
  if (one.known.entry.stamp != *one.text->stamp) {
    *one.answer = {.verdict = Verdict::refused,
                   .reason = "the index has another text under this id; remove that one first"};
    return {};
  }
  LEITONG_ASSIGN(*one.answer, index_.answer_of_known(one.known));
  one.answer->known = !one.ours;
  return {};
}

Result<void> HBaseFingerprints::Batch::begin(const Texts& texts) {
  std::vector<std::string> ids;
  for (const Arriving* one : texts) ids.push_back(one->id);
  LEITONG_ASSIGN(std::vector<Known> known, index_.read(ids));
  std::vector<HBaseCheckedPut> puts;
  Texts made;
  std::vector<HBaseText> entries;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Arriving& one = *texts[i];
    one.known = std::move(known[i]);
    if (one.known.is(Stage::settled)) {
      LEITONG_TRY(take_known(one));
    } else if (one.known.is(Stage::leaving)) {
      LEITONG_TRY(index_.finish_leaving(one.known));
      moved_ = true;
    } else if (one.known.is(Stage::pending) && one.known.entry.owner != owner_) {
      LEITONG_TRY(wait_for(one.known));
    } else if (one.known.is(Stage::pending)) {
      made.push_back(&one);  // what was put was not answered
    } else if (one.text == nullptr) {
      one.step = Arriving::Step::done;  // another client's, that is gone
    } else {
      HBaseText entry = pending(one);
      HBaseCheckedPut put = index_.change(one.known, entry);
      put.put.cells.push_back({"t", one.text->packed});
      puts.push_back(std::move(put));
      made.push_back(&one);
      entries.push_back(std::move(entry));
    }
  }
  LEITONG_ASSIGN(const std::vector<bool> done, index_.link_->put_if(puts, HBaseLink::Order::any));
  std::vector<HBaseRow> rows;
  std::size_t put = 0;
  for (Arriving* one : made) {
    if (!one->known.is(Stage::pending)) {
      const std::size_t i = put++;
      if (!done.at(i)) continue;  // it is read again
      one->known = {entries[i], puts[i].put.cells[0].value};
    }
    one->ours = true;
    one->step = one->known.entry.stamp.digest ? Arriving::Step::content : Arriving::Step::tables;
    moved_ = true;
    std::ranges::move(index_.lists(one->known.entry), std::back_inserter(rows));
  }
  return index_.link_->put(rows);
}

// The first that puts its name under a content holds it; the others are its copies, once it is settled.
Result<void> HBaseFingerprints::Batch::look_at_contents(const Texts& texts) {
  std::vector<const ContentDigest*> contents;
  for (const Arriving* one : texts) contents.push_back(&*one->known.entry.stamp.digest);
  LEITONG_ASSIGN(const std::vector<HBaseName> holders, index_.holders(contents));
  std::vector<std::string> ids;
  ids.reserve(holders.size());
  for (const HBaseName& name : holders) ids.push_back(name.id);
  LEITONG_ASSIGN(const std::vector<Known> read, index_.read(ids));
  std::vector<HBaseCheckedPut> puts;
  Texts claiming;
  std::vector<HBaseRow> copies;
  std::vector<std::size_t> copying;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Arriving& one = *texts[i];
    const HBaseName name = one.known.entry.name();
    if (holders[i] == name) {
      one.step = Arriving::Step::tables;
      moved_ = true;
      continue;
    }
    const Known& holder = read[i];
    const bool current = !holders[i].id.empty() && holder.exists() &&
                         holder.entry.stamp.digest == *contents[i] &&
                         (holder.entry.holds || holder.entry.name() == holders[i]);
    if (!current) {
      const std::string was = holders[i].id.empty() ? std::string() : bytes_of_name(holders[i]);
      puts.push_back({"h", was, {content_key(*contents[i]), {{"h", bytes_of_name(name)}}}});
      claiming.push_back(&one);
    } else if (holder.is(Stage::pending)) {
      if (holder.entry.owner != owner_) LEITONG_TRY(wait_for(holder));
    } else if (holder.is(Stage::leaving)) {
      LEITONG_TRY(index_.finish_leaving(holder));
      moved_ = true;
    } else {
      copies.push_back({copies_key(*contents[i]) + bytes_of_name(name), {{"n", ""}}});
      copying.push_back(i);
    }
  }
  LEITONG_ASSIGN(const std::vector<bool> claimed, index_.link_->put_if(puts));
  for (std::size_t i = 0; i < claiming.size(); ++i)
    if (claimed.at(i)) {
      claiming[i]->step = Arriving::Step::tables;
      moved_ = true;
    }
  if (std::ranges::find(claimed, false) != claimed.end()) moved_ = true;  // who was quicker is known now

  // A copy is listed first. Then its holder is looked at again: who takes a holder out reads the list after
  // it has marked it, so that one of the two sees the other.
  LEITONG_TRY(index_.link_->put(copies));
  ids.clear();
  for (const std::size_t i : copying) ids.push_back(holders[i].id);
  LEITONG_ASSIGN(const std::vector<Known> again, index_.read(ids));
  Verdicts verdicts;
  for (std::size_t c = 0; c < copying.size(); ++c) {
    const std::size_t i = copying[c];
    const Known& holder = again[c];
    if (!holder.is(Stage::settled) || !holder.entry.holds || holder.entry.stamp.digest != *contents[i]) {
      moved_ = true;
      continue;
    }
    HBaseText entry = texts[i]->known.entry;
    entry.stage = Stage::settled;
    entry.verdict = Verdict::exact;
    entry.first = holder.entry.first;
    entry.holds = entry.stands = false;
    entry.distance = 0;
    verdicts.texts.push_back(texts[i]);
    verdicts.entries.push_back(std::move(entry));
    verdicts.matches.emplace_back(index_.match_of(holder.entry, Verdict::exact, 0));
  }
  return settle(std::move(verdicts));
}

Result<void> HBaseFingerprints::Batch::look_into_tables(const Texts& texts) {
  // Put first ..
  std::vector<HBaseRow> rows;
  for (Arriving* one : texts)
    if (!one->posted)
      std::ranges::move(index_.postings(one->known.entry.stamp, one->known.entry.name()),
                        std::back_inserter(rows));
  LEITONG_TRY(index_.link_->put(rows));
  // .. then query.
  std::vector<const Stamp*> stamps;
  Texts looking;
  for (Arriving* one : texts) {
    one->posted = true;
    if (one->looked || !one->near_wanted || !one->known.entry.stamp.fingerprint) continue;
    stamps.push_back(&one->known.entry.stamp);
    looking.push_back(one);
  }
  LEITONG_ASSIGN(std::vector<Found> found, index_.find(stamps));
  for (std::size_t i = 0; i < looking.size(); ++i) {
    looking[i]->looked = true;
    looking[i]->near = std::move(found[i].near);
    looking[i]->bounded = found[i].bounded;
  }
  std::vector<std::string> ids;
  for (const Arriving* one : texts)
    for (const Near& near : one->near) ids.push_back(near.name.id);
  LEITONG_ASSIGN(std::vector<Known> read, index_.read(ids));

  Verdicts verdicts;
  std::vector<HBaseRow> members;
  std::vector<HBaseName> heads;  // of those that are members
  std::size_t at = 0;
  for (Arriving* one : texts) {
    const std::size_t first = at;
    at += one->near.size();
    const HBaseName name = one->known.entry.name();
    const Known* match = nullptr;
    unsigned distance = 0;
    bool wait = false;
    for (std::size_t i = first; i < at && match == nullptr && !wait; ++i) {
      const Near& near = one->near[i - first];
      const Known& other = read[i];
      if (near.name.id == one->id || !other.exists() || other.entry.time != near.name.time) continue;
      if (other.is(Stage::pending)) {
        if (near.name > name) continue;
        wait = true;
        if (other.entry.owner != owner_) LEITONG_TRY(wait_for(other));
      } else if (other.is(Stage::leaving)) {
        wait = one->near_wanted;
        one->looked = false;
        LEITONG_TRY(index_.finish_leaving(other));
        moved_ = true;
      } else if (other.entry.stands) {
        match = &other;
        distance = near.distance;
      }
    }
    if (wait) continue;
    // All that stand were settled before this one; of those that are pending none comes first.
    for (std::size_t i = first; i < at && match == nullptr && !wait; ++i) {
      Known& other = read[i];
      if (!other.is(Stage::pending) || other.entry.owner == owner_ || other.entry.label.id == one->id ||
          other.entry.time != one->near[i - first].name.time)
        continue;
      LEITONG_TRY(index_.raise(other));
      wait = !other.is(Stage::pending);  // it was settled meanwhile
      moved_ |= wait;
    }
    if (wait) continue;
    HBaseText entry = one->known.entry;
    entry.stage = Stage::settled;
    entry.holds = true;
    entry.stands = match == nullptr;
    entry.distance = static_cast<std::uint8_t>(distance);
    if (match == nullptr) {
      entry.verdict = Verdict::fresh;
      entry.first = name;
      verdicts.matches.emplace_back();
      heads.emplace_back();
    } else {
      entry.verdict = Verdict::near;
      entry.first = match->entry.first;
      members.push_back({members_key(entry.first) + bytes_of_name(name), {{"n", ""}}});
      verdicts.matches.emplace_back(index_.match_of(match->entry, Verdict::near, distance));
      heads.push_back(match->entry.name());
    }
    verdicts.texts.push_back(one);
    verdicts.entries.push_back(std::move(entry));
  }
  // As copies are: listed, and then it is seen whether who stands for them is still there.
  LEITONG_TRY(index_.link_->put(members));
  ids.clear();
  for (const HBaseName& head : heads)
    if (!head.id.empty()) ids.push_back(head.id);
  LEITONG_ASSIGN(const std::vector<Known> again, index_.read(ids));
  Verdicts sure;
  std::size_t h = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (!heads[i].id.empty()) {
      const Known& head = again[h++];
      if (!head.is(Stage::settled) || head.entry.time != heads[i].time) {
        verdicts.texts[i]->looked = false;
        moved_ = true;
        continue;
      }
    }
    sure.texts.push_back(verdicts.texts[i]);
    sure.entries.push_back(std::move(verdicts.entries[i]));
    sure.matches.push_back(std::move(verdicts.matches[i]));
  }
  return settle(std::move(sure));
}

Result<void> HBaseFingerprints::Batch::settle(Verdicts verdicts) {
  const Texts& texts = verdicts.texts;
  if (texts.empty()) return {};
  moved_ = true;
  std::vector<HBaseCheckedPut> puts;
  for (std::size_t i = 0; i < texts.size(); ++i)
    puts.push_back(index_.change(texts[i]->known, verdicts.entries[i]));
  LEITONG_ASSIGN(const std::vector<bool> done, index_.link_->put_if(puts, HBaseLink::Order::any));
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!done.at(i)) ids.push_back(texts[i]->id);
  LEITONG_ASSIGN(std::vector<Known> read, index_.read(ids));
  std::vector<HBaseRow> rows;
  std::size_t r = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Arriving& one = *texts[i];
    const HBaseText& entry = verdicts.entries[i];
    bool settled = done[i];
    if (!settled) {
      Known now = std::move(read[r++]);
      settled = now.bytes == puts[i].put.cells[0].value;  // it was done, and the answer lost
      one.known = std::move(now);
    }
    if (settled) {
      one.step = Arriving::Step::done;
      one.known = {entry, puts[i].put.cells[0].value};
      index_.count(entry.verdict, 1);
      // Only who stands for a family is found in the tables.
      if (one.posted && !entry.stands)
        std::ranges::move(index_.postings(entry.stamp, entry.name()), std::back_inserter(rows));
      if (one.answer == nullptr) continue;
      *one.answer = {.verdict = entry.verdict, .match = std::move(verdicts.matches[i])};
      one.answer->bounds.ids = one.bounded;
      index_.bounded_ids_ += one.bounded;
      ++index_.checks_;
    } else if (one.known.is(Stage::settled)) {
      LEITONG_TRY(take_known(one));
    } else if (one.known.is(Stage::pending) && one.known.entry.owner == owner_) {
      one.looked = false;  // somebody asked for that
    } else {
      one.step = Arriving::Step::begin;
      one.posted = one.looked = false;
    }
  }
  return index_.link_->remove(rows);
}

// In batches, each of which has an id once: who comes again is known then.
Result<void> HBaseFingerprints::add_group(std::span<Request* const> group) {
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

// What is near now, beside the match, which isn't always the first of them.
Result<void> HBaseFingerprints::add_others(std::span<const CheckedText> texts, const Wanted& wanted,
                                           std::span<Answer> answers) {
  LEITONG_ASSIGN(std::vector<Answer> now, answers_of(texts, wanted));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!answers[i].match || answers[i].known) continue;
    for (Match& other : now[i].others)
      if (other.id != answers[i].match->id) answers[i].others.push_back(std::move(other));
  }
  return {};
}

Result<std::vector<Answer>> HBaseFingerprints::add(std::span<const Text> texts, Look look,
                                                   const Wanted& wanted, ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, Secret(SipKey{}), look, true));
  std::vector<Answer> answers(texts.size());
  Request request{checked, answers, wanted};
  LEITONG_TRY(turns_.wait(request, [&](std::span<Request* const> group) { return add_group(group); }));
  if (wanted.matches > 1) LEITONG_TRY(add_others(checked, wanted, answers));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

}  // namespace leitong::online
