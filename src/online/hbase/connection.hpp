// One connection to a Thrift2 server of HBase: what an index asks of it. The component implements it
// (components/hbase); what stands here knows nothing of Thrift.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/hbase/address.hpp"

namespace leitong::online {

/// All columns are of one family.
struct HBaseCell {
  std::string column, value;
};
struct HBaseRow {
  std::string key;
  std::vector<HBaseCell> cells;
};
struct HBaseGet {
  std::string key;
  std::string column = {};  ///< one; empty: all
  std::uint32_t limit = 0;  ///< most cells; 0: all
};
/// Rows [begin, end), `limit` at most.
struct HBaseScan {
  std::string begin, end;
  std::uint32_t limit = 0;
};
/// Puts cells into a row if its column has this value. Nothing there is as good as an empty value.
struct HBaseCheckedPut {
  std::string column, expected;
  HBaseRow put;
};
struct HBaseTable {
  std::string name;
  unsigned regions = 1;          ///< the keys' first 4 bytes are split evenly
  unsigned prefix_of_bloom = 5;  ///< first bytes of keys that filters know
};

/// One thread at a time. All fail with io for what may pass (the server is away, is slow, moves a region),
/// with not_found where there is no such table, with unsupported where the server isn't one of Thrift2, and
/// with corrupt for what no such server says. After a failure the connection is of no use.
class HBaseConnection {
 public:
  virtual ~HBaseConnection() = default;

  /// The cells of each row, by column; none where there is no such row.
  virtual Result<std::vector<std::vector<HBaseCell>>> get(const std::string& table,
                                                          const std::vector<HBaseGet>& gets) = 0;
  virtual Result<void> put(const std::string& table, const std::vector<HBaseRow>& rows) = 0;
  /// The cells of these columns; whole rows where none is named.
  virtual Result<void> remove(const std::string& table, const std::vector<HBaseRow>& rows) = 0;
  /// All are sent before the first answer is awaited.
  virtual Result<std::vector<std::vector<HBaseRow>>> scan(const std::string& table,
                                                          const std::vector<HBaseScan>& scans) = 0;
  /// Which of them were done, one after another.
  virtual Result<std::vector<bool>> put_if(const std::string& table,
                                           const std::vector<HBaseCheckedPut>& puts) = 0;
  /// It is there then; made so, or by another one. Fails with io where it isn't split as it should be.
  virtual Result<void> create(const HBaseTable& table) = 0;
};

/// Fails with io.
using HBaseConnect = Result<std::unique_ptr<HBaseConnection>> (*)(const ServerAddress& server, bool framed,
                                                                  const Remote& settings);

}  // namespace leitong::online
