// The place of an index on HBase: hbase://host[:port][,host[:port]..]/name[?option=value&..], with Thrift2
// servers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

struct HBaseAddress {
  std::vector<ServerAddress> servers;  ///< Thrift2 servers of one HBase, tried in turn
  std::string name;                    ///< name of the index
  bool framed = false;                 ///< "transport=framed": must match the servers
  bool wide = false;           ///< "layout=wide", for a new index: all fingerprints of a segment in one row
  unsigned blocks_in_key = 1;  ///< "blocks=2", for a new index: as for Redis
  unsigned regions = 4;        ///< "regions=N", for a new table
  bool has_tables = false;     ///< layout or blocks was given: they are for indexes of fingerprints

  /// The place for messages.
  [[nodiscard]] std::string shown() const;
};

[[nodiscard]] bool is_hbase(std::string_view place) noexcept;
/// Fails with invalid_argument, naming what is wrong.
Result<HBaseAddress> parse_hbase_address(std::string_view place);

}  // namespace leitong::online
