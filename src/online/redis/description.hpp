// The description that an index on a Redis server stores of itself.
#pragma once

#include <memory>
#include <string>

#include "base/siphash.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/index_scheme.hpp"
#include "online/redis/buckets.hpp"
#include "online/redis/link.hpp"

namespace leitong::online {

struct RedisDescription {
  std::unique_ptr<IndexScheme> scheme;
  std::string plan, layout;  ///< for fingerprints: the tables and their layout
  SipKey secret;             ///< for texts
  RedisLevels levels;        ///< for texts
  std::string history;       ///< distinguishes this index from a later one of the same name
};

/// The first client writes the description; all clients use it. Fails with not_found if there is no index and
/// none is to be made, with invalid_argument for an impossible scheme, and as RedisLink::ask() does.
Result<RedisDescription> describe(const Context& context, RedisLink& link, const Settings& settings);

}  // namespace leitong::online
