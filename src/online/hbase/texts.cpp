#include "online/hbase/texts.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "online/answer.hpp"
#include "online/batch.hpp"
#include "online/bytes.hpp"

namespace leitong::online {
namespace {

// The most bytes that a commit can learn about templates; more than this is not learned.
constexpr std::size_t kMostLearned = std::size_t{1} << 20;
// Rows of what was learned that are read at once.
constexpr std::uint32_t kLearnedPage = 16;

// For a copy nothing else is needed.
bool is_copy(const CheckedText& text) { return text.verdict == Verdict::exact && text.matches_wanted <= 1; }

}  // namespace

HBaseTexts::HBaseTexts(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index)
    : HBaseHome(context, std::move(link), index) {}

std::vector<HBaseRow> HBaseTexts::postings(const HBaseText& entry) const {
  std::vector<HBaseRow> rows;
  for (const Key key : entry.posted) rows.push_back(posting_cell(key, wide_, entry.name(), entry.record));
  return rows;
}

Result<std::optional<Match>> HBaseTexts::near_match(const HBaseText& match, const HBaseText& known,
                                                    const CheckedText& text) {
  LEITONG_ASSIGN(const std::vector<std::string> bytes, packed({&match, 1}));
  if (bytes[0].size() != match.packed_bytes) return std::nullopt;
  const ScratchPool::Lease scratch(scratches_);
  (*scratch).row = match.row();
  LEITONG_TRY((*scratch).codec.unpack(bytes[0], match.text_bytes, (*scratch).text));
  to_units((*scratch).text, text.keys.folding, (*scratch).units);
  const VerifiedPair first{.jaccard = known.jaccard,
                           .containment = known.containment,
                           .score = known.score,
                           .measure = known.measure};
  const std::shared_lock lock(known_mutex_);
  return match_now({known_}, first, text, (*scratch).units, *scratch);
}

Result<void> HBaseTexts::follow_learned() {
  const std::scoped_lock turn(learning_);
  const std::size_t before = learned_part().size();
  for (;;) {
    LEITONG_ASSIGN(const auto pages,
                   link_->scan({{learned_key(learned_ + 1), end_of(learned_part()), kLearnedPage}}));
    const std::unique_lock lock(known_mutex_);
    for (const HBaseRow& row : pages[0]) {
      const std::uint64_t commit = number_in_key(std::string_view(row.key).substr(before));
      if (row.key != learned_key(commit) || row.cells.empty() ||
          !known_.templates.take(row.cells[0].value, known_.templates_version))
        return link_->not_understood("what is known of templates");
      learned_ = commit;
    }
    if (pages[0].size() < kLearnedPage) return {};
  }
}

Result<void> HBaseTexts::read_lists(HBaseExcerpt& excerpt, std::span<CheckedText* const> texts) {
  for (bool more = true; more;) {
    {
      const std::shared_lock lock(known_mutex_);
      for (CheckedText* text : texts) {
        choose_lists({known_}, *text);
        excerpt.want(text->probes.keys);
      }
    }
    LEITONG_ASSIGN(more, excerpt.fetch());
    const std::vector<Key> full = excerpt.newly_full();
    if (full.empty()) continue;
    const std::unique_lock lock(known_mutex_);
    known_.full.insert(full.begin(), full.end());
  }
  return {};
}

Result<HBaseExcerpt> HBaseTexts::excerpt_for(std::span<CheckedText* const> texts, std::uint64_t received,
                                             bool to_post) {
  LEITONG_TRY(follow_learned());
  HBaseExcerpt excerpt(context_, *link_, wide_,
                       static_cast<TextNumber>(std::min<std::uint64_t>(received, UINT32_MAX / 2)));
  std::vector<const ContentDigest*> contents;
  for (const CheckedText* text : texts) contents.push_back(&*text->stamp->digest);
  LEITONG_ASSIGN(const std::vector<HBaseName> names, representatives(contents));
  std::vector<CheckedText*> looking;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    excerpt.add_representative(texts[i]->keys.content, names[i]);
    if ((to_post || texts[i]->look != Look::copies) && (names[i].id.empty() || texts[i]->matches_wanted > 1))
      looking.push_back(texts[i]);
  }
  LEITONG_TRY(read_lists(excerpt, looking));
  return excerpt;
}

Result<void> HBaseTexts::check_all(std::span<CheckedText* const> texts, Explanation* explanation) {
  LEITONG_ASSIGN(const HBaseMoment now, present_moment(*link_));
  LEITONG_ASSIGN(HBaseExcerpt excerpt, excerpt_for(texts, now.next - 1, false));
  const ScratchPool::Lease scratch(scratches_);
  std::vector<CheckedText*> left(texts.begin(), texts.end());
  for (bool more = true; more && !left.empty();) {
    LEITONG_TRY(stop().check());
    std::vector<CheckedText*> lacking;
    {
      const std::shared_lock lock(known_mutex_);
      for (CheckedText* text : left) {
        HBaseExcerpt::Asking asking(excerpt);
        if (explanation != nullptr) *explanation = {};
        LEITONG_TRY(scheme_->check({known_, nullptr, &asking}, asking, *scratch, {&text, 1}, explanation));
        const bool copies = text->look == Look::copies && !asking.lacked_texts();
        if (!is_copy(*text) && !copies && asking.lacked()) lacking.push_back(text);
      }
    }
    left = std::move(lacking);
    LEITONG_ASSIGN(more, excerpt.fetch());
  }
  return {};
}

// The whole batch is computed again until the excerpt has everything that it needs.
Result<void> HBaseTexts::decide(std::span<Arriving> texts, HBaseChange& change) {
  const std::uint64_t received = change.after.next - 1 - texts.size();
  std::vector<CheckedText*> asked;
  for (const Arriving& one : texts) asked.push_back(one.text);
  LEITONG_ASSIGN(HBaseExcerpt excerpt, excerpt_for(asked, received, true));
  // Stamps only find copies.
  for (CheckedText* text : asked) text->stamp.reset();
  const auto put_back = [&](Delta& delta) {
    for (std::size_t i = 0; i < delta.texts.size(); ++i)
      asked[i]->packed = std::move(delta.texts[i].row.packed);
  };
  const ScratchPool::Lease scratch(scratches_);
  Delta delta;
  for (bool more = true; more;) {
    LEITONG_TRY(stop().check());
    {
      const std::shared_lock lock(known_mutex_);
      put_back(delta);
      delta = {};
      delta.first = excerpt.end();
      for (const Arriving& one : texts) {
        HBaseExcerpt::Asking asking(excerpt);
        const View view{known_, &delta, &asking};
        online::Batch batch{*scheme_, view, asking, *scratch, delta};
        LEITONG_ASSIGN(*one.answer, add_to_batch(batch, *one.text, false));
        if (!is_copy(*one.text)) (void)asking.lacked();
      }
    }
    LEITONG_ASSIGN(more, excerpt.fetch());
  }
  put_back(delta);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HBaseText& entry = texts[i].entry;
    const Row& row = delta.texts[i].row;
    texts[i].text->stamp = entry.stamp;
    entry.verdict = row.verdict;
    entry.holds = row.verdict != Verdict::exact;
    entry.stands = row.verdict == Verdict::fresh;
    entry.other_work = row.other_work;
    entry.first =
        row.family < delta.first ? excerpt.family(row.family) : texts[row.family - delta.first].entry.name();
    entry.record = delta.texts[i].record;
    entry.measure = row.measure;
    entry.score = row.score;
    entry.jaccard = row.jaccard;
    entry.containment = row.containment;
    // The first key of its entry is the key of the content.
    const auto& keys = delta.log[i].keys;
    if (entry.found()) entry.posted.assign(keys.begin() + 1, keys.end());
  }
  if (delta.templates.size() == 0) return {};
  std::string learned = delta.templates.bytes_of_all();
  if (learned.size() <= kMostLearned)
    change.put({learned_key(change.after.commit), {{"l", std::move(learned)}}});
  return {};
}

Result<std::vector<Answer>> HBaseTexts::answers_of(std::span<CheckedText* const> texts) {
  LEITONG_TRY(check_all(texts, nullptr));
  std::vector<Answer> answers;
  for (const CheckedText* text : texts) answers.push_back(answer_of(*text));
  return answers;
}

Result<Explanation> HBaseTexts::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, stamped({&one, 1}, Look::near, {}, false));
  Explanation explanation;
  CheckedText* const asked = checked.data();
  if (asked->verdict != Verdict::refused) LEITONG_TRY(check_all({&asked, 1}, &explanation));
  explanation.units = static_cast<std::uint32_t>(asked->keys.units.size());
  explanation.answer = answer_of(*asked);
  return explanation;
}

Result<void> HBaseTexts::post_anew(HBaseText& successor) {
  LEITONG_ASSIGN(const std::vector<std::string> bytes, packed({&successor, 1}));
  if (bytes[0].size() != successor.packed_bytes) return {};  // another client was faster
  const ScratchPool::Lease scratch(scratches_);
  std::string text;
  LEITONG_TRY((*scratch).codec.unpack(bytes[0], successor.text_bytes, text));
  CheckedText checked;
  checked.text = text;
  scheme_->prepare(secret_, checked, *scratch);
  checked.stamp = successor.stamp;
  checked.look = Look::copies;
  CheckedText* const one = &checked;
  LEITONG_ASSIGN(HBaseExcerpt excerpt, excerpt_for({&one, 1}, 0, false));
  LEITONG_TRY(read_lists(excerpt, {&one, 1}));
  const std::shared_lock lock(known_mutex_);
  Delta delta;
  const View view{known_, &delta};
  choose_lists(view, checked);
  checked.holders.assign(checked.probes.keys.size(), 0);
  LogEntry entry{0, successor.record, {}};
  LEITONG_TRY(scheme_->post(checked, true, view, delta, entry));
  successor.posted.assign(entry.keys.begin() + 1, entry.keys.end());
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
  LEITONG_TRY(follow_learned());
  const std::shared_lock lock(known_mutex_);
  figures.full_keys = known_.full.size();
  figures.shared_shingles = known_.templates.size();
  return {};
}

}  // namespace leitong::online
