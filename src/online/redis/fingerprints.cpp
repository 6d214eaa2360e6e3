#include "online/redis/fingerprints.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "online/redis/row_bytes.hpp"

namespace leitong::online {
namespace {

// The texts of one call. Other clients wait meanwhile, some milliseconds.
constexpr std::size_t kInCall = 64;
// Calls that are sent together.
constexpr std::size_t kCallsAtOnce = 16;
// There are no keys of postings: the server has its own tables.
const Secret kNone(SipKey{});
// Rows that are verified at once.
constexpr std::uint32_t kRowsAtOnce = 256;

}  // namespace

RedisFingerprints::RedisFingerprints(const Context& context, std::unique_ptr<RedisLink> link,
                                     RedisDescription index)
    : RedisHome(context, std::move(link), index) {}

RedisCommand RedisFingerprints::command(std::string_view name, bool reads_only) const {
  RedisCommand command = link_->function(name, reads_only);
  command.insert(command.end(), {history_, plan_, layout_});
  return command;
}

Result<std::vector<Answer>> RedisFingerprints::check(std::span<const Text> texts, Look look,
                                                     const Wanted& wanted) {
  return ask_about(texts, look, wanted, false);
}

Result<std::vector<Answer>> RedisFingerprints::add(std::span<const Text> texts, Look look,
                                                   const Wanted& wanted, ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  return ask_about(texts, look, wanted, true);
}

Result<std::vector<Answer>> RedisFingerprints::ask_about(std::span<const Text> given, Look look,
                                                         const Wanted& wanted, bool add) {
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  LEITONG_ASSIGN(const std::vector<CheckedText> texts, prepared(given, kNone, look, add));
  const std::size_t width = scheme_->spec().bits / 8;
  std::vector<Answer> answers(texts.size());
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].verdict == Verdict::refused)
      answers[i] = {.verdict = Verdict::refused, .reason = texts[i].reason};
    else
      asked.push_back(i);
  }
  for (std::size_t i = 0; i < asked.size(); ++i) checks_.count({});
  for (std::size_t first = 0; first < asked.size(); first += kInCall * kCallsAtOnce) {
    const std::size_t end = std::min(asked.size(), first + kInCall * kCallsAtOnce);
    std::vector<RedisCommand> calls;
    for (std::size_t a = first; a < end; ++a) {
      if ((a - first) % kInCall == 0) {
        calls.push_back(command(add ? "add" : "check", !add));
        calls.back().push_back(std::to_string(scheme_->spec().distance));
        calls.back().emplace_back(look == Look::near ? "near" : "copies");
        calls.back().push_back(std::to_string(wanted.matches));
      }
      const CheckedText& text = texts[asked[a]];
      calls.back().push_back(stamp_bytes(*text.stamp, width));
      if (!add) continue;
      calls.back().push_back(
          rest_bytes(text.id, text.source, text.time, text.expires,
                     static_cast<std::uint32_t>(text.packed.empty() ? 0 : text.text.size()), text.packed));
      calls.back().push_back(text.expires ? std::to_string(*text.expires) : "");
    }
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask(calls));
    for (std::size_t a = first; a < end; ++a) {
      const std::vector<RedisReply>& list = replies[(a - first) / kInCall].list;
      if ((a - first) % kInCall >= list.size()) return link_->not_understood("answers are missing");
      LEITONG_ASSIGN(answers[asked[a]], answer_in(list[(a - first) % kInCall].text));
    }
  }
  if (wanted.passages) LEITONG_TRY(add_passages(given, answers));
  return answers;
}

Result<Answer> RedisFingerprints::answer_in(std::string_view bytes) const {
  std::uint8_t verdict = 0, known = 0, matches = 0;
  if (!take_value(bytes, verdict) || !take_value(bytes, known) || !take_value(bytes, matches) || verdict > 3)
    return link_->not_understood("an answer");
  Answer answer;
  answer.verdict = static_cast<Verdict>(verdict);
  answer.known = known != 0;
  if (answer.verdict == Verdict::refused)
    answer.reason = "the index has another text under this id; remove that one first";
  for (std::uint8_t i = 0; i < matches; ++i) {
    std::uint8_t distance = 0;
    Label label;
    if (!take_value(bytes, distance) || !take_label(bytes, label)) return link_->not_understood("a match");
    Match match = match_at(
        label, i == 0 && answer.verdict == Verdict::exact ? std::nullopt : std::optional<unsigned>(distance));
    if (i == 0)
      answer.match = std::move(match);
    else
      answer.others.push_back(std::move(match));
  }
  if (!bytes.empty() || (answer.verdict == Verdict::fresh && answer.match))
    return link_->not_understood("an answer");
  return answer;
}

Result<void> RedisFingerprints::verify_postings() {
  LEITONG_ASSIGN(const TextNumber end, next_number());
  for (std::uint64_t first = 0; first < end; first += kRowsAtOnce) {
    RedisCommand verify = command("verify", true);
    for (std::uint64_t n = first; n < std::min<std::uint64_t>(end, first + kRowsAtOnce); ++n)
      verify.push_back(key_of(static_cast<TextNumber>(n)));
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_->ask({verify}));
    if (replies[0].list.size() == 2)
      return damaged(
          fmt::format("the text with the id \"{}\" {}", replies[0].list[0].text, replies[0].list[1].text));
  }
  return for_each_stored(nullptr, [](const Stored&) -> Result<void> { return {}; });
}

}  // namespace leitong::online
