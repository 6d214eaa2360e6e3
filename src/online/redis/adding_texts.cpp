// Additions to an index of texts on a Redis server. While the server adds one part and reads what the next
// part needs, the keys of the part after that are made.
#include <fmt/core.h>

#include <iterator>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "online/batch.hpp"
#include "online/redis/row_bytes.hpp"
#include "online/redis/texts.hpp"

namespace leitong::online {
namespace {

// A part is halved if other clients were faster so many times; a single text has more tries.
constexpr unsigned kTriesOfAPart = 3, kTriesOfAText = 200;

}  // namespace

struct RedisTexts::Part {
  std::span<const Arriving> texts;
  RedisExcerpt excerpt;
  std::vector<CheckedText*> asked = {};  ///< the texts that are not refused
  Delta delta = {};
  std::vector<CheckedText*> added = {};  ///< the texts of the delta
  std::uint64_t template_bytes = 0, twice = 0;

  /// Returns to the texts what the delta took from them.
  void give_back() {
    for (std::size_t i = 0; i < added.size(); ++i) added[i]->packed = std::move(delta.texts[i].row.packed);
    added.clear();
  }
};

Result<std::vector<Answer>> RedisTexts::add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                            ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  std::vector<CheckedText> checked;
  std::vector<Answer> answers(texts.size());
  for (const Text& text : texts) checked.push_back(checked_of(text, look));
  Request request;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    checked[i].matches_wanted = wanted.matches;
    request.texts.push_back({&checked[i], &answers[i], false});
  }
  // The other texts are prepared while the server works.
  const std::span<Arriving> all = request.texts;
  LEITONG_TRY(prepare_part(all.first(std::min(kInPart, all.size()))));
  LEITONG_TRY(turns_.wait(request, [&](Turns<Request>::Turn& turn) {
    std::vector<Arriving> together;
    for (const Request* one : turn.take())
      together.insert(together.end(), one->texts.begin(), one->texts.end());
    turn.answer(add_group(together));
  }));
  if (wanted.passages) LEITONG_TRY(add_passages(texts, answers));
  return answers;
}

Result<void> RedisTexts::prepare_part(std::span<Arriving> texts) {
  std::vector<CheckedText*> left;
  for (Arriving& one : texts)
    if (!std::exchange(one.prepared, true)) left.push_back(one.text);
  return prepare(left, secret_, true);
}

Result<void> RedisTexts::add_group(std::span<Arriving> texts) {
  std::vector<std::span<Arriving>> parts;
  while (!texts.empty()) {
    const std::size_t count = size_of_part(texts, [](const Arriving& one) { return one.text->text.size(); });
    parts.push_back(texts.first(count));
    texts = texts.subspan(count);
  }
  if (parts.empty()) return {};
  LEITONG_TRY(prepare_part(parts[0]));
  std::unique_ptr<Part> part = part_of(parts[0]);
  RedisLink::Sent sent = link_->send(part->excerpt.commands());
  if (parts.size() > 1) LEITONG_TRY(prepare_part(parts[1]));
  LEITONG_ASSIGN(std::vector<RedisReply> replies, link_->receive(std::move(sent)));
  LEITONG_TRY(part->excerpt.take(replies));
  // If other clients add texts, too, what was read ahead is useless.
  bool alone = true;
  for (std::size_t p = 0;; ++p) {
    std::unique_ptr<Part> next = p + 1 < parts.size() ? part_of(parts[p + 1]) : nullptr;
    const bool ahead = next != nullptr && alone;
    RedisLink::Sent early;
    LEITONG_TRY(work_out(*part, [&] {
      if (ahead) early = link_->send(next->excerpt.commands());
    }));
    if (ahead) {
      LEITONG_ASSIGN(replies, link_->receive(std::move(early)));
      LEITONG_TRY(next->excerpt.take(replies));
    }
    std::vector<RedisCommand> commands = handing_in(*part);
    const std::size_t handed_in = commands.size();
    if (next != nullptr) std::ranges::move(next->excerpt.commands(), std::back_inserter(commands));
    const bool nothing_new = handed_in == 0 && !part->excerpt.is_stale();
    if (commands.empty() && nothing_new) return {};
    sent = link_->send(std::move(commands));
    if (p + 2 < parts.size()) LEITONG_TRY(prepare_part(parts[p + 2]));
    LEITONG_ASSIGN(replies, link_->receive(std::move(sent)));
    std::optional<TextNumber> first;
    if (!nothing_new) {
      LEITONG_ASSIGN(first, taken(*part, replies));
      if (!first) LEITONG_TRY(add_against_others(parts[p]));
    }
    if (next == nullptr) return {};
    LEITONG_TRY(next->excerpt.take(std::span(replies).subspan(handed_in)));
    const bool current = nothing_new || (first && (!ahead || next->excerpt.follow(part->delta, *first)));
    if (!current) {
      alone = false;
      next = part_of(parts[p + 1]);
      LEITONG_TRY(next->excerpt.fetch());
    }
    part = std::move(next);
  }
}

// Adds texts while other clients add similar ones.
Result<void> RedisTexts::add_against_others(std::span<const Arriving> texts) {
  const unsigned most = texts.size() > 1 ? kTriesOfAPart : kTriesOfAText;
  for (unsigned tries = 1; tries < most; ++tries) {
    pause_after(tries);
    const std::unique_ptr<Part> part = part_of(texts);
    LEITONG_TRY(part->excerpt.fetch());
    LEITONG_TRY(work_out(*part));
    std::vector<RedisCommand> commands = handing_in(*part);
    if (commands.empty() && !part->excerpt.is_stale()) return {};
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask(std::move(commands)));
    LEITONG_ASSIGN(const std::optional<TextNumber> first, taken(*part, replies));
    if (first) return {};
  }
  if (texts.size() == 1)
    return fail(ErrorCode::io,
                fmt::format("{}: others changed what is like this text {} times while it was compared; add "
                            "it again",
                            link_->address().shown(), most));
  LEITONG_TRY(add_against_others(texts.first(texts.size() / 2)));
  return add_against_others(texts.subspan(texts.size() / 2));
}

std::unique_ptr<RedisTexts::Part> RedisTexts::part_of(std::span<const Arriving> texts) {
  std::unique_ptr<Part> part(new Part{texts, {*link_, known_, history_}});
  for (const Arriving& one : texts)
    if (one.text->verdict != Verdict::refused) part->asked.push_back(one.text);
  want_lists(part->excerpt, part->asked);
  return part;
}

Result<void> RedisTexts::work_out(Part& part, const std::function<void()>& meanwhile) {
  LEITONG_TRY(check_all(part.excerpt, part.asked, true, meanwhile));
  // Texts that were checked with a failed batch are changed and must be checked again.
  std::vector<bool> again(part.texts.size(), false);
  const ScratchPool::Lease scratch(scratches_);
  return with_all(part.excerpt, [&](const RedisExcerpt::Asking& asking) -> Result<void> {
    part.give_back();
    part.delta = Delta();
    part.delta.first = part.excerpt.next();
    part.template_bytes = known_.template_bytes;
    const View view{known_.state, &part.delta, &asking};
    Batch batch{*scheme_, view, asking, *scratch, part.delta};
    for (std::size_t i = 0; i < part.texts.size(); ++i) {
      const Arriving& one = part.texts[i];
      const std::uint64_t before = batch.checked_twice;
      LEITONG_ASSIGN(*one.answer, add_to_batch(batch, *one.text, !again[i]));
      again[i] = again[i] || batch.checked_twice != before;
      if (part.delta.texts.size() > part.added.size()) part.added.push_back(one.text);
    }
    part.twice = batch.checked_twice;
    return {};
  });
}

std::vector<RedisCommand> RedisTexts::handing_in(const Part& part) const {
  const Delta& delta = part.delta;
  if (delta.texts.empty() || part.excerpt.is_stale()) return {};
  std::string full;
  for (const Key key : delta.full) full.append(value_bytes(key).substr(0, kKeyBits / 8));
  RedisCommand command = link_->function("add_texts", false);
  const RedisExcerpt& excerpt = part.excerpt;
  command.insert(command.end(),
                 {history_, excerpt.changes(), excerpt.epoch(), std::to_string(part.template_bytes),
                  std::to_string(delta.first), std::move(full), delta.templates.bytes_of_all()});
  for (std::size_t i = 0; i < delta.texts.size(); ++i) {
    const NewText& text = delta.texts[i];
    const CheckedText& checked = *part.added[i];
    std::string posted, watched;
    for (const Key key : delta.log[i].keys) append_redis_key(key, posted);
    // A copy depends only on the list of its content, and full lists do not change.
    for (std::size_t k = 0; k < checked.probes.keys.size(); ++k) {
      const Key key = checked.probes.keys[k];
      const bool full_list = k < checked.probes.full.size() && checked.probes.full[k] != 0;
      if (full_list || (checked.verdict == Verdict::exact && key != checked.keys.content)) continue;
      append_redis_key(key, watched);
      watched.append(value_bytes(excerpt.seen_bytes(key)));
    }
    const Row& row = text.row;
    command.insert(command.end(),
                   {key_of(row.family), key_of(row.content), std::to_string(static_cast<int>(row.verdict)),
                    row.id, row.source, row.expires ? std::to_string(*row.expires) : std::string(),
                    redis_row(row, text.record), std::move(posted), std::move(watched)});
  }
  return {std::move(command)};
}

Result<std::optional<TextNumber>> RedisTexts::taken(Part& part, std::span<const RedisReply> replies) {
  if (part.excerpt.is_stale()) {
    part.give_back();
    return std::nullopt;
  }
  const RedisReply& reply = replies[0];
  if (reply.kind != RedisReply::Kind::integer || reply.integer < -1 || reply.integer >= UINT32_MAX)
    return link_->not_understood("whether texts were added");
  if (reply.integer < 0) {
    part.give_back();
    return std::nullopt;
  }
  checked_twice_ += part.twice;
  const auto first = static_cast<TextNumber>(reply.integer);
  for (std::size_t i = 0; i < part.added.size(); ++i) {
    checks_.count(part.added[i]->bounds);
    known_.keep_record(first + static_cast<TextNumber>(i), part.delta.texts[i].record);
  }
  return first;
}

}  // namespace leitong::online
