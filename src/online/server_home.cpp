#include "online/server_home.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "online/answer.hpp"
#include "online/text_codec.hpp"
#include "similarity/passages.hpp"

namespace leitong::online {

ServerHome::ServerHome(const Context& context, std::unique_ptr<IndexScheme> scheme, std::string_view server,
                       std::string place)
    : context_(context), scheme_(std::move(scheme)), server_(server), place_(std::move(place)) {}

void ServerHome::pause_after(unsigned tries) {
  thread_local std::minstd_rand random(std::random_device{}());
  const auto longest = std::min(50U, 1U << std::min(tries, 10U));
  std::this_thread::sleep_for(std::chrono::microseconds(random() % (1000UL * longest)));
}

Result<void> ServerHome::prepare(std::span<CheckedText* const> texts, const Secret& secret,
                                 bool to_be_added) {
  return on_threads(context_, [&] {
    return parallel_for_each(
        stop(), texts.size(), [&] { return ScratchPool::Lease(scratches_); },
        [&](std::size_t i, const ScratchPool::Lease& scratch) -> Result<void> {
          prepare_text(*scheme_, secret, to_be_added, *texts[i], *scratch);
          return {};
        });
  });
}

Result<std::vector<CheckedText>> ServerHome::prepared(std::span<const Text> texts, const Secret& secret,
                                                      Look look, bool to_be_added) {
  std::vector<CheckedText> checked;
  checked.reserve(texts.size());
  for (const Text& text : texts) checked.push_back(checked_of(text, look));
  std::vector<CheckedText*> all;
  for (CheckedText& text : checked) all.push_back(&text);
  LEITONG_TRY(prepare(all, secret, to_be_added));
  return checked;
}

Result<Stored> ServerHome::stored_of(Row row, std::string_view family) {
  Stored stored{std::move(row.id), {}, row.verdict, {}, std::move(row.source), row.time, row.expires};
  if (row.stamp) stored.fingerprint = row.stamp->fingerprint;
  if (!row.packed.empty()) LEITONG_TRY(TextCodec().unpack(row.packed, row.text_bytes, stored.text));
  if (!family.empty()) stored.family = family;
  return stored;
}

Result<std::optional<Stored>> ServerHome::get(std::string_view id) {
  const std::string name(id);
  LEITONG_ASSIGN(std::vector<std::optional<Stored>> texts, get_all({&name, 1}));
  return std::move(texts[0]);
}

Result<void> ServerHome::add_passages(std::span<const Text> texts, std::span<Answer> answers) {
  struct Asked {
    std::size_t text;
    Match* match;
  };
  std::vector<Asked> wanted;
  std::vector<std::string> ids;
  const auto want = [&](std::size_t text, Match& match) {
    wanted.push_back({text, &match});
    ids.push_back(match.id);
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answers[i].match && !answers[i].known) want(i, *answers[i].match);
    for (Match& other : answers[i].others) want(i, other);
  }
  LEITONG_ASSIGN(const std::vector<std::optional<Stored>> matches, get_all(ids));
  return on_threads(context_, [&] {
    return parallel_for_each(stop(), wanted.size(), [&](std::size_t i) -> Result<void> {
      if (matches[i])
        wanted[i].match->passages =
            shared_passages(texts[wanted[i].text].text, matches[i]->text, scheme_->spec().folding).passages;
      return {};
    });
  });
}

Match ServerHome::match_at(const Label& label, std::optional<unsigned> distance) const {
  Row row;
  row.id = label.id;
  row.source = label.source;
  row.time = label.time;
  if (!distance) return match_of(row, copies_of_one(0, 0, true), {});
  Match match =
      match_of(row, {.score = scheme_->spec().score_at(*distance), .measure = Measure::estimate}, {});
  match.distance = distance;
  return match;
}

Result<Explanation> ServerHome::explain(std::string_view text) {
  constexpr std::uint32_t kMostExplained = 64;
  Text one;
  one.text = text;
  LEITONG_ASSIGN(const std::vector<CheckedText> checked,
                 prepared({&one, 1}, Secret(SipKey{}), Look::near, false));
  LEITONG_ASSIGN(std::vector<Answer> answers, check({&one, 1}, Look::near, {.matches = kMostExplained}));
  Answer& answer = answers[0];
  Explanation explanation;
  explanation.units = static_cast<std::uint32_t>(checked[0].keys.units.size());
  const auto list = [&](const Match& match, std::optional<unsigned> distance) {
    explanation.candidates.push_back({.id = match.id, .fate = "accepted", .distance = distance});
  };
  if (answer.match) list(*answer.match, answer.match->distance.value_or(0));
  for (const Match& other : answer.others) list(other, other.distance);
  answer.others.clear();
  explanation.answer = std::move(answer);
  return explanation;
}

tl::unexpected<Error> ServerHome::not_here(std::string_view what) const {
  return fail(ErrorCode::unsupported, fmt::format("{}: {}", place_, what));
}
tl::unexpected<Error> ServerHome::no_sources() const {
  return not_here(fmt::format(
      "an index on {} shows texts as they come; sources that are shown at once need an index in a folder",
      server_));
}
Result<void> ServerHome::expects_none(ExpectedVersion expected) const {
  if (!expected) return {};
  return not_here(fmt::format("an index on {} counts no versions; these need an index in a folder", server_));
}
Result<bool> ServerHome::begin(std::string_view) { return no_sources(); }
Result<Committed> ServerHome::commit(std::string_view) { return no_sources(); }
Result<void> ServerHome::rollback(std::string_view) { return no_sources(); }

}  // namespace leitong::online
