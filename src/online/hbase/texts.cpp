#include "online/hbase/texts.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.hpp"
#include "online/answer.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {
namespace {

using Sight = HBaseExcerpt::Asking::Sight;

// The answer without the stamp, by which only copies are found.
Answer answer_without_stamp(CheckedText& text) {
  const std::optional<Stamp> stamp = std::exchange(text.stamp, {});
  Answer answer = answer_of(text);
  text.stamp = stamp;
  return answer;
}

}  // namespace

HBaseTexts::HBaseTexts(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index)
    : HBaseHome(context, std::move(link), index) {}

void HBaseTexts::note_text(const CheckedText& text, HBaseText& entry) {
  entry.record = scheme_->record(text);
  entry.text_hash = XXH3_64bits(text.text.data(), text.text.size());
}

void HBaseTexts::note_posted(CheckedText& text, HBaseText& entry) { entry.posted = keys_to_post(text); }

std::vector<Key> HBaseTexts::keys_to_post(CheckedText& text) {
  const std::shared_lock lock(known_.mutex);
  Delta delta;
  const View view{known_.state, &delta};
  choose_lists(view, text);
  text.holders.assign(text.probes.keys.size(), 0);
  LogEntry entry{0, scheme_->record(text), {}};
  if (!scheme_->post(text, true, view, delta, entry)) return {};
  entry.keys.erase(entry.keys.begin());  // the key of the content
  return {entry.keys.begin(), entry.keys.end()};
}

std::vector<HBaseRow> HBaseTexts::postings(const HBaseText& entry) const {
  std::vector<HBaseRow> rows;
  for (const Key key : entry.posted) rows.push_back(posting_cell(key, wide_, entry.name(), entry.record));
  return rows;
}

Result<std::optional<Match>> HBaseTexts::match_of(const HBaseKnown& match, const HBaseText& text) {
  Row row;
  row.id = match.entry.label.id;
  row.source = match.entry.label.source;
  row.time = match.entry.label.time;
  if (text.verdict == Verdict::exact)
    return online::match_of(row, {.jaccard = 1, .containment = 1, .score = 1, .measure = Measure::identical},
                            {});
  const std::array<HBaseKnown, 2> both = {HBaseKnown{text, {}}, match};
  LEITONG_ASSIGN(const std::vector<std::string> bytes, packed(both));
  for (std::size_t i = 0; i < both.size(); ++i)
    if (bytes[i].size() != both[i].entry.packed_bytes) return std::nullopt;
  const ScratchPool::Lease scratch(scratches_);
  const Folding& folding = scheme_->spec().folding;
  std::array<PodVector<Unit>, 2> units;
  std::array<Shingled, 2> shingled;
  std::array<std::string, 2> unpacked;
  for (std::size_t i = 0; i < both.size(); ++i) {
    LEITONG_TRY((*scratch).codec.unpack(bytes[i], both[i].entry.text_bytes, unpacked[i]));
    to_units(unpacked[i], folding, units[i]);
    shingled[i].set(units[i]);
  }
  const VerifiedPair first{
      .jaccard = text.jaccard, .containment = text.containment, .score = text.score, .measure = text.measure};
  const std::shared_lock lock(known_.mutex);
  const View view{known_.state};
  const VerifiedPair figures = figures_now(first, view, shingled[0], shingled[1]);
  return online::match_of(
      row, figures, {},
      (*scratch).losses.find(view, folding, {shingled[0], unpacked[0]}, {shingled[1], unpacked[1]}));
}

Result<void> HBaseTexts::read_lists(HBaseExcerpt& excerpt, std::span<CheckedText* const> texts) {
  for (bool more = true; more;) {
    {
      const std::shared_lock lock(known_.mutex);
      for (CheckedText* text : texts) {
        choose_lists({known_.state}, *text);
        std::vector<Key> keys = text->probes.keys;
        std::erase(keys, text->keys.content);
        excerpt.want(keys);
      }
    }
    LEITONG_ASSIGN(more, excerpt.fetch());
    LEITONG_ASSIGN(const std::vector<Key> full, excerpt.newly_full());
    if (full.empty()) continue;
    const std::unique_lock lock(known_.mutex);
    known_.state.full.insert(full.begin(), full.end());
  }
  return {};
}

// Less the removed ones, which matters while there are few.
Result<TextNumber> HBaseTexts::texts_so_far() {
  if (enough_texts_) return UINT32_MAX / 2;
  LEITONG_ASSIGN(const std::uint64_t texts, texts_counted());
  enough_texts_ = texts > 2 * TemplateRule::kRareDocuments;
  return static_cast<TextNumber>(std::min<std::uint64_t>(texts, UINT32_MAX / 2));
}

Result<void> HBaseTexts::check_all(std::span<CheckedText* const> texts, Explanation* explanation) {
  LEITONG_TRY(known_.follow(*link_));
  LEITONG_ASSIGN(const TextNumber before, texts_so_far());
  std::vector<const ContentDigest*> contents;
  for (const CheckedText* text : texts) contents.push_back(&*text->stamp->digest);
  LEITONG_ASSIGN(const std::vector<HBaseName> names, representatives(contents));
  HBaseExcerpt excerpt = this->excerpt();
  std::vector<CheckedText*> looking;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // Most texts whose content has a representative are copies, for which nothing else is needed.
    const bool held = !names[i].id.empty() && names[i].id != texts[i]->id;
    if (held) excerpt.set_representative(texts[i]->keys.content, names[i]);
    if (texts[i]->look != Look::copies && (!held || texts[i]->matches_wanted > 1))
      looking.push_back(texts[i]);
  }
  LEITONG_TRY(read_lists(excerpt, looking));
  const ScratchPool::Lease scratch(scratches_);
  std::vector<CheckedText*> left(texts.begin(), texts.end());
  for (bool more = true; more && !left.empty();) {
    LEITONG_TRY(stop().check());
    std::vector<CheckedText*> lacking;
    {
      const std::shared_lock lock(known_.mutex);
      for (CheckedText* text : left) {
        HBaseExcerpt::Asking asking(
            excerpt, text->keys.content, before,
            {.named =
                 [&](const HBaseName& name) { return name.id == text->id ? Sight::hidden : Sight::counts; },
             .read =
                 [&](const HBaseName& name, const HBaseKnown& known) {
                   const bool copy = known.entry.holds && known.entry.stamp.digest == text->stamp->digest;
                   return known.seen_as(name) && (known.entry.found() || copy) ? Sight::counts
                                                                               : Sight::hidden;
                 }});
        do {
          if (explanation != nullptr) *explanation = {};
          LEITONG_TRY(
              scheme_->check({known_.state, nullptr, &asking}, asking, *scratch, {&text, 1}, explanation));
        } while (asking.again());
        const bool copy = text->verdict == Verdict::exact && text->matches_wanted <= 1;
        if (!asking.lacked() || copy || (text->look == Look::copies && !asking.lacked_texts())) continue;
        asking.note();
        lacking.push_back(text);
      }
    }
    left = std::move(lacking);
    LEITONG_ASSIGN(more, excerpt.fetch());
  }
  return {};
}

Result<std::vector<Answer>> HBaseTexts::answers_of(std::span<CheckedText> texts, const Wanted& wanted) {
  std::vector<CheckedText*> asked;
  for (CheckedText& text : texts) {
    text.matches_wanted = wanted.matches;
    if (text.verdict != Verdict::refused) asked.push_back(&text);
  }
  LEITONG_TRY(check_all(asked, nullptr));
  std::vector<Answer> answers;
  for (CheckedText& text : texts) answers.push_back(answer_without_stamp(text));
  return answers;
}

Result<Explanation> HBaseTexts::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped({&one, 1}, Look::near, false));
  Explanation explanation;
  CheckedText* const asked = checked.data();
  if (asked->verdict != Verdict::refused) LEITONG_TRY(check_all({&asked, 1}, &explanation));
  explanation.units = static_cast<std::uint32_t>(asked->keys.units.size());
  explanation.answer = answer_without_stamp(*asked);
  return explanation;
}

Result<void> HBaseTexts::inherit(const HBaseKnown& was, const HBaseText& leaving, bool copy,
                                 HBaseText& successor) {
  if (copy) {
    successor.posted = leaving.posted;
    return {};
  }
  if (was.entry.found()) return {};  // it was found before
  LEITONG_ASSIGN(const std::vector<std::string> bytes, packed({&was, 1}));
  if (bytes[0].size() != was.entry.packed_bytes) return {};  // it was removed, too
  const ScratchPool::Lease scratch(scratches_);
  std::string text;
  LEITONG_TRY((*scratch).codec.unpack(bytes[0], was.entry.text_bytes, text));
  CheckedText checked;
  checked.text = text;
  scheme_->prepare(secret_, checked, *scratch);
  HBaseExcerpt excerpt = this->excerpt();
  CheckedText* const one = &checked;
  LEITONG_TRY(read_lists(excerpt, {&one, 1}));
  successor.posted = keys_to_post(checked);
  return {};
}

Result<std::string> HBaseTexts::damage(const HBaseText& entry, const std::string& text) {
  const ScratchPool::Lease scratch(scratches_);
  CheckedText checked;
  checked.text = text;
  scheme_->prepare(secret_, checked, *scratch);
  const bool same = scheme_->record(checked) == entry.record &&
                    content_digest(checked.text, checked.keys.units) == entry.stamp.digest;
  return std::string(same ? "" : "isn't what its record was made of");
}

Result<void> HBaseTexts::add_figures(Figures& figures) {
  LEITONG_TRY(known_.follow(*link_));
  const std::shared_lock lock(known_.mutex);
  figures.full_keys = known_.state.full.size();
  figures.shared_shingles = known_.state.templates.size();
  return {};
}

}  // namespace leitong::online
