#include "online/redis/open.hpp"

#include "base/try.hpp"
#include "online/redis/address.hpp"
#ifdef LEITONG_REDIS
#include "online/redis/description.hpp"
#include "online/redis/fingerprints.hpp"
#include "online/redis/texts.hpp"
#endif

namespace leitong::online {

Result<std::unique_ptr<Home>> open_redis(const Context& context, std::string_view place,
                                         const Settings& settings) {
  LEITONG_ASSIGN(RedisAddress address, parse_redis_address(place));
#ifdef LEITONG_REDIS
  std::unique_ptr<const TlsSettings> tls;
  if (address.tls) {
    LEITONG_ASSIGN(tls, TlsSettings::read(address.files));
  }
  auto link = std::make_unique<RedisLink>(std::move(address), std::move(tls), settings.remote,
                                          StopToken(context.state().stop));
  LEITONG_ASSIGN(RedisDescription index, describe(context, *link, settings));
  if (index.scheme->spec().bits == 0)
    return std::make_unique<RedisTexts>(context, std::move(link), std::move(index));
  return std::make_unique<RedisFingerprints>(context, std::move(link), std::move(index));
#else
  (void)context;
  (void)settings;
  return fail(
      ErrorCode::unsupported,
      "this program was built without Redis; install libhiredis-dev and build it again, or use a folder");
#endif
}

}  // namespace leitong::online
