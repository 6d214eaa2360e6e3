#include <thrift/Thrift.h>

#include <utility>

#include "online/hbase/home.hpp"
#include "online/hbase/open.hpp"
#include "thrift_connection.hpp"

namespace leitong::online {
namespace {

class Component final : public HBaseHomes {
 public:
  [[nodiscard]] Result<std::unique_ptr<Home>> open(const Context& context, HBaseAddress address,
                                                   const Settings& settings,
                                                   const HBaseParts& parts) const override {
    return open_hbase_home(context, std::move(address), connect_to_thrift, settings, parts);
  }
};

}  // namespace
}  // namespace leitong::online

extern "C" __attribute__((visibility("default"))) const leitong::online::HBaseHomes* leitong_hbase_homes(
    unsigned version) {
  // Errors are returned; libthrift would also write them to standard error.
  static const bool quiet = [] {
    apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
    return true;
  }();
  (void)quiet;
  static const leitong::online::Component component;
  return version == leitong::kComponentVersion ? &component : nullptr;
}
