// Finds the near texts of a text that is added to an index on HBase that compares texts.
#include <algorithm>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/try.hpp"
#include "online/answer.hpp"
#include "online/batch.hpp"
#include "online/hbase/texts.hpp"

namespace leitong::online {

using Stage = HBaseText::Stage;
using Asking = HBaseExcerpt::Asking;
using Sight = Asking::Sight;

/// Computes the outcome for the texts of a batch, as far as the excerpt has what they need.
class HBaseTexts::Pass {
 public:
  /// `before`: number of texts of the index.
  Pass(HBaseTexts& index, HBaseExcerpt& excerpt, Arriving texts, TextNumber before)
      : index_(index), excerpt_(excerpt), texts_(texts), before_(before), scratch_(index.scratches_) {
    std::ranges::sort(in_order_ = {texts.begin(), texts.end()}, {},
                      [](const HBaseArriving* one) { return one->known.entry.name(); });
  }
  /// Searches for `looking`, which are among the texts. REQUIRES the lock of the client's knowledge.
  Result<void> run(const std::vector<HBaseArriving*>& looking);

 private:
  /// What a text of the batch is for later ones.
  enum class Becomes : std::uint8_t { open, found, not_found };

  /// `at`: number of texts of the batch before it.
  Result<void> look(HBaseArriving& one, TextNumber at);
  void decide(HBaseArriving& one);
  Sight named(const HBaseArriving& one, const HBaseName& name) const;
  Sight read(HBaseArriving& one, const HBaseName& name, const HBaseKnown& known);

  HBaseTexts& index_;
  HBaseExcerpt& excerpt_;
  const Arriving texts_;
  const TextNumber before_;
  const ScratchPool::Lease scratch_;
  std::vector<HBaseArriving*> in_order_;
  Delta learned_;  ///< of templates, by the texts so far
  std::unordered_map<std::string, Becomes> becomes_;
  std::vector<HBaseKnown> met_;  ///< pending texts that come first, for the text that searches
};

Sight HBaseTexts::Pass::named(const HBaseArriving& one, const HBaseName& name) const {
  if (name.id == one.id) return Sight::hidden;
  const auto other = becomes_.find(name.id);
  if (other == becomes_.end()) return Sight::counts;
  // Within the batch, later texts see this one.
  return name > one.known.entry.name() || other->second == Becomes::not_found ? Sight::hidden : Sight::counts;
}

Sight HBaseTexts::Pass::read(HBaseArriving& one, const HBaseName& name, const HBaseKnown& known) {
  if (known.seen()) return known.entry.found() ? Sight::counts : Sight::hidden;
  const auto other = becomes_.find(name.id);
  if (other != becomes_.end() && other->second == Becomes::found) return Sight::counts;
  if (name > one.known.entry.name()) {
    one.outlook.after.push_back(known);
    return Sight::hidden;
  }
  met_.push_back(known);
  return Sight::counts;
}

void HBaseTexts::Pass::decide(HBaseArriving& one) {
  CheckedText& text = one.checked();
  HBaseOutlook& outlook = one.outlook;
  HBaseText& entry = outlook.entry = one.known.entry;
  Becomes& becomes = becomes_[one.id];
  entry.stands = true;
  entry.other_work = false;
  entry.first = entry.name();
  if (text.look != Look::near && text.verdict == Verdict::near) text.verdict = Verdict::fresh;
  entry.verdict = text.verdict;
  {
    const std::optional<Stamp> stamp = std::exchange(text.stamp, {});
    outlook.answer = answer_of(text);
    text.stamp = stamp;
  }
  if (text.verdict != Verdict::near) {
    becomes = Becomes::found;
    // The result may be near after all, if a pending text that hides another one is not found in the end.
    if (text.bounds.candidates == 0 || met_.empty()) return;
    becomes = Becomes::open;
    outlook.before = met_;
    return;
  }
  const HBaseKnown match = excerpt_.known(text.match);
  entry.stands = false;
  entry.other_work = is_other_work(text.figures);
  entry.measure = text.figures.measure;
  entry.score = text.figures.score;
  entry.jaccard = text.figures.jaccard;
  entry.containment = text.figures.containment;
  entry.first = match.entry.first;
  outlook.match = match;
  excerpt_.set_family(one.id, entry.first);
  becomes = entry.other_work ? Becomes::found : Becomes::not_found;
  if (match.is(Stage::leaving)) {
    outlook.leaving.push_back(match);
    becomes = Becomes::open;
  } else if (match.is(Stage::pending)) {
    outlook.before.push_back(match);
    if (const auto other = becomes_.find(match.entry.label.id);
        other == becomes_.end() || other->second != Becomes::found)
      becomes = Becomes::open;
  }
}

Result<void> HBaseTexts::Pass::look(HBaseArriving& one, TextNumber at) {
  CheckedText& text = one.checked();
  Asking asking(
      excerpt_, text.keys.content, before_ + at,
      {.named = [&](const HBaseName& name) { return named(one, name); },
       .read = [&](const HBaseName& name, const HBaseKnown& known) { return read(one, name, known); }});
  const View view{index_.known_.state, &learned_, &asking};
  CheckedText* const asked = &text;
  one.outlook = {};
  do {
    met_.clear();
    LEITONG_TRY(index_.scheme_->check(view, asking, *scratch_, {&asked, 1}, nullptr));
  } while (asking.again());
  if (!asking.lacked()) {
    decide(one);
    if (becomes_.at(one.id) != Becomes::open) learn_templates(text.shared, view, learned_);
    return {};
  }
  asking.note();
  becomes_[one.id] = Becomes::open;
  return {};
}

Result<void> HBaseTexts::Pass::run(const std::vector<HBaseArriving*>& looking) {
  learned_ = {};
  learned_.first = UINT32_MAX;
  becomes_.clear();
  for (const HBaseArriving* one : texts_) {
    Becomes& becomes = becomes_[one->id] = Becomes::open;
    // It waits for a text of the batch, and will be near to it.
    const HBaseOutlook& outlook = one->outlook;
    if (one->looked && outlook.match) becomes = outlook.entry.found() ? Becomes::found : Becomes::not_found;
  }
  TextNumber at = 0;
  for (HBaseArriving* one : in_order_) {
    if (std::ranges::find(looking, one) != looking.end()) LEITONG_TRY(look(*one, at));
    ++at;
  }
  return {};
}

// For texts that wait for others: reads the present entries of these. Returns the texts that search (again).
Result<std::vector<HBaseArriving*>> HBaseTexts::follow_others(Arriving texts) {
  std::vector<std::string> ids;
  for (const HBaseArriving* one : texts)
    if (one->looked)
      for (const HBaseKnown& other : one->outlook.before) ids.push_back(other.entry.label.id);
  LEITONG_ASSIGN(std::vector<HBaseKnown> known, HBaseHome::read(ids));
  std::size_t at = 0;
  for (HBaseArriving* one : texts) {
    if (!one->looked) continue;
    HBaseOutlook& outlook = one->outlook;
    bool current = outlook.leaving.empty();
    for (HBaseKnown& other : outlook.before) {
      HBaseKnown& now = known[at++];
      const bool same = now.entry.time == other.entry.time;
      current = current && same &&
                (now.is(Stage::pending) || (outlook.match && now.is(Stage::settled) && now.entry.found()));
      other = std::move(now);
    }
    one->looked = current;
    // The earliest near text: it was that before, too.
    if (!current || !outlook.match || outlook.before.empty() || !outlook.before[0].is(Stage::settled))
      continue;
    outlook.match = std::move(outlook.before[0]);
    outlook.entry.first = outlook.match->entry.first;
    outlook.before.clear();
  }
  std::vector<HBaseArriving*> looking;
  for (HBaseArriving* one : texts)
    if (!one->looked) looking.push_back(one);
  return looking;
}

// Reads texts of other clients, which this client settles.
Result<void> HBaseTexts::read_back(Arriving texts) {
  std::vector<HBaseArriving*> lacking;
  std::vector<HBaseKnown> known;
  for (HBaseArriving* one : texts) {
    if (one->text != nullptr || one->read_back != nullptr) continue;
    lacking.push_back(one);
    known.push_back(one->known);
  }
  if (lacking.empty()) return {};
  LEITONG_ASSIGN(const std::vector<std::string> bytes, packed(known));
  const ScratchPool::Lease scratch(scratches_);
  for (std::size_t i = 0; i < lacking.size(); ++i) {
    auto back = std::make_unique<HBaseArriving::ReadBack>();
    // A text that is incomplete has been removed; what is written for it has no effect.
    if (bytes[i].size() == known[i].entry.packed_bytes)
      LEITONG_TRY((*scratch).codec.unpack(bytes[i], known[i].entry.text_bytes, back->bytes));
    back->text.id = lacking[i]->id;
    back->text.text = back->bytes;
    scheme_->prepare(secret_, back->text, *scratch);
    back->text.packed = bytes[i];
    lacking[i]->read_back = std::move(back);
  }
  return {};
}

// If a key turned out to be full, a text posts another one instead.
Result<void> HBaseTexts::post_others(HBaseExcerpt& excerpt, Arriving texts) {
  std::vector<CheckedText*> checked;
  for (const HBaseArriving* one : texts) checked.push_back(&one->checked());
  for (;;) {
    LEITONG_TRY(stop().check());
    LEITONG_TRY(read_lists(excerpt, checked));
    std::vector<HBaseArriving*> changed;
    std::deque<HBaseKnown> known;
    std::vector<Change> changes;
    for (HBaseArriving* one : texts) {
      HBaseText entry = one->known.entry;
      entry.posted = keys_to_post(one->checked());
      if (entry.posted == one->known.entry.posted) continue;
      changed.push_back(one);
      changes.push_back(change(known.emplace_back(one->known), std::move(entry)));
    }
    if (changed.empty()) return {};
    LEITONG_ASSIGN(const std::vector<bool> made, make(std::move(changes)));
    std::vector<HBaseRow> now, before;
    bool any = false;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      // Another client changed it, so this client cannot settle it: it searches again.
      if (!made[i]) continue;
      any = true;
      HBaseText left = std::exchange(changed[i]->known, std::move(known[i])).entry;
      const HBaseText& entry = changed[i]->known.entry;
      std::erase_if(left.posted,
                    [&](Key key) { return std::ranges::find(entry.posted, key) != entry.posted.end(); });
      std::ranges::move(postings(left), std::back_inserter(before));
      std::ranges::move(postings(entry), std::back_inserter(now));
      excerpt.forget(changed[i]->checked().probes.keys);
    }
    LEITONG_TRY(link_->put(now));
    LEITONG_TRY(link_->remove(before));
    if (!any) return {};
  }
}

Result<void> HBaseTexts::look(Arriving texts) {
  LEITONG_ASSIGN(std::vector<HBaseArriving*> looking, follow_others(texts));
  if (looking.empty()) return {};
  LEITONG_TRY(known_.follow(*link_));
  LEITONG_TRY(read_back(texts));
  HBaseExcerpt excerpt = this->excerpt();
  LEITONG_TRY(post_others(excerpt, looking));
  for (const HBaseArriving* one : texts) excerpt.set_whole({one->known, one->checked().packed});
  LEITONG_ASSIGN(const TextNumber before, texts_so_far());
  Pass pass(*this, excerpt, texts, before);
  for (bool more = true; more;) {
    LEITONG_TRY(stop().check());
    {
      const std::shared_lock lock(known_.mutex);
      LEITONG_TRY(pass.run(looking));
    }
    LEITONG_ASSIGN(more, excerpt.fetch());
  }
  return {};
}

Result<void> HBaseTexts::settled(Arriving texts) {
  std::vector<HBaseArriving*> in_order(texts.begin(), texts.end());
  std::ranges::sort(in_order, {}, [](const HBaseArriving* one) { return one->known.entry.name(); });
  std::vector<std::vector<std::uint32_t>> shared;
  for (const HBaseArriving* one : in_order)
    if (!one->checked().shared.empty()) shared.push_back(std::move(one->checked().shared));
  return shared.empty() ? Result<void>{} : known_.learn(*link_, shared, stop());
}

}  // namespace leitong::online
