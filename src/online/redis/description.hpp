// What an index on a Redis server says that it is.
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
  std::string plan, layout;  ///< of fingerprints: their tables
  SipKey secret;             ///< of texts
  RedisLevels levels;        ///< of texts
  std::string history;       ///< tells this index from one that is made under its name later
};

/// The first that comes writes what the index is, and all are held to it. Fails with not_found if there is
/// none and none is to be made, with invalid_argument for a scheme that can't be, and as RedisLink::ask()
/// does.
Result<RedisDescription> describe(const Context& context, RedisLink& link, const Settings& settings);

}  // namespace leitong::online
