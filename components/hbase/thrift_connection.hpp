// A connection to a Thrift2 server. The generated code is made from hbase.thrift, and its exceptions are
// caught.
#pragma once

#include <memory>

#include "online/hbase/connection.hpp"

namespace apache::thrift::transport {
class TTransport;
}

namespace leitong::online {

/// Fails with io.
Result<std::unique_ptr<HBaseConnection>> connect_to_thrift(const ServerAddress& server, bool framed,
                                                           const Remote& settings);

/// Uses any transport, which must be open.
std::unique_ptr<HBaseConnection> thrift_connection_over(
    std::shared_ptr<apache::thrift::transport::TTransport> transport);

}  // namespace leitong::online
