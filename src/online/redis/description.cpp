#include "online/redis/description.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/fingerprint_tables.hpp"
#include "online/index_spec.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kFormat = "leitong online index on redis 5";

/// Bits [first, end) of a fingerprint as pieces for functions.cpp: each within one word, at most 16 bits.
void append_pieces(unsigned first, unsigned end, std::string& pieces) {
  while (first < end) {
    const unsigned bits = std::min({end - first, 16u, 32 - first % 32});
    pieces += fmt::format("{}{}:{}:{}", pieces.empty() ? "" : "+", first / 32, first % 32, bits);
    first += bits;
  }
}

/// The tables, in the form that functions.cpp reads.
std::string plan_of(unsigned bits, unsigned distance, unsigned blocks_in_key) {
  std::string plan = std::to_string(bits / 8);
  for (const TableKey& key : tables_of(bits, distance, blocks_in_key)) {
    std::string pieces;
    for (const BitRange& range : key) append_pieces(range.first, range.end, pieces);
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

/// The call of the function that makes a new index.
RedisCommand making(const RedisLink& link, const IndexSpec& spec) {
  const RedisAddress& address = link.address();
  Fields fields = fields_of(spec);
  fields["format"] = kFormat;
  if (spec.bits != 0) {
    fields["layout"] = address.sets ? "sets" : "packed";
    fields["plan"] = plan_of(spec.bits, spec.distance, address.blocks_in_key);
  } else {
    const SipKey secret = random_secret();
    fields["secret"] = hex(secret.low, secret.high);
    for (const char* const count : {"changes", "removals"}) fields.emplace(count, std::to_string(0));
    fields["first_texts"] = std::to_string(RedisLevels::kFirstTexts);
  }
  fields["history"] = hex(random_secret().low, 0).substr(0, 16);
  fields["left"] = "0";
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
    if (scheme->spec().bits == 0 && address.has_tables)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: \"layout\" and \"blocks\" are of indexes of fingerprints; leave them "
                              "out, or name a scheme such as simhash",
                              address.shown()));
    LEITONG_ASSIGN(fields, read(link, making(link, scheme->spec())));
  }
  LEITONG_TRY(check_format(fields, kFormat, address.shown()));
  LEITONG_ASSIGN(const std::optional<IndexSpec> spec, spec_in(fields));
  if (!spec) return link.not_understood("the distance");
  RedisDescription index;
  LEITONG_ASSIGN(index.scheme, open_index_scheme(context, settings, address.shown(), spec));
  index.history = fields["history"];
  if (index.history.empty()) return link.not_understood("the history");
  if (index.scheme->spec().bits == 0) {
    if (!read_hex(fields["secret"], index.secret)) return link.not_understood("the secret");
    const auto first_texts = number_in(fields["first_texts"]);
    if (!first_texts || *first_texts == 0) return link.not_understood("the levels of buckets");
    index.levels = RedisLevels(*first_texts);
    return index;
  }
  index.plan = fields["plan"];
  index.layout = fields["layout"];
  // Tables that would miss pairs are refused.
  const unsigned bits = index.scheme->spec().bits;
  if (index.plan != plan_of(bits, spec->distance, 1) && index.plan != plan_of(bits, spec->distance, 2))
    return link.not_understood("the plan of the tables");
  return index;
}

}  // namespace leitong::online
