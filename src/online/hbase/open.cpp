#include "online/hbase/open.hpp"

#include "base/try.hpp"

namespace leitong::online {
namespace {

constexpr ComponentNames kHBase{.name = "leitong-hbase",
                                .object = "libleitong_hbase.so",
                                .entry = kHBaseEntry,
                                .what = "Indexes on HBase",
                                .failed = "can't be opened"};

Result<const HBaseHomes*> load() {
  LEITONG_ASSIGN(void* const entry, load_component(kHBase));
  const HBaseHomes* const homes = reinterpret_cast<HBaseEntry>(entry)(kComponentVersion);
  if (homes == nullptr) return other_version(kHBase);
  return homes;
}

}  // namespace

Result<std::unique_ptr<Home>> open_hbase(const Context& context, std::string_view place,
                                         const Settings& settings) {
  LEITONG_ASSIGN(HBaseAddress address, parse_hbase_address(place));
  static const Result<const HBaseHomes*> homes = load();
  if (!homes) return tl::unexpected<Error>(homes.error());
  return (*homes)->open(context, std::move(address), settings, {&open_index_scheme});
}

}  // namespace leitong::online
