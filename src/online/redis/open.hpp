// The home on Redis, which needs a library (hiredis) that may not have been there when leitong was built.
#pragma once

#include <memory>
#include <string_view>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/home.hpp"

namespace leitong::online {

/// Fails with unsupported where the library was missing; else with not_found if there is no index and none is
/// to be made, with invalid_argument for a place or a scheme that can't be, and as RedisLink::ask() does.
Result<std::unique_ptr<Home>> open_redis(const Context& context, std::string_view place,
                                         const Settings& settings);

}  // namespace leitong::online
