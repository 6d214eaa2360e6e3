// The home on HBase, which is a component of its own (io/component.hpp): it stands on Thrift, which few runs
// need. What stands here is all that both sides know of each other, beside the engine's own headers.
#pragma once

#include <memory>
#include <string_view>

#include "io/component.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/hbase/address.hpp"
#include "online/home.hpp"
#include "online/index_scheme.hpp"

namespace leitong::online {

/// Fails with unsupported where the component is missing; else with not_found if there is no index and none
/// is to be made, with invalid_argument for a place or a scheme that can't be, and as HBaseLink::ask() does.
Result<std::unique_ptr<Home>> open_hbase(const Context& context, std::string_view place,
                                         const Settings& settings);

/// What the component is given of the program, so that it doesn't hold all schemes once more.
struct HBaseParts {
  decltype(&open_index_scheme) open_scheme;
};
/// What it offers.
class HBaseHomes {
 public:
  [[nodiscard]] virtual Result<std::unique_ptr<Home>> open(const Context& context, HBaseAddress address,
                                                           const Settings& settings,
                                                           const HBaseParts& parts) const = 0;

 protected:
  ~HBaseHomes() = default;
};
/// The one function of the shared object, by this name: what it offers to this version of leitong, or null.
using HBaseEntry = const HBaseHomes* (*)(unsigned version);
inline constexpr char kHBaseEntry[] = "leitong_hbase_homes";

}  // namespace leitong::online
