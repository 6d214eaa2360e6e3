#include "online/hbase/address.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "online/bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kHBaseBegin = "hbase://";
constexpr int kHBasePort = 9090;
constexpr unsigned kMostRegions = 256;

}  // namespace

std::string HBaseAddress::shown() const { return shown_place(kHBaseBegin, servers, name); }

bool is_hbase(std::string_view place) noexcept { return place.starts_with(kHBaseBegin); }

Result<HBaseAddress> parse_hbase_address(std::string_view place) {
  HBaseAddress address;
  std::string_view options = place.substr(std::min(kHBaseBegin.size(), place.size()));
  LEITONG_TRY(parse_servers_and_name(kHBaseBegin, take_until(options, '?'), kHBasePort, address.servers,
                                     address.name));
  while (!options.empty()) {
    std::string_view value = take_until(options, '&');
    const std::string_view whole = value, name = take_until(value, '=');
    const auto number = number_in(value);
    if (whole == "transport=framed" || whole == "transport=buffered") {
      address.framed = value == "framed";
    } else if (name == "regions" && number && *number >= 1 && *number <= kMostRegions) {
      address.regions = static_cast<unsigned>(*number);
    } else if (whole == "layout=tall" || whole == "layout=wide") {
      address.wide = value == "wide";
      address.has_tables = true;
    } else if (whole == "blocks=1" || whole == "blocks=2") {
      address.blocks_in_key = static_cast<unsigned>(*number);
      address.has_tables = true;
    } else {
      return wrong_place(kHBaseBegin,
                         fmt::format("the option \"{}\" is unknown; there are layout=tall, layout=wide, "
                                     "blocks=1, blocks=2, regions=1 to {}, and transport=framed",
                                     whole, kMostRegions));
    }
  }
  return address;
}

}  // namespace leitong::online
