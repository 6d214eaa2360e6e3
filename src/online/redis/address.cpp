#include "online/redis/address.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/try.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kBegin = "redis://";
constexpr std::size_t kMostNameBytes = 100;

/// What stands before the first `mark`, taken away with it; all of it where there is none.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

tl::unexpected<Error> wrong(std::string_view place, std::string_view what) {
  // Not the whole of it: it may hold a password.
  return fail(ErrorCode::invalid_argument,
              fmt::format("{}..: {}; write redis://host:port/name", place.substr(0, kBegin.size()), what));
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

Result<RedisServer> parse_server(std::string_view place, std::string_view text) {
  RedisServer server;
  const std::size_t colon = text.rfind(':');
  server.host = text.substr(0, colon);
  if (server.host.empty()) return wrong(place, "the name of a server is missing");
  if (colon == std::string_view::npos) return server;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), server.port);
  if (error != std::errc() || end != digits.data() + digits.size() || server.port < 1 || server.port > 65535)
    return wrong(place, fmt::format("\"{}\" is no port", digits));
  return server;
}

}  // namespace

std::string RedisAddress::shown() const {
  std::string text(kBegin);
  for (const RedisServer& server : servers)
    text += fmt::format("{}{}:{}", &server == servers.data() ? "" : ",", server.host, server.port);
  return text + "/" + name;
}

bool is_redis(std::string_view place) noexcept { return place.starts_with(kBegin); }

Result<RedisAddress> parse_redis_address(std::string_view place) {
  RedisAddress address;
  std::string_view options = place.substr(std::min(kBegin.size(), place.size()));
  std::string_view rest = take_until(options, '?');
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    std::string_view who = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    address.user = take_until(who, ':');
    address.password = who;
  }
  std::string_view servers = take_until(rest, '/');
  if (!is_name(rest))
    return wrong(place,
                 fmt::format("the name of an index has 1 to {} letters, digits, \"-\", \"_\" and \".\"",
                             kMostNameBytes));
  address.name = rest;
  do {
    LEITONG_ASSIGN(address.servers.emplace_back(), parse_server(place, take_until(servers, ',')));
  } while (!servers.empty());
  while (!options.empty()) {
    const std::string_view option = take_until(options, '&');
    if (option == "layout=sets" || option == "layout=packed")
      address.sets = option == "layout=sets";
    else if (option == "blocks=1" || option == "blocks=2")
      address.blocks_in_key = option == "blocks=2" ? 2 : 1;
    else
      return wrong(place,
                   fmt::format("the option \"{}\" is unknown; there are layout=packed, layout=sets, blocks=1 "
                               "and blocks=2",
                               option));
    address.has_tables = true;
  }
  return address;
}

}  // namespace leitong::online
