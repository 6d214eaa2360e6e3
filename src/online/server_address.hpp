// What the places of indexes on servers have in common: SCHEME://host[:port][,host[:port]..]/name[?options].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::online {

struct ServerAddress {
  std::string host;
  int port = 0;

  bool operator==(const ServerAddress&) const = default;
};

/// The longest name of an index.
inline constexpr std::size_t kMostNameBytes = 100;

/// Is it the place of an index on a server, not a folder?
[[nodiscard]] bool is_on_server(std::string_view place) noexcept;
/// Fails with invalid_argument for "scheme://.." of an unknown scheme, which would be taken for a folder.
Result<void> check_home(std::string_view place);
/// Removes and returns the part before the first `mark`, and removes the mark; all of it if there is no mark.
[[nodiscard]] std::string_view take_until(std::string_view& text, char mark);
/// `begin`: "redis://". The message does not show the whole place: it may hold a password.
[[nodiscard]] tl::unexpected<Error> wrong_place(std::string_view begin, std::string_view what);
/// Parses "host[:port][,host[:port]..]/name". Fails with invalid_argument, naming what is wrong.
Result<void> parse_servers_and_name(std::string_view begin, std::string_view text, int usual_port,
                                    std::vector<ServerAddress>& servers, std::string& name);
/// "redis://host:port,host:port/name"
[[nodiscard]] std::string shown_place(std::string_view begin, const std::vector<ServerAddress>& servers,
                                      std::string_view name);

}  // namespace leitong::online
