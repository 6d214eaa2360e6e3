// The index on Redis needs the library hiredis, which may be missing in a build of leitong.
#pragma once

#include <memory>
#include <string_view>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/home.hpp"

namespace leitong::online {

/// Fails with unsupported if leitong was built without the library; with not_found if there is no index and
/// none is to be made; with invalid_argument for an impossible place or scheme; and as RedisLink::ask() does.
Result<std::unique_ptr<Home>> open_redis(const Context& context, std::string_view place,
                                         const Settings& settings);

}  // namespace leitong::online
