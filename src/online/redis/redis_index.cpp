#include "online/redis/redis_index.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "online/row.hpp"
#include "online/text_codec.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kFormat = "leitong online index on redis 1";
// Texts of one call: others wait meanwhile, some milliseconds.
constexpr std::size_t kInCall = 64;
// Calls that are sent together.
constexpr std::size_t kCallsAtOnce = 16;
// Rows that are read, or removed, at once.
constexpr std::uint32_t kRowsAtOnce = 256;
constexpr std::uint8_t kHasTime = 1, kExpires = 2;

/// A number of 4 bytes, the highest first.
std::string number_bytes(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

/// A string behind its length.
void append(std::string_view text, std::string& bytes) {
  bytes.append(bytes_of(static_cast<std::uint16_t>(text.size()))).append(text);
}
bool take_text(std::string_view& bytes, std::string& text) {
  std::uint16_t size = 0;
  if (!take(bytes, size) || bytes.size() < size) return false;
  text.assign(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return true;
}

/// As functions.cpp has it.
std::string stamp_bytes(const Stamp& stamp, std::size_t width) {
  std::string bytes(1, static_cast<char>((stamp.fingerprint ? 1 : 0) | (stamp.digest ? 2 : 0)));
  if (stamp.fingerprint) bytes.append(bytes_of(*stamp.fingerprint).substr(0, width));
  if (stamp.digest) bytes.append(bytes_of(*stamp.digest));
  return bytes;
}

/// A label, and behind it the text.
std::string rest_bytes(const CheckedText& text) {
  std::string label;
  append(text.id, label);
  append(text.source, label);
  label += static_cast<char>((text.time ? kHasTime : 0) | (text.expires ? kExpires : 0));
  if (text.time) label.append(bytes_of(*text.time));
  if (text.expires) label.append(bytes_of(*text.expires));
  std::string rest;
  append(label, rest);
  rest.append(bytes_of(static_cast<std::uint32_t>(text.packed.empty() ? 0 : text.text.size())))
      .append(text.packed);
  return rest;
}

struct Label {
  std::string id, source;
  std::optional<Seconds> time, expires;
};
bool take_label(std::string_view& bytes, Label& label) {
  std::string text;
  std::uint8_t bits = 0;
  if (!take_text(bytes, text)) return false;
  std::string_view in = text;
  return take_text(in, label.id) && take_text(in, label.source) && take(in, bits) &&
         ((bits & kHasTime) == 0 || take(in, label.time.emplace())) &&
         ((bits & kExpires) == 0 || take(in, label.expires.emplace())) && in.empty();
}

/// Bits [first, end) of a fingerprint as pieces that functions.cpp can take: of one word, 16 at most.
void append_pieces(unsigned first, unsigned end, std::string& pieces) {
  while (first < end) {
    const unsigned bits = std::min({end - first, 16u, 32 - first % 32});
    pieces += fmt::format("{}{}:{}:{}", pieces.empty() ? "" : "+", first / 32, first % 32, bits);
    first += bits;
  }
}

/// Tables after Manku, Jain, Das Sarma 2007, section 3: of distance + m blocks m are as they were, whichever
/// bits differ; so a key for each choice of m blocks.
std::string plan_of(unsigned bits, unsigned distance, unsigned blocks_in_key) {
  const unsigned blocks = distance + blocks_in_key;
  const auto cut = [&](unsigned block) { return block * bits / blocks; };
  std::string plan = std::to_string(bits / 8);
  for (unsigned a = 0; a < blocks; ++a)
    for (unsigned b = a + 1; b < (blocks_in_key == 2 ? blocks : a + 2); ++b) {
      std::string pieces;
      append_pieces(cut(a), cut(a + 1), pieces);
      if (blocks_in_key == 2) append_pieces(cut(b), cut(b + 1), pieces);
      plan += "|" + pieces;
    }
  return plan;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

RedisIndex::RedisIndex(const Context& context, RedisAddress address, const Settings& settings)
    : context_(context), link_(std::move(address), settings.remote, StopToken(context.state().stop)) {}

Result<std::unique_ptr<Home>> RedisIndex::open(const Context& context, std::string_view place,
                                               const Settings& settings) {
  LEITONG_ASSIGN(RedisAddress address, parse_redis_address(place));
  std::unique_ptr<RedisIndex> index(new RedisIndex(context, std::move(address), settings));
  LEITONG_TRY(index->describe(settings));
  return index;
}

std::string RedisIndex::key(std::string_view what) const {
  return fmt::format("leitong:{{{}}}:{}", link_.address().name, what);
}

RedisCommand RedisIndex::command(std::string_view name, bool reads_only) const {
  RedisCommand command = link_.function(name, reads_only);
  command.push_back(plan_);
  command.push_back(layout_);
  return command;
}

// The first that comes writes what the index is, and all are held to it.
Result<void> RedisIndex::describe(const Settings& settings) {
  const RedisAddress& address = link_.address();
  const auto read =
      [&](const RedisCommand& command) -> Result<std::map<std::string, std::string, std::less<>>> {
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask({command}));
    std::map<std::string, std::string, std::less<>> fields;
    const std::vector<RedisReply>& list = replies[0].list;
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) fields.emplace(list[i].text, list[i + 1].text);
    return fields;
  };
  LEITONG_ASSIGN(auto fields, read(link_.function("describe", false)));
  if (fields.empty()) {
    if (!settings.create)
      return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", address.shown()));
    LEITONG_ASSIGN(const auto scheme, open_index_scheme(context_, settings, address.shown(), std::nullopt));
    const Maker& maker = scheme->maker();
    if (maker.bits == 0)
      return fail(
          ErrorCode::unsupported,
          fmt::format("{}: an index on Redis compares by fingerprints; name a scheme, such as simhash",
                      address.shown()));
    RedisCommand make = link_.function("describe", false);
    for (const auto& [name, value] :
         {std::pair<std::string_view, std::string>{"format", std::string(kFormat)},
          {"scheme", scheme_text(maker.scheme)},
          {"given", fmt::format("{}", fmt::join(maker.given, "\n"))},
          {"distance", std::to_string(maker.distance)},
          {"texts", maker.keeps_texts ? "kept" : "none"},
          {"layout", address.sets ? "sets" : "packed"},
          {"plan", plan_of(maker.bits, maker.distance, address.blocks_in_key)}}) {
      make.emplace_back(name);
      make.push_back(value);
    }
    LEITONG_ASSIGN(fields, read(make));
  }
  if (fields["format"] != kFormat)
    return fail(ErrorCode::unsupported,
                fmt::format("{}: is of the format \"{}\", this program reads \"{}\"", address.shown(),
                            fields["format"].substr(0, 60), kFormat));
  Maker maker;
  LEITONG_ASSIGN(maker.scheme, parse_scheme(fields["scheme"]));
  for (std::string_view given = fields["given"]; !given.empty();) {
    const std::size_t end = std::min(given.find('\n'), given.size());
    maker.given.emplace_back(given.substr(0, end));
    given.remove_prefix(std::min(end + 1, given.size()));
  }
  const auto distance = number_in(fields["distance"]);
  if (!distance || *distance > 64) return link_.not_understood("the distance");
  maker.distance = static_cast<unsigned>(*distance);
  maker.keeps_texts = fields["texts"] == "kept";
  LEITONG_ASSIGN(scheme_, open_index_scheme(context_, settings, address.shown(), maker));
  plan_ = fields["plan"];
  layout_ = fields["layout"];
  // Tables that miss pairs are not believed.
  if (plan_ != plan_of(scheme_->maker().bits, maker.distance, 1) &&
      plan_ != plan_of(scheme_->maker().bits, maker.distance, 2))
    return link_.not_understood("the plan of the tables");
  return {};
}

Result<std::vector<CheckedText>> RedisIndex::prepared(std::span<const Text> texts, Look look,
                                                      bool to_be_added) const {
  std::vector<CheckedText> checked(texts.size());
  const Secret none(SipKey{});
  const auto prepare = [&] {
    return parallel_for_each(
        StopToken(context_.state().stop), texts.size(), [] { return CheckScratch(); },
        [&](std::size_t i, CheckScratch& scratch) -> Result<void> {
          checked[i] = checked_of(texts[i], look);
          prepare_text(*scheme_, none, to_be_added, checked[i], scratch);
          return {};
        });
  };
  LEITONG_TRY(on_threads(context_, prepare));
  return checked;
}

Result<std::vector<Answer>> RedisIndex::check(std::span<const Text> texts, Look look, const Wanted& wanted) {
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, look, false));
  return ask_about(checked, look, wanted, false);
}

Result<std::vector<Answer>> RedisIndex::add(std::span<const Text> texts, Look look, const Wanted& wanted) {
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared(texts, look, true));
  return ask_about(checked, look, wanted, true);
}

Result<std::vector<Answer>> RedisIndex::ask_about(std::vector<CheckedText>& texts, Look look,
                                                  const Wanted& wanted, bool add) {
  const std::size_t width = scheme_->maker().bits / 8;
  std::vector<Answer> answers(texts.size());
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].verdict == Verdict::refused)
      answers[i] = {.verdict = Verdict::refused, .reason = texts[i].reason};
    else
      asked.push_back(i);
  }
  checks_ += asked.size();
  for (std::size_t first = 0; first < asked.size(); first += kInCall * kCallsAtOnce) {
    const std::size_t end = std::min(asked.size(), first + kInCall * kCallsAtOnce);
    std::vector<RedisCommand> calls;
    for (std::size_t a = first; a < end; ++a) {
      if ((a - first) % kInCall == 0) {
        calls.push_back(command(add ? "add" : "check", !add));
        calls.back().push_back(std::to_string(scheme_->maker().distance));
        calls.back().emplace_back(look == Look::near ? "near" : "copies");
        calls.back().push_back(std::to_string(wanted.matches));
      }
      const CheckedText& text = texts[asked[a]];
      calls.back().push_back(stamp_bytes(*text.stamp, width));
      if (!add) continue;
      calls.back().push_back(rest_bytes(text));
      calls.back().push_back(text.expires ? std::to_string(*text.expires) : "");
    }
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask(calls));
    for (std::size_t a = first; a < end; ++a) {
      const std::vector<RedisReply>& list = replies[(a - first) / kInCall].list;
      if ((a - first) % kInCall >= list.size()) return link_.not_understood("answers are missing");
      LEITONG_ASSIGN(answers[asked[a]], answer_in(list[(a - first) % kInCall].text, texts[asked[a]]));
    }
  }
  return answers;
}

Result<Answer> RedisIndex::answer_in(std::string_view bytes, const CheckedText& text) const {
  std::uint8_t verdict = 0, known = 0, matches = 0;
  if (!take(bytes, verdict) || !take(bytes, known) || !take(bytes, matches) || verdict > 3)
    return link_.not_understood("an answer");
  Answer answer;
  answer.verdict = static_cast<Verdict>(verdict);
  answer.known = known != 0;
  if (answer.verdict == Verdict::refused)
    answer.reason = "the index has another text under this id; remove that one first";
  for (std::uint8_t i = 0; i < matches; ++i) {
    std::uint8_t distance = 0;
    Label label;
    if (!take(bytes, distance) || !take_label(bytes, label)) return link_.not_understood("a match");
    Match match{.id = std::move(label.id), .source = std::move(label.source), .time = label.time};
    if (i == 0 && answer.verdict == Verdict::exact) {
      match.measure = measure_name(Measure::identical);
      match.score = match.jaccard = match.containment = 1;
    } else {
      match.measure = "hamming";
      match.distance = distance;
      match.score = 1 - static_cast<double>(distance) / scheme_->maker().bits;
    }
    if (i == 0)
      answer.match = std::move(match);
    else
      answer.others.push_back(std::move(match));
  }
  if (!bytes.empty() || (answer.verdict == Verdict::fresh && answer.match))
    return link_.not_understood("an answer");
  (void)text;
  return answer;
}

Result<bool> RedisIndex::remove(std::string_view id) {
  RedisCommand remove = command("remove", false);
  remove.insert(remove.end(), {"id", std::string(id)});
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask({remove}));
  return replies[0].integer != 0;
}

Result<std::uint64_t> RedisIndex::remove_all(std::string_view what, std::string_view which) {
  RedisCommand remove = command("remove", false);
  remove.insert(remove.end(), {std::string(what), std::string(which), std::to_string(kRowsAtOnce)});
  std::uint64_t removed = 0;
  for (;;) {
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask({remove}));
    if (replies[0].kind != RedisReply::Kind::integer || replies[0].integer < 0)
      return link_.not_understood("how many were removed");
    if (replies[0].integer == 0) return removed;
    removed += static_cast<std::uint64_t>(replies[0].integer);
  }
}
Result<std::uint64_t> RedisIndex::remove_source(std::string_view source) {
  return remove_all("source", source);
}
Result<std::uint64_t> RedisIndex::expire(Seconds before) {
  return remove_all("expired", std::to_string(before));
}

Result<Stored> RedisIndex::stored_in(const RedisReply& reply) const {
  if (reply.list.size() != 3) return link_.not_understood("a row");
  std::string_view bytes = reply.list[1].text;
  Stored stored;
  std::uint64_t seats = 0;
  std::uint8_t verdict = 0, distance = 0, stamp_size = 0;
  if (!take(bytes, seats) || !take(bytes, verdict) || !take(bytes, distance) || !take(bytes, stamp_size) ||
      verdict > 2 || bytes.size() < stamp_size || stamp_size == 0)
    return link_.not_understood("a row");
  std::string_view stamp = bytes.substr(0, stamp_size);
  bytes.remove_prefix(stamp_size);
  stored.verdict = static_cast<Verdict>(verdict);
  if ((stamp[0] & 1) != 0) {
    stamp.remove_prefix(1);
    hamming::Fingerprint128 fingerprint;
    if (!take(stamp, fingerprint.low) || (scheme_->maker().bits == 128 && !take(stamp, fingerprint.high)))
      return link_.not_understood("a fingerprint");
    stored.fingerprint = fingerprint;
  }
  Label label;
  std::uint32_t text_bytes = 0;
  if (!take_label(bytes, label) || !take(bytes, text_bytes) || text_bytes > kMostTextBytes)
    return link_.not_understood("a row");
  stored.id = std::move(label.id);
  stored.source = std::move(label.source);
  stored.time = label.time;
  stored.expires = label.expires;
  if (!bytes.empty()) LEITONG_TRY(TextCodec().unpack(bytes, text_bytes, stored.text));
  if (!reply.list[2].text.empty()) stored.family = reply.list[2].text;
  return stored;
}

Result<std::optional<Stored>> RedisIndex::get(std::string_view id) {
  RedisCommand get = link_.function("get", true);
  get.insert(get.end(), {"ids", std::string(id)});
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask({get}));
  if (replies[0].list.size() != 1) return link_.not_understood("a row");
  if (replies[0].list[0].list.empty()) return std::nullopt;
  LEITONG_ASSIGN(Stored stored, stored_in(replies[0].list[0]));
  return stored;
}

Result<void> RedisIndex::for_each_stored(const std::string* source, const EachStored& each) {
  LEITONG_ASSIGN(const std::vector<RedisReply> next, link_.ask({{"HGET", key("meta"), "next"}}));
  const auto end = number_in(next[0].text);
  if (!end || *end > UINT32_MAX) return link_.not_understood("the next number");
  for (std::uint64_t first = 0; first < *end; first += kRowsAtOnce) {
    RedisCommand get = link_.function("get", true);
    get.emplace_back("numbers");
    for (std::uint64_t n = first; n < std::min<std::uint64_t>(*end, first + kRowsAtOnce); ++n)
      get.push_back(number_bytes(static_cast<std::uint32_t>(n)));
    LEITONG_ASSIGN(const std::vector<RedisReply> rows, link_.ask({get}));
    for (const RedisReply& row : rows[0].list) {
      if (row.list.empty()) continue;
      LEITONG_ASSIGN(const Stored stored, stored_in(row));
      if (source == nullptr || stored.source == *source) LEITONG_TRY(each(stored));
    }
  }
  return {};
}

Result<Explanation> RedisIndex::explain(std::string_view text) {
  Text one;
  one.text = text;
  LEITONG_ASSIGN(std::vector<CheckedText> checked, prepared({&one, 1}, Look::near, false));
  constexpr std::uint32_t kShown = 64;
  LEITONG_ASSIGN(std::vector<Answer> answers, ask_about(checked, Look::near, {.matches = kShown}, false));
  Explanation explanation;
  explanation.units = static_cast<std::uint32_t>(checked[0].keys.units.size());
  if (answers[0].match)
    explanation.candidates.push_back(
        {.id = answers[0].match->id, .fate = "accepted", .distance = answers[0].match->distance.value_or(0)});
  for (const Match& other : answers[0].others)
    explanation.candidates.push_back({.id = other.id, .fate = "accepted", .distance = other.distance});
  answers[0].others.clear();
  explanation.answer = std::move(answers[0]);
  return explanation;
}

Result<void> RedisIndex::verify() {
  LEITONG_ASSIGN(const std::vector<RedisReply> next, link_.ask({{"HGET", key("meta"), "next"}}));
  const auto end = number_in(next[0].text);
  if (!end || *end > UINT32_MAX) return link_.not_understood("the next number");
  for (std::uint64_t first = 0; first < *end; first += kRowsAtOnce) {
    RedisCommand verify = command("verify", true);
    for (std::uint64_t n = first; n < std::min<std::uint64_t>(*end, first + kRowsAtOnce); ++n)
      verify.push_back(number_bytes(static_cast<std::uint32_t>(n)));
    LEITONG_ASSIGN(const std::vector<RedisReply> replies, link_.ask({verify}));
    if (replies[0].list.size() == 2)
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: the text with the id \"{}\" {}", link_.address().shown(),
                              replies[0].list[0].text, replies[0].list[1].text));
  }
  return for_each_stored(nullptr, [](const Stored&) -> Result<void> { return {}; });
}

Result<Figures> RedisIndex::figures() {
  LEITONG_ASSIGN(const std::vector<RedisReply> replies,
                 link_.ask({{"HMGET", key("meta"), "new", "near", "exact"}}));
  if (replies[0].list.size() != 3) return link_.not_understood("the counts");
  Figures figures;
  const auto count = [&](std::size_t i) { return number_in(replies[0].list[i].text).value_or(0); };
  figures.fresh = count(0);
  figures.near = count(1);
  figures.exact = count(2);
  figures.texts = figures.fresh + figures.near + figures.exact;
  figures.checks = checks_;
  figures.scheme = scheme_text(scheme_->maker().scheme);
  figures.distance = scheme_->maker().distance;
  return figures;
}

tl::unexpected<Error> RedisIndex::not_here(std::string_view what) const {
  return fail(ErrorCode::unsupported, fmt::format("{}: {}", link_.address().shown(), what));
}
namespace {
constexpr std::string_view kNoSources =
    "an index on Redis shows texts as they come; sources that are shown at once need an index in a folder";
}
Result<bool> RedisIndex::begin(std::string_view) { return not_here(kNoSources); }
Result<Committed> RedisIndex::commit(std::string_view) { return not_here(kNoSources); }
Result<void> RedisIndex::rollback(std::string_view) { return not_here(kNoSources); }
Result<void> RedisIndex::snapshot(const std::filesystem::path&) {
  return not_here("copies of an index on Redis are the server's affair (BGSAVE); its texts can be exported");
}

}  // namespace leitong::online
