#include "online/redis/texts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "online/answer.hpp"
#include "online/number_in.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

// Texts that are shown as they leave, or are verified, at once.
constexpr std::uint32_t kTextsAtOnce = 128;

}  // namespace

RedisTexts::RedisTexts(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription index)
    : RedisHome(context, std::move(link), std::move(index.scheme)),
      secret_(index.secret),
      history_(std::move(index.history)) {
  known_.levels = index.levels;
}

void RedisTexts::count_check(const CheckedText& text) {
  ++checks_;
  bounded_candidates_ += text.bounds.candidates != 0;
  bounded_ids_ += text.bounds.ids;
  bounded_keys_ += text.bounds.keys;
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
    for (const CheckedText* text : asked) count_check(*text);
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

Result<void> RedisTexts::verify() {
  LEITONG_ASSIGN(const TextNumber end, next_number());
  for (std::uint64_t first = 0; first < end; first += kTextsAtOnce)
    LEITONG_TRY(verify_rows(static_cast<TextNumber>(first),
                            static_cast<TextNumber>(std::min<std::uint64_t>(end, first + kTextsAtOnce))));
  return {};
}

Result<void> RedisTexts::verify_rows(TextNumber first, TextNumber end) {
  const ScratchPool::Lease scratch(scratches_);
  const std::uint32_t most = kFull;
  std::string damaged;
  const auto work = [&](const RedisExcerpt::Asking& asking) -> Result<void> {
    const View view{known_.state, nullptr, &asking};
    damaged.clear();
    Row row;
    std::string bytes;
    CheckedText text;
    for (TextNumber number = first; number < end; ++number) {
      LEITONG_ASSIGN(const bool there, asking.read(number, row));
      if (!there) continue;
      const auto note = [&](std::string_view what) {
        if (damaged.empty()) damaged = fmt::format("the text with the id \"{}\" {}", row.id, what);
      };
      LEITONG_ASSIGN(const std::optional<TextNumber> by_id, asking.find(row.id));
      if (by_id != number) note("isn't found by it");
      LEITONG_ASSIGN(const TextNumber holder, asking.holder(row.content));
      if (!(*scratch).codec.unpack(row.packed, row.text_bytes, bytes)) {
        note("is damaged");
      } else if (holder == number) {
        text.text = bytes;
        scheme_->prepare(secret_, text, *scratch);
        LEITONG_ASSIGN(const TextRecord record, view.record(number));
        if (record != scheme_->record(text)) note("isn't what its record was made of");
        LEITONG_TRY(view.find_lists({&text.keys.content, 1}, {&most, 1}, (*scratch).lists));
        if (std::ranges::find((*scratch).lists[0], number) == (*scratch).lists[0].end())
          note("isn't found by its content");
      }
    }
    return {};
  };
  LEITONG_TRY(at_one_moment([&](RedisExcerpt& excerpt) { return with_all(excerpt, work); }));
  if (damaged.empty()) return {};
  return fail(ErrorCode::corrupt, fmt::format("{}: {}", link_->address().shown(), damaged));
}

Result<Figures> RedisTexts::figures() {
  // What came since of full keys and templates.
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
  figures.checks = checks_;
  figures.bounded_candidates = bounded_candidates_;
  figures.bounded_ids = bounded_ids_;
  figures.bounded_keys = bounded_keys_;
  figures.checked_twice = checked_twice_;
  const std::shared_lock lock(known_.mutex);
  figures.full_keys = known_.state.full.size();
  figures.shared_shingles = known_.state.templates.size();
  return figures;
}

// What is small, and lists of families, is left out. Nothing where the server doesn't tell, such as to a user
// who may not ask.
std::optional<std::uint64_t> RedisTexts::memory_bytes() {
  constexpr std::uint32_t kSampled = 256;
  constexpr std::array kWhole = {"rows", "ids", "holders", "expiry", "full", "templates"};
  std::vector<RedisCommand> commands;
  std::vector<std::uint64_t> stands_for;  // of each of these keys: so many
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
