// The index on HBase is a component of its own (io/component.hpp), because it needs Thrift, which few runs
// use. The program and the component share only this file and the engine's headers.
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

/// Fails with unsupported if the component is missing; with not_found if there is no index and none is to be
/// made; with invalid_argument for an impossible place or scheme; and as HBaseLink::ask() does.
Result<std::unique_ptr<Home>> open_hbase(const Context& context, std::string_view place,
                                         const Settings& settings);

/// Functions of the program for the component, so that it need not contain all schemes.
struct HBaseParts {
  decltype(&open_index_scheme) open_scheme;
};
/// What the component offers.
class HBaseHomes {
 public:
  [[nodiscard]] virtual Result<std::unique_ptr<Home>> open(const Context& context, HBaseAddress address,
                                                           const Settings& settings,
                                                           const HBaseParts& parts) const = 0;

 protected:
  ~HBaseHomes() = default;
};
/// The only function of the shared object, by this name: returns the offer for this version of leitong, or
/// null.
using HBaseEntry = const HBaseHomes* (*)(unsigned version);
inline constexpr char kHBaseEntry[] = "leitong_hbase_homes";

}  // namespace leitong::online
