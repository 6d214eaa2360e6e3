#include "online/redis/address.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/try.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kRedisBegin = "redis://", kRedisTlsBegin = "rediss://";
constexpr int kRedisPort = 6379;

std::string_view begin_of(std::string_view place) {
  return place.starts_with(kRedisTlsBegin) ? kRedisTlsBegin : kRedisBegin;
}

tl::unexpected<Error> wrong(std::string_view place, std::string_view what) {
  return wrong_place(begin_of(place), what);
}

/// Decodes %40 to "@" and so on; nothing for wrong digits.
std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (; !text.empty(); text.remove_prefix(1)) {
    unsigned char byte = static_cast<unsigned char>(text[0]);
    if (byte == '%') {
      const std::string_view digits = text.substr(1, 2);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (error != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
      text.remove_prefix(2);
    }
    plain += static_cast<char>(byte);
  }
  return plain;
}

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

std::string RedisAddress::shown() const {
  return shown_place(tls ? kRedisTlsBegin : kRedisBegin, servers, name);
}

bool is_redis(std::string_view place) noexcept {
  return place.starts_with(kRedisBegin) || place.starts_with(kRedisTlsBegin);
}

Result<RedisAddress> parse_redis_address(std::string_view place) {
  RedisAddress address;
  address.tls = place.starts_with(kRedisTlsBegin);
  std::string_view options = place.substr(std::min(begin_of(place).size(), place.size()));
  std::string_view rest = take_until(options, '?');
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    std::string_view who = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    const auto user = decoded(take_until(who, ':')), password = decoded(who);
    if (!user || !password) return wrong(place, "in a user or password \"%\" begins two hexadecimal digits");
    address.user = *user;
    address.password = *password;
  } else {
    address.user = from_environment("LEITONG_REDIS_USER");
    address.password = from_environment("LEITONG_REDIS_PASSWORD");
  }
  LEITONG_TRY(parse_servers_and_name(begin_of(place), rest, kRedisPort, address.servers, address.name));
  while (!options.empty()) {
    std::string_view value = take_until(options, '&');
    const std::string_view whole = value, name = take_until(value, '=');
    std::string* const file = name == "ca"     ? &address.files.authorities
                              : name == "cert" ? &address.files.certificate
                              : name == "key"  ? &address.files.key
                                               : nullptr;
    if (file != nullptr && address.tls && !value.empty()) {
      *file = value;
      continue;
    }
    if (whole == "layout=sets" || whole == "layout=packed")
      address.sets = whole == "layout=sets";
    else if (whole == "blocks=1" || whole == "blocks=2")
      address.blocks_in_key = whole == "blocks=2" ? 2 : 1;
    else
      return wrong(place,
                   fmt::format("the option \"{}\" is unknown; there are layout=packed, layout=sets, blocks=1 "
                               "and blocks=2, and with rediss:// ca=FILE, cert=FILE and key=FILE",
                               whole));
    address.has_tables = true;
  }
  return address;
}

}  // namespace leitong::online
