// Where an index on HBase is: hbase://host[:port][,host[:port]..]/name[?option=value&..], of Thrift2 servers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

struct HBaseAddress {
  std::vector<ServerAddress> servers;  ///< Thrift2 servers of one HBase; asked in turn until one answers
  std::string name;                    ///< of the index
  bool framed = false;                 ///< "transport=framed": as the servers are set up
  bool wide = false;           ///< "layout=wide": of a new index, all fingerprints of a segment in a row
  unsigned blocks_in_key = 1;  ///< "blocks=2": of a new index, as Redis' has it
  unsigned regions = 4;        ///< "regions=N": of a new table
  bool has_tables = false;     ///< layout or blocks is there: they are of indexes of fingerprints

  /// For messages.
  [[nodiscard]] std::string shown() const;
};

[[nodiscard]] bool is_hbase(std::string_view place) noexcept;
/// Fails with invalid_argument, naming what is wrong.
Result<HBaseAddress> parse_hbase_address(std::string_view place);

}  // namespace leitong::online
