// The interface of one connection to a Thrift2 server of HBase. The component components/hbase implements it;
// this file is independent of Thrift.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/hbase/address.hpp"

namespace leitong::online {

/// All columns are in one family.
struct HBaseCell {
  std::string column, value;
};
struct HBaseRow {
  std::string key;
  std::vector<HBaseCell> cells;
};
struct HBaseGet {
  std::string key;
  std::string column = {};  ///< one column; empty: all
  std::uint32_t limit = 0;  ///< most cells; 0: all
};
/// Rows [begin, end), at most `limit`.
struct HBaseScan {
  std::string begin, end;
  std::uint32_t limit = 0;
};
/// Puts cells into a row if its column has this value. An empty value also matches a missing cell.
struct HBaseCheckedPut {
  std::string column, expected;
  HBaseRow put;
  std::uint64_t version = 0;  ///< the version, as for put()
};
struct HBaseTable {
  std::string name;
  unsigned regions = 1;          ///< the keys' first 4 bytes are split evenly
  unsigned prefix_of_bloom = 5;  ///< the first bytes of keys that filters know
};

/// A connection for one thread at a time. All functions fail with io for temporary failures (the server is
/// away, is slow, moves a region), with not_found if there is no such table, with unsupported if the server
/// does not speak Thrift2, and with corrupt for an impossible answer. After a failure the connection is
/// unusable.
class HBaseConnection {
 public:
  virtual ~HBaseConnection() = default;

  /// The cells of each row, by column; none if there is no such row.
  virtual Result<std::vector<std::vector<HBaseCell>>> get(const std::string& table,
                                                          const std::vector<HBaseGet>& gets) = 0;
  /// The value with the highest version counts in a cell, no matter when it is put. Version 0: the time of
  /// the server.
  virtual Result<void> put(const std::string& table, const std::vector<HBaseRow>& rows,
                           std::uint64_t version) = 0;
  /// Removes the values of these columns up to this version, even if they are put later.
  virtual Result<void> remove(const std::string& table, const std::vector<HBaseRow>& rows,
                              std::uint64_t version) = 0;
  /// Sends all scans before it waits for the first answer.
  virtual Result<std::vector<std::vector<HBaseRow>>> scan(const std::string& table,
                                                          const std::vector<HBaseScan>& scans) = 0;
  /// Returns whether the put was done.
  virtual Result<bool> put_if(const std::string& table, const HBaseCheckedPut& put) = 0;
  /// Makes the table if no other client did. Fails with io if an existing one is not split as described.
  virtual Result<void> create(const HBaseTable& table) = 0;
};

/// Fails with io.
using HBaseConnect = Result<std::unique_ptr<HBaseConnection>> (*)(const ServerAddress& server, bool framed,
                                                                  const Remote& settings);

}  // namespace leitong::online
