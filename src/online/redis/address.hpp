// Where an index on a Redis server is:
// redis[s]://[user:password@]host[:port][,host[:port]..]/name[?option=value&..]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"
#include "online/redis/tls.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

using RedisServer = ServerAddress;

struct RedisAddress {
  std::vector<RedisServer> servers;  ///< of a Cluster any of its masters; asked in turn until one answers
  std::string user, password;
  bool tls = false;         ///< "rediss": by TLS, and the servers' certificates are checked
  TlsFiles files;           ///< "ca=FILE", "cert=FILE", "key=FILE"
  std::string name;         ///< of the index
  bool sets = false;        ///< "layout=sets": of a new index, a set of fingerprints under each segment
  bool has_tables = false;  ///< one of these two options is there: they are of indexes of fingerprints
  unsigned blocks_in_key =
      1;  ///< "blocks=2": of a new index, keys of two blocks: 5 choose 2 tables for distance 3

  /// The name without the password, for messages.
  [[nodiscard]] std::string shown() const;
};

[[nodiscard]] bool is_redis(std::string_view place) noexcept;
/// Who this is, where the place doesn't say: LEITONG_REDIS_USER and LEITONG_REDIS_PASSWORD of the
/// environment. Fails with invalid_argument, naming what is wrong.
Result<RedisAddress> parse_redis_address(std::string_view place);

}  // namespace leitong::online
