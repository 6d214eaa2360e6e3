// The place of an index on a Redis server:
// redis[s]://[user:password@]host[:port][,host[:port]..]/name[?option=value&..]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"
#include "online/redis/tls.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

struct RedisAddress {
  std::vector<ServerAddress> servers;  ///< for a Cluster any of its masters; they are tried in turn
  std::string user, password;
  bool tls = false;         ///< "rediss": uses TLS and verifies the servers' certificates
  TlsFiles files;           ///< "ca=FILE", "cert=FILE", "key=FILE"
  std::string name;         ///< name of the index
  bool sets = false;        ///< "layout=sets", for a new index: a set of fingerprints for each segment
  bool has_tables = false;  ///< one of these two options was given: they are for indexes of fingerprints
  /// "blocks=2", for a new index: keys of two blocks, 5 choose 2 tables for distance 3.
  unsigned blocks_in_key = 1;

  /// The place without the password, for messages.
  [[nodiscard]] std::string shown() const;
};

[[nodiscard]] bool is_redis(std::string_view place) noexcept;
/// User and password come from LEITONG_REDIS_USER and LEITONG_REDIS_PASSWORD of the environment if the place
/// has none. Fails with invalid_argument, naming what is wrong.
Result<RedisAddress> parse_redis_address(std::string_view place);

}  // namespace leitong::online
