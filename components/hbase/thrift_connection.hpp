// A connection to a Thrift2 server: generated code, made from hbase.thrift, with its exceptions caught.
#pragma once

#include <memory>

#include "online/hbase/connection.hpp"

namespace leitong::online {

Result<std::unique_ptr<HBaseConnection>> connect_to_thrift(const ServerAddress& server, bool framed,
                                                           const Remote& settings);

}  // namespace leitong::online
