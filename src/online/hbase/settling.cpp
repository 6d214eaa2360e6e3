// Decides a text that is added to an index on HBase: whose copy it is, which texts are near, and the put that
// settles it (home.hpp).
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.hpp"
#include "online/hbase/batch.hpp"

namespace leitong::online {

using Stage = HBaseText::Stage;

// The first text that puts its name under a content holds it; later ones become its copies when it is
// settled.
Result<void> HBaseHome::Batch::look_at_contents(const Texts& texts) {
  std::vector<const ContentDigest*> contents;
  for (const HBaseArriving* one : texts) contents.push_back(&*one->known.entry.stamp.digest);
  LEITONG_ASSIGN(const std::vector<HBaseName> representatives, index_.representatives(contents));
  std::vector<std::string> ids;
  ids.reserve(representatives.size());
  for (const HBaseName& name : representatives) ids.push_back(name.id);
  LEITONG_ASSIGN(const std::vector<HBaseKnown> read, index_.read(ids));
  std::vector<HBaseCheckedPut> puts;
  Texts claiming;
  std::vector<HBaseRow> copies;
  std::vector<std::size_t> copying;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HBaseArriving& one = *texts[i];
    const HBaseName name = one.known.entry.name();
    if (representatives[i] == name) {
      one.step = Step::tables;
      moved_ = true;
      continue;
    }
    const HBaseKnown& representative = read[i];
    const bool current = !representatives[i].id.empty() && representative.exists() &&
                         representative.entry.stamp.digest == *contents[i] &&
                         (representative.entry.holds || representative.entry.name() == representatives[i]);
    if (!current) {
      const std::string was =
          representatives[i].id.empty() ? std::string() : bytes_of_name(representatives[i]);
      puts.push_back({"h", was, {content_key(*contents[i]), {{"h", bytes_of_name(name)}}}});
      claiming.push_back(&one);
    } else if (representative.is(Stage::pending)) {
      if (representative.entry.owner != owner_) LEITONG_TRY(wait_for(representative));
    } else if (representative.is(Stage::leaving)) {
      LEITONG_TRY(index_.finish_leaving(representative));
      moved_ = true;
    } else {
      copies.push_back({copies_key(*contents[i]) + bytes_of_name(name), {{"n", ""}}});
      copying.push_back(i);
    }
  }
  LEITONG_ASSIGN(const std::vector<bool> claimed, index_.link_->put_if(puts));
  contents.clear();
  for (std::size_t i = 0; i < claiming.size(); ++i)
    if (!claimed.at(i)) contents.push_back(&*claiming[i]->known.entry.stamp.digest);
  LEITONG_ASSIGN(const std::vector<HBaseName> quicker, index_.representatives(contents));
  std::size_t lost = 0;
  for (std::size_t i = 0; i < claiming.size(); ++i) {
    // Or this batch put the name, and the answer was lost.
    if (claimed[i] || quicker[lost++] == claiming[i]->known.entry.name()) claiming[i]->step = Step::tables;
    moved_ = true;
  }

  // First a copy is listed, then its representative is read again. A client that removes a representative
  // marks it before it reads the list, so one of the two sees the other.
  LEITONG_TRY(index_.link_->put(copies));
  ids.clear();
  for (const std::size_t i : copying) ids.push_back(representatives[i].id);
  LEITONG_ASSIGN(const std::vector<HBaseKnown> again, index_.read(ids));
  Verdicts verdicts;
  for (std::size_t c = 0; c < copying.size(); ++c) {
    const std::size_t i = copying[c];
    const HBaseKnown& representative = again[c];
    if (!representative.is(Stage::settled) || !representative.entry.holds ||
        representative.entry.stamp.digest != *contents[i]) {
      moved_ = true;
      continue;
    }
    HBaseText entry = texts[i]->known.entry;
    entry.stage = Stage::settled;
    entry.verdict = Verdict::exact;
    entry.first = representative.entry.first;
    entry.holds = entry.stands = false;
    entry.distance = 0;
    LEITONG_ASSIGN(std::optional<Match> match, index_.match_of(representative, entry));
    verdicts.texts.push_back(texts[i]);
    verdicts.answers.push_back({.verdict = Verdict::exact, .match = std::move(match)});
    verdicts.entries.push_back(std::move(entry));
  }
  return settle(std::move(verdicts));
}

Result<bool> HBaseHome::Batch::may_settle(HBaseArriving& one) {
  HBaseOutlook& outlook = one.outlook;
  if (!outlook.leaving.empty()) {
    for (HBaseKnown& other : outlook.leaving) LEITONG_TRY(index_.finish_leaving(std::move(other)));
    one.looked = false;
    moved_ = true;
    return false;
  }
  for (const HBaseKnown& other : outlook.before)
    if (other.entry.owner != owner_) LEITONG_TRY(wait_for(other));
  if (!outlook.before.empty()) return false;
  if (outlook.match) return true;
  // All texts that were found were settled before this one; no pending one comes first.
  for (HBaseKnown& other : outlook.after) {
    if (other.entry.owner == owner_) continue;
    LEITONG_TRY(index_.raise(other));
    if (other.is(Stage::pending)) continue;
    one.looked = false;  // it was settled meanwhile
    moved_ = true;
    return false;
  }
  return true;
}

Result<void> HBaseHome::Batch::look_into_tables(const Texts& texts) {
  // Put first ..
  std::vector<HBaseRow> rows;
  // Results of other texts of the batch become invalid: a text that is posted now may come before them.
  const bool puts = !std::ranges::all_of(texts, &HBaseArriving::posted);
  for (HBaseArriving* one : texts) {
    if (!one->posted) std::ranges::move(index_.postings(one->known.entry), std::back_inserter(rows));
    one->looked &= !puts;
  }
  LEITONG_TRY(index_.link_->put(rows));
  for (HBaseArriving* one : texts) one->posted = true;
  // .. then query.
  LEITONG_TRY(index_.look(texts));
  for (HBaseArriving* one : texts) one->looked = true;

  Verdicts verdicts;
  std::vector<HBaseRow> members;
  std::vector<HBaseName> heads;  // of those that are members
  for (HBaseArriving* one : texts) {
    LEITONG_ASSIGN(const bool settles, may_settle(*one));
    if (!settles) continue;
    HBaseText entry = one->outlook.entry;
    entry.stage = Stage::settled;
    entry.holds = true;
    heads.emplace_back();
    if (one->outlook.match) {
      heads.back() = one->outlook.match->entry.name();
      members.push_back({members_key(entry.first) + bytes_of_name(entry.name()), {{"n", ""}}});
    }
    verdicts.texts.push_back(one);
    verdicts.entries.push_back(std::move(entry));
    verdicts.answers.push_back(one->outlook.answer);
  }
  // As for copies: each member is listed, then its representative is read again.
  LEITONG_TRY(index_.link_->put(members));
  std::vector<std::string> ids;
  for (const HBaseName& head : heads)
    if (!head.id.empty()) ids.push_back(head.id);
  LEITONG_ASSIGN(const std::vector<HBaseKnown> again, index_.read(ids));
  Verdicts sure;
  std::size_t h = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    HBaseArriving& one = *verdicts.texts[i];
    if (!heads[i].id.empty()) {
      const HBaseKnown& head = again[h++];
      if (!head.is(Stage::settled) || head.entry.time != heads[i].time) one.looked = false;
    }
    // Another client had taken it over, and it came back.
    if (!one.looked || one.step != Step::tables) {
      moved_ = true;
      continue;
    }
    sure.texts.push_back(&one);
    sure.entries.push_back(std::move(verdicts.entries[i]));
    sure.answers.push_back(std::move(verdicts.answers[i]));
  }
  return settle(std::move(sure));
}

Result<void> HBaseHome::Batch::settle(Verdicts verdicts) {
  const Texts& texts = verdicts.texts;
  if (texts.empty()) return {};
  moved_ = true;
  std::vector<Change> changes;
  std::vector<HBaseText> pending;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HBaseText& entry = verdicts.entries[i];
    if (!entry.found()) entry.posted.clear();
    pending.push_back(texts[i]->known.entry);
    changes.push_back(index_.change(texts[i]->known, std::move(entry)));
  }
  LEITONG_ASSIGN(const std::vector<bool> made, index_.make(std::move(changes)));
  std::vector<HBaseRow> rows;
  Texts settled_now;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HBaseArriving& one = *texts[i];
    if (made[i]) {
      const HBaseText& entry = one.known.entry;
      index_.count(entry.verdict, 1);
      // Only texts that represent a family or are another work are found in the tables.
      if (one.posted && !entry.found())
        std::ranges::move(index_.postings(pending[i]), std::back_inserter(rows));
      one.step = Step::done;
      if (entry.verdict != Verdict::exact) settled_now.push_back(&one);
      if (one.answer == nullptr) continue;
      *one.answer = std::move(verdicts.answers[i]);
      index_.checks_.count(one.answer->bounds);
      continue;
    }
    if (one.known.is(Stage::settled)) {
      LEITONG_TRY(take_known(one));
    } else if (one.known.is(Stage::pending) && one.known.entry.owner == owner_) {
      one.looked = false;  // another client made it search again
    } else {
      one.step = Step::begin;
      one.posted = one.looked = false;
    }
  }
  LEITONG_TRY(index_.link_->remove(rows));
  return index_.settled(settled_now);
}

}  // namespace leitong::online
