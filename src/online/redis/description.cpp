#include "online/redis/description.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "online/redis/number_in.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kFormat = "leitong online index on redis 2";

using Fields = std::map<std::string, std::string, std::less<>>;

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

std::string hex(std::uint64_t low, std::uint64_t high) { return fmt::format("{:016x}{:016x}", low, high); }
bool read_hex(std::string_view text, SipKey& key) {
  const auto word = [&](std::size_t at, std::uint64_t& result) {
    const char* const first = text.data() + at;
    const auto [end, error] = std::from_chars(first, first + 16, result, 16);
    return error == std::errc() && end == first + 16;
  };
  return text.size() == 32 && word(0, key.low) && word(16, key.high);
}

Result<Fields> read(RedisLink& link, const RedisCommand& command) {
  LEITONG_ASSIGN(const std::vector<RedisReply> replies, link.ask({command}));
  Fields fields;
  const std::vector<RedisReply>& list = replies[0].list;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) fields.emplace(list[i].text, list[i + 1].text);
  return fields;
}

/// The function's call that makes a new index.
RedisCommand making(const RedisLink& link, const Maker& maker) {
  const RedisAddress& address = link.address();
  Fields fields = {{"format", std::string(kFormat)},
                   {"scheme", scheme_text(maker.scheme)},
                   {"given", fmt::format("{}", fmt::join(maker.given, "\n"))},
                   {"distance", std::to_string(maker.distance)},
                   {"texts", maker.keeps_texts ? "kept" : "none"}};
  if (maker.bits != 0) {
    fields["layout"] = address.sets ? "sets" : "packed";
    fields["plan"] = plan_of(maker.bits, maker.distance, address.blocks_in_key);
  } else {
    const SipKey secret = random_secret(), made = random_secret();
    fields["secret"] = hex(secret.low, secret.high);
    fields["made"] = hex(made.low, made.high);
    for (const char* const count : {"changes", "removals"}) fields.emplace(count, std::to_string(0));
  }
  RedisCommand make = link.function("describe", false);
  for (const auto& [name, value] : fields) {
    make.push_back(name);
    make.push_back(value);
  }
  return make;
}

}  // namespace

Result<RedisDescription> describe(const Context& context, RedisLink& link, const Settings& settings) {
  const RedisAddress& address = link.address();
  LEITONG_ASSIGN(Fields fields, read(link, link.function("describe", false)));
  if (fields.empty()) {
    if (!settings.create)
      return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", address.shown()));
    LEITONG_ASSIGN(const auto scheme, open_index_scheme(context, settings, address.shown(), std::nullopt));
    if (scheme->maker().bits == 0 && address.has_tables)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: \"layout\" and \"blocks\" are of indexes of fingerprints; leave them "
                              "out, or name a scheme such as simhash",
                              address.shown()));
    LEITONG_ASSIGN(fields, read(link, making(link, scheme->maker())));
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
  if (!distance || *distance > 64) return link.not_understood("the distance");
  maker.distance = static_cast<unsigned>(*distance);
  maker.keeps_texts = fields["texts"] == "kept";
  RedisDescription index;
  LEITONG_ASSIGN(index.scheme, open_index_scheme(context, settings, address.shown(), maker));
  if (index.scheme->maker().bits == 0) {
    index.made = fields["made"];
    if (!read_hex(fields["secret"], index.secret) || index.made.empty())
      return link.not_understood("the secret");
    return index;
  }
  index.plan = fields["plan"];
  index.layout = fields["layout"];
  // Tables that miss pairs are not believed.
  const unsigned bits = index.scheme->maker().bits;
  if (index.plan != plan_of(bits, maker.distance, 1) && index.plan != plan_of(bits, maker.distance, 2))
    return link.not_understood("the plan of the tables");
  return index;
}

}  // namespace leitong::online
