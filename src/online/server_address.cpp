#include "online/server_address.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/try.hpp"
#include "online/hbase/address.hpp"
#include "online/redis/address.hpp"

namespace leitong::online {
namespace {

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

Result<ServerAddress> parse_server(std::string_view begin, std::string_view text, int usual_port) {
  ServerAddress server;
  const std::size_t colon = text.rfind(':');
  server.host = text.substr(0, colon);
  server.port = usual_port;
  if (server.host.empty()) return wrong_place(begin, "the name of a server is missing");
  if (colon == std::string_view::npos) return server;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), server.port);
  if (error != std::errc() || end != digits.data() + digits.size() || server.port < 1 || server.port > 65535)
    return wrong_place(begin, fmt::format("\"{}\" is no port", digits));
  return server;
}

}  // namespace

bool is_on_server(std::string_view place) noexcept { return is_redis(place) || is_hbase(place); }

// The rest of the place is not shown: it may hold a password.
Result<void> check_home(std::string_view place) {
  const std::size_t end = place.find("://");
  const std::string_view scheme = place.substr(0, end);
  const auto of_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  };
  if (end == std::string_view::npos || end == 0 || !std::ranges::all_of(scheme, of_scheme) ||
      is_on_server(place))
    return {};
  if (scheme == "http" || scheme == "https")
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}://..: an index behind a service is asked with HTTP, or in Python with "
                            "leitong.Client; here name a folder, redis://.., rediss://.. or hbase://..",
                            scheme));
  return fail(ErrorCode::invalid_argument,
              fmt::format("{}://..: no index lives there; name a folder, redis://host:port/name, "
                          "rediss://host:port/name or hbase://host:port/name",
                          scheme));
}

std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

tl::unexpected<Error> wrong_place(std::string_view begin, std::string_view what) {
  return fail(ErrorCode::invalid_argument,
              fmt::format("{}..: {}; write {}host:port/name", begin, what, begin));
}

Result<void> parse_servers_and_name(std::string_view begin, std::string_view text, int usual_port,
                                    std::vector<ServerAddress>& servers, std::string& name) {
  std::string_view hosts = take_until(text, '/');
  if (!is_name(text))
    return wrong_place(begin,
                       fmt::format("the name of an index has 1 to {} letters, digits, \"-\", \"_\" and \".\"",
                                   kMostNameBytes));
  name = text;
  do {
    LEITONG_ASSIGN(servers.emplace_back(), parse_server(begin, take_until(hosts, ','), usual_port));
  } while (!hosts.empty());
  return {};
}

std::string shown_place(std::string_view begin, const std::vector<ServerAddress>& servers,
                        std::string_view name) {
  std::string text(begin);
  for (const ServerAddress& server : servers)
    text += fmt::format("{}{}:{}", &server == servers.data() ? "" : ",", server.host, server.port);
  return text.append("/").append(name);
}

}  // namespace leitong::online
