#include "online/redis/open.hpp"

#include "base/try.hpp"
#include "online/redis/address.hpp"
#ifdef LEITONG_REDIS
#include "online/redis/redis_index.hpp"
#endif

namespace leitong::online {

Result<std::unique_ptr<Home>> open_redis(const Context& context, std::string_view place,
                                         const Settings& settings) {
#ifdef LEITONG_REDIS
  return RedisIndex::open(context, place, settings);
#else
  LEITONG_TRY(parse_redis_address(place));
  (void)context;
  (void)settings;
  return fail(
      ErrorCode::unsupported,
      "this program was built without Redis; install libhiredis-dev and build it again, or use a folder");
#endif
}

}  // namespace leitong::online
