#include "online/redis/texts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "online/answer.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

// Texts that are worked out together, and bytes of text from which they are fewer.
constexpr std::size_t kInPart = 256, kBytesInPart = std::size_t{4} << 20;
// Groups of calls that are at work at once: while the server is busy with one, the other is worked out.
constexpr unsigned kAtWork = 2;
// A part that others were quicker than so often is halved; a text alone is tried so often.
constexpr unsigned kTriesOfAPart = 3, kTriesOfAText = 200;
// Texts that are shown as they leave, or are verified, at once.
constexpr std::uint32_t kRowsAtOnce = 128;

// As text_functions.cpp has it.
constexpr std::string_view kGone = "the index is gone, or was made anew since it was opened; open it again";

/// Parts of texts in their order.
template <class T, class SizeOf, class Each>
Result<void> in_parts(std::span<T> texts, SizeOf size_of, Each each) {
  while (!texts.empty()) {
    std::size_t count = 0, bytes = 0;
    while (count < std::min(kInPart, texts.size()) && (count == 0 || bytes < kBytesInPart))
      bytes += size_of(texts[count++]);
    LEITONG_TRY(each(texts.first(count)));
    texts = texts.subspan(count);
  }
  return {};
}

void pause_after(unsigned tries) {
  // Of clients that are in each other's way, each waits for another time.
  thread_local std::minstd_rand random(std::random_device{}());
  const auto longest = std::min(50U, 1U << std::min(tries, 10U));
  std::this_thread::sleep_for(std::chrono::microseconds(random() % (1000 * longest)));
}

}  // namespace

RedisTexts::RedisTexts(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription index)
    : RedisHome(context, std::move(link), std::move(index.scheme)),
      secret_(index.secret),
      made_(std::move(index.made)) {}

void RedisTexts::count_check(const CheckedText& text) {
  ++checks_;
  bounded_candidates_ += text.bounds.candidates != 0;
  bounded_ids_ += text.bounds.ids;
  bounded_keys_ += text.bounds.keys;
}

Result<void> RedisTexts::check_all(RedisExcerpt& excerpt, std::span<CheckedText* const> texts) {
  const View view{known_.state, nullptr, &excerpt};
  return on_threads(context_, [&] {
    return parallel_for_each(
        stop(), texts.size(), [&] { return ScratchPool::Lease(scratches_); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) {
          return scheme_->check(view, excerpt, *scratch, texts.subspan(i, 1), nullptr);
        });
  });
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
    RedisExcerpt excerpt(*link_, known_, made_);
    LEITONG_TRY(with_all(excerpt, [&] { return check_all(excerpt, asked); }));
    for (const CheckedText* text : asked) count_check(*text);
    for (const CheckedText& text : part) answers.push_back(answer_of(text));
    return {};
  };
  LEITONG_TRY(in_parts(
      std::span(checked), [](const CheckedText& text) { return text.text.size(); }, check_part));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

Result<std::vector<Answer>> RedisTexts::add(std::span<const Text> texts, Look look, const Wanted& wanted) {
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, secret_, look, true));
  std::vector<Answer> answers(texts.size());
  Request request;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    checked[i].matches_wanted = wanted.matches;
    request.texts.push_back({&checked[i], &answers[i]});
  }
  LEITONG_TRY(wait_for_turn(request));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

// Calls that come while others are at work are served together.
Result<void> RedisTexts::wait_for_turn(Request& request) {
  std::unique_lock lock(queue_mutex_);
  queue_.push_back(&request);
  for (;;) {
    turn_over_.wait(lock, [&] { return request.done || (at_work_ < kAtWork && !queue_.empty()); });
    if (request.done) return std::move(request.result);
    ++at_work_;
    const std::vector<Request*> group(queue_.begin(), queue_.end());
    queue_.clear();
    lock.unlock();
    add_group(group);
    lock.lock();
    --at_work_;
    for (Request* one : group) one->done = true;
    turn_over_.notify_all();
  }
}

void RedisTexts::add_group(std::span<Request* const> group) {
  std::vector<Arriving> texts;
  for (const Request* request : group)
    texts.insert(texts.end(), request->texts.begin(), request->texts.end());
  const Result<void> result = in_parts(
      std::span<const Arriving>(texts), [](const Arriving& one) { return one.text->text.size(); },
      [&](std::span<const Arriving> part) { return add_part(part); });
  for (Request* request : group) request->result = result;
}

Result<void> RedisTexts::add_part(std::span<const Arriving> texts) {
  const unsigned most = texts.size() > 1 ? kTriesOfAPart : kTriesOfAText;
  for (unsigned tries = 0; tries < most; ++tries) {
    if (tries > 0) pause_after(tries);
    LEITONG_ASSIGN(const bool added, try_to_add(texts));
    if (added) return {};
  }
  if (texts.size() == 1)
    return fail(ErrorCode::io,
                fmt::format("{}: others changed what is like this text {} times while it was compared; add "
                            "it again",
                            link_->address().shown(), most));
  LEITONG_TRY(add_part(texts.first(texts.size() / 2)));
  return add_part(texts.subspan(texts.size() / 2));
}

Result<bool> RedisTexts::try_to_add(std::span<const Arriving> texts) {
  RedisExcerpt excerpt(*link_, known_, made_);
  std::vector<CheckedText*> asked;
  for (const Arriving& one : texts)
    if (one.text->verdict != Verdict::refused) asked.push_back(one.text);
  const auto check_them = [&]() -> Result<void> {
    for (CheckedText* text : asked) {
      LEITONG_ASSIGN(text->known, excerpt.find(text->id));
    }
    return check_all(excerpt, asked);
  };
  LEITONG_TRY(with_all(excerpt, check_them));

  Delta delta;
  std::vector<Arriving> added;
  // Those that were checked with a batch that came to nothing aren't as they were.
  std::vector<bool> again(texts.size(), false);
  std::uint64_t template_bytes = 0, twice = 0;
  const ScratchPool::Lease scratch(scratches_);
  const auto give_back = [&] {
    for (std::size_t i = 0; i < added.size(); ++i)
      added[i].text->packed = std::move(delta.texts[i].row.packed);
    added.clear();
  };
  const auto work = [&]() -> Result<void> {
    give_back();
    delta = Delta();
    delta.first = excerpt.next();
    template_bytes = known_.template_bytes;
    const View view{known_.state, &delta, &excerpt};
    Batch batch{*scheme_, view, excerpt, *scratch, delta};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::uint64_t before = batch.checked_twice;
      LEITONG_ASSIGN(*texts[i].answer, add_to_batch(batch, *texts[i].text, !again[i]));
      again[i] = again[i] || batch.checked_twice != before;
      if (delta.texts.size() > added.size()) added.push_back(texts[i]);
    }
    twice = batch.checked_twice;
    return {};
  };
  const Result<void> worked = with_all(excerpt, work);
  if (!worked) return tl::unexpected<Error>(worked.error());
  checked_twice_ += twice;
  LEITONG_ASSIGN(const bool taken, hand_in(excerpt, delta, added, template_bytes));
  if (!taken) {
    give_back();
    return false;
  }
  for (const Arriving& one : added) count_check(*one.text);
  return true;
}

Result<bool> RedisTexts::hand_in(const RedisExcerpt& excerpt, const Delta& delta,
                                 std::span<const Arriving> added, std::uint64_t template_bytes) {
  if (delta.texts.empty()) return true;
  std::string full, templates;
  for (const Key key : delta.full) full.append(bytes_of(key).substr(0, kKeyBits / 8));
  for (const auto& [shingle, works] : delta.templates)
    templates.append(bytes_of(shingle)).append(bytes_of(works));
  RedisCommand command = link_->function("add_texts", false);
  command.insert(command.end(), {made_, excerpt.changes(), excerpt.removals(), std::to_string(template_bytes),
                                 std::to_string(delta.first), std::move(full), std::move(templates)});
  for (std::size_t i = 0; i < delta.texts.size(); ++i) {
    const NewText& text = delta.texts[i];
    const CheckedText& checked = *added[i].text;
    std::string anew, others, watched;
    for (const Key key : delta.log[i].keys) {
      const auto probe = std::ranges::find(checked.probes.keys, key) - checked.probes.keys.begin();
      append_redis_key(key, checked.holders[static_cast<std::size_t>(probe)] == 0 ? anew : others);
    }
    // A copy depends on the list of its content alone, and full lists stay as they are.
    for (std::size_t k = 0; k < checked.probes.keys.size(); ++k) {
      const Key key = checked.probes.keys[k];
      const bool full_list = k < checked.probes.full.size() && checked.probes.full[k] != 0;
      if (full_list || (checked.verdict == Verdict::exact && key != checked.keys.content)) continue;
      append_redis_key(key, watched);
      watched.append(bytes_of(static_cast<std::uint16_t>(excerpt.length(key))));
    }
    command.insert(command.end(), {redis_row(text.row, text.record),
                                   text.row.expires ? std::to_string(*text.row.expires) : std::string(),
                                   std::move(anew), std::move(others), std::move(watched)});
  }
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask({std::move(command)}));
  if (replies[0].kind != RedisReply::Kind::integer) return link_->not_understood("whether texts were added");
  return replies[0].integer == 1;
}

Result<Explanation> RedisTexts::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared({&one, 1}, secret_, Look::near, false));
  Explanation explanation;
  if (checked[0].verdict != Verdict::refused) {
    RedisExcerpt excerpt(*link_, known_, made_);
    const View view{known_.state, nullptr, &excerpt};
    const ScratchPool::Lease scratch(scratches_);
    CheckedText* const asked = checked.data();
    LEITONG_TRY(with_all(excerpt, [&] {
      explanation = {};
      return scheme_->check(view, excerpt, *scratch, {&asked, 1}, &explanation);
    }));
  }
  explanation.units = static_cast<std::uint32_t>(checked[0].keys.units.size());
  explanation.answer = answer_of(checked[0]);
  return explanation;
}

Result<void> RedisTexts::verify() {
  LEITONG_ASSIGN(const TextNumber end, next_number());
  for (std::uint64_t first = 0; first < end; first += kRowsAtOnce)
    LEITONG_TRY(verify_rows(static_cast<TextNumber>(first),
                            static_cast<TextNumber>(std::min<std::uint64_t>(end, first + kRowsAtOnce))));
  return {};
}

// Texts that others remove meanwhile may be named as damaged: then it is to be done again.
Result<void> RedisTexts::verify_rows(TextNumber first, TextNumber end) {
  RedisExcerpt excerpt(*link_, known_, made_);
  const ScratchPool::Lease scratch(scratches_);
  const View view{known_.state, nullptr, &excerpt};
  const std::uint32_t most = kFull;
  std::string damaged;
  const auto work = [&]() -> Result<void> {
    damaged.clear();
    Row row;
    std::string bytes;
    CheckedText text;
    for (TextNumber number = first; number < end; ++number) {
      LEITONG_ASSIGN(const bool there, excerpt.read(number, row));
      if (!there) continue;
      const auto note = [&](std::string_view what) {
        if (damaged.empty()) damaged = fmt::format("the text with the id \"{}\" {}", row.id, what);
      };
      LEITONG_ASSIGN(const std::optional<TextNumber> by_id, excerpt.find(row.id));
      if (by_id != number) note("isn't found by it");
      LEITONG_ASSIGN(const TextNumber holder, excerpt.holder(row.content));
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
  LEITONG_TRY(with_all(excerpt, work));
  if (damaged.empty()) return {};
  return fail(ErrorCode::corrupt, fmt::format("{}: {}", link_->address().shown(), damaged));
}

Result<Figures> RedisTexts::figures() {
  LEITONG_ASSIGN(const std::vector<RedisReply> made, link_->ask({{"HGET", key("meta"), "made"}}));
  if (made[0].text != made_)
    return fail(ErrorCode::io, fmt::format("{}: {}", link_->address().shown(), kGone));
  LEITONG_ASSIGN(Figures figures, RedisHome::figures());
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

Result<void> RedisTexts::compact() {
  return not_here(
      "what leaves an index on Redis is gone, but keys that are full stay so; to give up these, "
      "export the index and build another one");
}

}  // namespace leitong::online
