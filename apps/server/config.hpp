// The configuration of a server. The table in config.cpp has every key once: the parser, the sample and its
// explanations come from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/dictionaries.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::server {

/// The address of a server.
struct Address {
  std::string host = "127.0.0.1";  ///< IPv4 or IPv6, without brackets
  std::uint16_t port = 8380;       ///< 0: any free one
};

/// The limits for requests.
struct Limits {
  std::uint64_t body = 16ULL << 20;     ///< bytes of a body, both as sent and decompressed
  std::uint64_t memory = 256ULL << 20;  ///< bytes of all requests in progress and of their answers
  std::uint64_t records = 10'000;       ///< of one request
  std::uint64_t connections = 10'000;   ///< at the same time
  std::uint64_t indexes = 256;          ///< that are open, together with open sources
  unsigned head_seconds = 10;           ///< from the first byte of a request to the end of its head
  unsigned body_seconds = 30;           ///< from there to the end of its body, plus one for each 256 KB
  unsigned idle_seconds = 60;           ///< between two requests of a connection
  unsigned drain_seconds = 30;          ///< for requests in progress when the server is told to stop
};

struct Config {
  Address listen;
  std::filesystem::path data;      ///< folder of the indexes; empty: the user's own
  std::vector<std::string> hosts;  ///< further names of the server in requests
  /// File of tokens; empty: everybody who can reach the server may do everything.
  std::filesystem::path tokens;
  unsigned threads = 0;  ///< 0: one for each core
  Limits limits;
  online::Settings index = {.scheme = "default"};  ///< of indexes without settings of their own
  unsigned expire_seconds = 60;                    ///< between two searches for expired texts; 0: never
  bool log_requests = false;  ///< a line for each request, not only for slow and failed ones
  unsigned slow_ms = 1000;    ///< from which a request counts as slow
  Dictionaries words;         ///< that texts are cut by
  std::map<std::string, std::filesystem::path> idf;  ///< dictionaries of /v1/weights by name
  std::map<std::string, std::string>
      homes;  ///< indexes on servers by name: "redis://host:port/name", "hbase://.."
};

/// "127.0.0.1:8380", "[::1]:8380", ":8380" for all addresses, or "8380" for the loopback. Fails with
/// invalid_argument.
[[nodiscard]] Result<Address> parse_address(std::string_view text);
/// The inverse, for use in a URL.
[[nodiscard]] std::string to_string(const Address& address);
/// Can only this machine reach it?
[[nodiscard]] bool is_loopback(const Address& address);

[[nodiscard]] bool is_index_name(std::string_view name) noexcept;

/// Reads TOML. `place`: its name in messages; `folder`: the base of relative paths. Fails with
/// invalid_argument, naming the line: unknown keys and impossible values are errors.
[[nodiscard]] Result<Config> parse_config(std::string_view toml, const std::string& place,
                                          const std::filesystem::path& folder);
/// The same for a file. Also fails as read_regular_file().
[[nodiscard]] Result<Config> read_config(const std::filesystem::path& file);

/// A configuration with every key, its default and its meaning.
[[nodiscard]] std::string sample_config();
/// Every key as "section.key".
[[nodiscard]] std::vector<std::string> config_keys();

}  // namespace leitong::server
