#include "online/redis/texts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "online/answer.hpp"
#include "online/bytes.hpp"
#include "online/candidates.hpp"

namespace leitong::online {
namespace {

// Texts that are passed on or verified at once.
constexpr std::uint32_t kTextsAtOnce = 128;

}  // namespace

RedisTexts::RedisTexts(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription index)
    : RedisHome(context, std::move(link), index), secret_(index.secret) {
  known_.levels = index.levels;
}

void RedisTexts::want_lists(RedisExcerpt& excerpt, std::span<CheckedText* const> texts) {
  const std::shared_lock lock(known_.mutex);
  const View view{known_.state};
  for (CheckedText* text : texts) {
    choose_lists(view, *text);
    excerpt.want(text->probes.keys, text->id);
  }
}

Result<void> RedisTexts::check_all(RedisExcerpt& excerpt, std::vector<CheckedText*> texts, bool to_be_added,
                                   const std::function<void()>& meanwhile) {
  std::vector<std::uint8_t> lacked;
  const auto check_one = [&](std::size_t i, const ScratchPool::Lease& scratch) -> Result<void> {
    RedisExcerpt::Asking asking(excerpt);
    if (to_be_added) {
      LEITONG_ASSIGN(texts[i]->known, asking.find(texts[i]->id));
    }
    LEITONG_TRY(scheme_->check({known_.state, nullptr, &asking}, asking, *scratch,
                               std::span(texts).subspan(i, 1), nullptr));
    lacked[i] = asking.lacked();
    return {};
  };
  bool first = true;
  while (first || !texts.empty()) {
    lacked.assign(texts.size(), 0);
    {
      const std::shared_lock lock(known_.mutex);
      LEITONG_TRY(on_threads(context_, [&] {
        return parallel_for_each(
            stop(), texts.size(), [&] { return ScratchPool::Lease(scratches_); }, check_one);
      }));
    }
    std::size_t left = 0;
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (lacked[i] != 0) texts[left++] = texts[i];
    texts.resize(left);
    LEITONG_TRY(excerpt.fetch());
    if (first && meanwhile) meanwhile();
    first = false;
    if (excerpt.is_stale()) return {};
  }
  return {};
}

Result<std::vector<Answer>> RedisTexts::check(std::span<const Text> texts, Look look, const Wanted& wanted) {
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, secret_, look, false));
  std::vector<Answer> answers;
  const auto check_part = [&](std::span<CheckedText> part) -> Result<void> {
    std::vector<CheckedText*> asked;
    for (CheckedText& text : part) {
      text.matches_wanted = wanted.matches;
      if (text.verdict != Verdict::refused) asked.push_back(&text);
    }
    const auto look_up = [&](RedisExcerpt& excerpt) -> Result<void> {
      want_lists(excerpt, asked);
      LEITONG_TRY(excerpt.fetch());
      return check_all(excerpt, asked, false);
    };
    LEITONG_TRY(at_one_moment(look_up));
    for (const CheckedText* text : asked) checks_.count(text->bounds);
    for (const CheckedText& text : part) answers.push_back(answer_of(text));
    return {};
  };
  for (std::span<CheckedText> left = checked; !left.empty();) {
    const std::size_t count = size_of_part(left, [](const CheckedText& text) { return text.text.size(); });
    LEITONG_TRY(check_part(left.first(count)));
    left = left.subspan(count);
  }
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

Result<Explanation> RedisTexts::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared({&one, 1}, secret_, Look::near, false));
  Explanation explanation;
  if (checked[0].verdict != Verdict::refused) {
    const ScratchPool::Lease scratch(scratches_);
    CheckedText* const asked = checked.data();
    LEITONG_TRY(at_one_moment([&](RedisExcerpt& excerpt) {
      return with_all(excerpt, [&](const RedisExcerpt::Asking& asking) {
        explanation = {};
        return scheme_->check({known_.state, nullptr, &asking}, asking, *scratch, {&asked, 1}, &explanation);
      });
    }));
  }
  explanation.units = static_cast<std::uint32_t>(checked[0].keys.units.size());
  explanation.answer = answer_of(checked[0]);
  return explanation;
}

Result<void> RedisTexts::verify_postings() {
  LEITONG_ASSIGN(const TextNumber end, next_number());
  for (std::uint64_t first = 0; first < end; first += kTextsAtOnce)
    LEITONG_TRY(verify_some(static_cast<TextNumber>(first),
                            static_cast<TextNumber>(std::min<std::uint64_t>(end, first + kTextsAtOnce))));
  // What was learned cannot be derived from the texts, but its length is known.
  LEITONG_ASSIGN(const std::vector<RedisReply> lengths,
                 link_->ask({{"HMGET", link_->key("meta"), "full_bytes", "template_bytes"},
                             {"STRLEN", link_->key("full")},
                             {"STRLEN", link_->key("templates")}}));
  if (lengths[0].list.size() != 2) return link_->not_understood("the lengths");
  for (std::size_t i = 0; i < 2; ++i)
    if (number_in(lengths[0].list[i].text).value_or(0) != static_cast<std::uint64_t>(lengths[1 + i].integer))
      return damaged(i == 0 ? "the list of full keys is damaged"
                            : "what was learned of templates is damaged");
  return {};
}

namespace {

// Which keys of a tier were posted depends on which keys were full, and which shingles templates, at that
// time. Both sets only grow, so a text posted at least as many keys as it would post now, all of them among
// the tried ones.
struct PostedKeys {
  std::vector<Key> keys;
  std::vector<std::size_t> tier;
  std::array<std::uint32_t, kTiers> least{};
};

PostedKeys keys_posted(const TextKeys& text, const View& view) {
  PostedKeys posted;
  for (std::size_t t = 0; t < kTiers; ++t) {
    for (const Key key : text.tried(t)) {
      posted.keys.push_back(key);
      posted.tier.push_back(t);
      posted.least[t] += !view.is_full(key);
    }
    posted.least[t] = std::min(posted.least[t], text.quota[t].post);
  }
  return posted;
}

}  // namespace

Result<void> RedisTexts::verify_some(TextNumber first, TextNumber end) {
  const ScratchPool::Lease scratch(scratches_);
  std::string damage;
  const auto work = [&](RedisExcerpt::Asking& asking) -> Result<void> {
    const View view{known_.state, nullptr, &asking};
    damage.clear();
    Row row;
    std::string bytes;
    CheckedText text;
    PostingLists& lists = (*scratch).lists;
    std::vector<std::uint32_t> most;
    const auto holders_of = [&](std::span<const Key> keys) -> Result<bool> {
      most.assign(keys.size(), kFull);
      LEITONG_TRY(view.find_lists(keys, most, lists));
      return !asking.lacked();
    };
    const auto holds = [&](std::size_t list, TextNumber number) {
      return std::ranges::find(lists[list], number) != lists[list].end();
    };
    for (TextNumber number = first; number < end; ++number) {
      LEITONG_ASSIGN(const bool there, asking.read(number, row));
      if (!there) continue;
      const auto note = [&](std::string_view what) {
        if (damage.empty()) damage = fmt::format("the text with the id \"{}\" {}", row.id, what);
      };
      LEITONG_ASSIGN(const TextNumber representative, asking.representative(row.content));
      LEITONG_ASSIGN(const TextNumber stands, asking.representative(row.family));
      if (!(*scratch).codec.unpack(row.packed, row.text_bytes, bytes)) note("is damaged");
      if (representative != number) continue;
      text.text = bytes;
      scheme_->prepare(secret_, text, *scratch);
      LEITONG_ASSIGN(const TextRecord record, view.record(number));
      if (record != scheme_->record(text)) note("isn't what its record was made of");
      std::vector<Key> whole{text.keys.content};
      const bool posts_keys = stands == number || row.other_work;
      if (posts_keys && text.keys.set) whole.push_back(*text.keys.set);
      // Texts that are not read yet are checked in the next pass.
      LEITONG_ASSIGN(const bool whole_are_here, holders_of(whole));
      for (std::size_t k = 0; whole_are_here && k < whole.size(); ++k)
        if (!holds(k, number))
          note(k == 0 ? "isn't found by its content" : "isn't found by its set of shingles");
      if (!posts_keys) continue;
      const PostedKeys posted = keys_posted(text.keys, view);
      LEITONG_ASSIGN(const bool are_here, holders_of(posted.keys));
      if (!are_here) continue;
      std::array<std::uint32_t, kTiers> found{};
      for (std::size_t k = 0; k < posted.keys.size(); ++k) found[posted.tier[k]] += holds(k, number);
      for (std::size_t t = 0; t < kTiers; ++t)
        if (found[t] < posted.least[t])
          note(fmt::format("is found by {} of the {} keys that it posted", found[t], posted.least[t]));
    }
    return {};
  };
  LEITONG_TRY(at_one_moment([&](RedisExcerpt& excerpt) { return with_all(excerpt, work); }));
  return damage.empty() ? Result<void>{} : damaged(damage);
}

Result<Figures> RedisTexts::figures() {
  // Reads the new full keys and templates.
  std::vector<RedisReply> replies;
  const auto ask = [&](RedisExcerpt& excerpt) -> Result<void> {
    std::vector<RedisCommand> commands = excerpt.commands();
    commands.push_back({"HGET", link_->key("meta"), "postings"});
    LEITONG_ASSIGN(replies, link_->ask(std::move(commands)));
    return excerpt.take(std::span(replies).first(replies.size() - 1));
  };
  LEITONG_TRY(at_one_moment(ask));
  LEITONG_ASSIGN(Figures figures, RedisHome::figures());
  figures.postings = number_in(replies.back().text);
  figures.memory_bytes = memory_bytes();
  figures.checked_twice = checked_twice_;
  const std::shared_lock lock(known_.mutex);
  figures.full_keys = known_.state.full.size();
  figures.shared_shingles = known_.state.templates.size();
  return figures;
}

// Leaves out small parts and the lists of families. Nothing if the server does not tell, for example because
// the user lacks the right.
std::optional<std::uint64_t> RedisTexts::memory_bytes() {
  constexpr std::uint32_t kSampled = 256;
  constexpr std::array kWhole = {"rows", "ids", "holders", "expiry", "full", "templates"};
  std::vector<RedisCommand> commands;
  std::vector<std::uint64_t> stands_for;  // number of keys that each of these stands for
  const auto ask_for = [&](std::string key, std::uint64_t keys) {
    commands.push_back({"MEMORY", "USAGE", std::move(key), "SAMPLES", "100"});
    stands_for.push_back(keys);
  };
  for (const char* const name : kWhole) ask_for(link_->key(name), 1);
  for (unsigned level = 0, last = known_.level; level <= last; ++level)
    for (Key i = 0; i < kSampled; ++i)
      ask_for(link_->key("p:") + RedisLevels::name(i * ((Key{1} << kKeyBits) / kSampled), level),
              (std::uint64_t{1} << RedisLevels::bits(level)) / kSampled);
  const auto replies = link_->ask(std::move(commands));
  if (!replies) return std::nullopt;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < replies->size(); ++i)
    bytes += stands_for[i] * static_cast<std::uint64_t>(std::max<std::int64_t>((*replies)[i].integer, 0));
  return bytes;
}

Result<void> RedisTexts::compact() {
  return not_here(
      "what leaves an index on Redis is gone, but keys that are full stay so; to give up these, "
      "export the index and build another one");
}

}  // namespace leitong::online
