// What a server is told by its configuration file. Every key stands once, in the table of config.cpp: the
// parser, the sample and its explanations come from there.
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

/// Where a server listens.
struct Address {
  std::string host = "127.0.0.1";  ///< of IPv4 or IPv6, without brackets
  std::uint16_t port = 8380;       ///< 0: one that is free
};

/// What requests may ask for.
struct Limits {
  std::uint64_t body = 16ULL << 20;     ///< bytes of a body, as it was sent and decompressed
  std::uint64_t memory = 256ULL << 20;  ///< bytes of all requests at work and of their answers
  std::uint64_t records = 10'000;       ///< of one request
  std::uint64_t connections = 10'000;   ///< at once
  std::uint64_t indexes = 256;          ///< that are open, with open sources of them
  unsigned head_seconds = 10;           ///< from the first byte of a request to the end of its head
  unsigned body_seconds = 30;           ///< from there to the end of its body, and one for each 256 KB
  unsigned idle_seconds = 60;           ///< between two requests of a connection
  unsigned drain_seconds = 30;          ///< for requests at work when the server is told to stop
};

struct Config {
  Address listen;
  std::filesystem::path data;      ///< folder of the indexes; empty: the user's own
  std::vector<std::string> hosts;  ///< further names that requests may call the server by
  std::filesystem::path tokens;    ///< file of tokens; empty: everybody who reaches the server may do all
  unsigned threads = 0;            ///< 0: as many as there are cores
  Limits limits;
  online::Durability durability = online::Durability::sync;  ///< of indexes that do not say
  std::uint32_t postings_in_memory = 1'000'000;
  unsigned expire_seconds = 60;  ///< between two looks for texts that have expired; 0: never
  bool log_requests = false;     ///< a line for each request, not only for slow and failed ones
  unsigned slow_ms = 1000;       ///< from which a request is slow
  Dictionaries words;            ///< that texts are cut by
  std::map<std::string, std::filesystem::path> idf;  ///< dictionaries of /v1/weights by name
  std::map<std::string, std::string>
      homes;  ///< indexes on servers by name: "redis://host:port/name", "hbase://.."
};

/// "127.0.0.1:8380", "[::1]:8380", ":8380" of all addresses, or "8380" of the loopback. Fails with
/// invalid_argument.
[[nodiscard]] Result<Address> parse_address(std::string_view text);
/// The inverse, fit for a URL.
[[nodiscard]] std::string to_string(const Address& address);
/// Does nobody but this machine reach it?
[[nodiscard]] bool is_loopback(const Address& address);

/// May an index be called so?
[[nodiscard]] bool is_index_name(std::string_view name) noexcept;

/// Reads TOML. `place` is what messages call it, `folder` what relative paths begin at. Fails with
/// invalid_argument, naming the line: unknown keys and values that make no sense are errors.
[[nodiscard]] Result<Config> parse_config(std::string_view toml, const std::string& place,
                                          const std::filesystem::path& folder);
/// The same of a file. Fails as read_regular_file(), too.
[[nodiscard]] Result<Config> read_config(const std::filesystem::path& file);

/// A configuration with every key, its default and what it means.
[[nodiscard]] std::string sample_config();
/// Every key as "section.key".
[[nodiscard]] std::vector<std::string> config_keys();

}  // namespace leitong::server
