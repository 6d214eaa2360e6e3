#include "thrift_connection.hpp"

#include <fmt/core.h>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "HBase.h"
#include "base/try.hpp"
#include "online/bytes.hpp"

namespace leitong::online {
namespace {

namespace at = apache::thrift;
using Transport = at::transport::TTransportException;

const std::string kFamily = "i";
// The longest value and list that are accepted from a server, whatever length it announces.
constexpr std::int32_t kMostBytes = 64 << 20, kMostParts = 1 << 20;
// The number of calls that are sent before their answers are read. A request has about a hundred bytes, so
// that all fit into the buffers of both ends, and neither end waits for the other to read.
constexpr std::size_t kSentAtOnce = 32;
// Bloom filters by the keys' first bytes.
const std::string kPrefixLength = "RowPrefixBloomFilter.prefix_length";
// Rows are small, and of a block that is read few rows are needed.
constexpr std::int32_t kBlockBytes = 16 << 10;

std::string shortened(std::string_view message) {
  // The message also contains the call stack of the server.
  return std::string(message.substr(0, std::min<std::size_t>(message.find('\n'), 300)));
}

/// HBase reports a table that is missing or exists already only by its name.
bool names(const hbase::TIOError& error, std::string_view table) {
  return !table.empty() && shortened(error.message) == table;
}

/// The meaning of an error of the server, with the table of the request. REQUIRES that an exception is being
/// handled.
Error error_now(std::string_view table = {}) {
  try {
    throw;
  } catch (const hbase::TIOError& error) {
    if (names(error, table) || error.message.find("TableNotFound") != std::string::npos)
      return {ErrorCode::not_found, "there is no table of this index"};
    return {ErrorCode::io, "the server says: " + shortened(error.message)};
  } catch (const at::TApplicationException& error) {
    using Kind = at::TApplicationException::TApplicationExceptionType;
    switch (error.getType()) {
      case Kind::INTERNAL_ERROR:
        return {ErrorCode::io, "the server says: " + shortened(error.what())};
      case Kind::UNKNOWN_METHOD:
      case Kind::INVALID_PROTOCOL:
      case Kind::UNSUPPORTED_CLIENT_TYPE:
        return {ErrorCode::unsupported,
                "an index needs a Thrift2 server of HBase 2.6 or later: " + shortened(error.what())};
      default:
        return {ErrorCode::corrupt, shortened(error.what())};
    }
  } catch (const Transport& error) {
    if (error.getType() == Transport::TIMED_OUT) return {ErrorCode::io, "no answer in time"};
    if (error.getType() == Transport::CORRUPTED_DATA) return {ErrorCode::corrupt, shortened(error.what())};
    return {ErrorCode::io, "the connection is lost: " + shortened(error.what())};
  } catch (const std::exception& error) {
    return {ErrorCode::corrupt, shortened(error.what())};
  } catch (...) {
    return {ErrorCode::corrupt, "an unknown exception"};
  }
}

std::vector<HBaseCell> cells_of(hbase::TResult& result) {
  std::vector<HBaseCell> cells;
  cells.reserve(result.columnValues.size());
  for (hbase::TColumnValue& value : result.columnValues)
    cells.push_back({std::move(value.qualifier), std::move(value.value)});
  return cells;
}

hbase::TPut put_of(const HBaseRow& row, std::uint64_t version) {
  hbase::TPut put;
  put.row = row.key;
  if (version != 0) put.__set_timestamp(static_cast<std::int64_t>(version));
  for (const HBaseCell& cell : row.cells) {
    hbase::TColumnValue& value = put.columnValues.emplace_back();
    value.family = kFamily;
    value.qualifier = cell.column;
    value.value = cell.value;
  }
  return put;
}

hbase::TColumn column_of(const std::string& name) {
  hbase::TColumn column;
  column.family = kFamily;
  column.__set_qualifier(name);
  return column;
}

class ThriftConnection final : public HBaseConnection {
 public:
  /// `socket` is below the transport, if there is one.
  ThriftConnection(std::shared_ptr<at::protocol::TProtocol> protocol,
                   std::shared_ptr<at::transport::TSocket> socket, std::chrono::milliseconds answer)
      : socket_(std::move(socket)), answer_(answer), client_(std::move(protocol)) {}

  Result<std::vector<std::vector<HBaseCell>>> get(const std::string& table,
                                                  const std::vector<HBaseGet>& gets) override {
    return guarded(table, [&]() -> Result<std::vector<std::vector<HBaseCell>>> {
      std::vector<hbase::TGet> asked(gets.size());
      for (std::size_t i = 0; i < gets.size(); ++i) {
        asked[i].row = gets[i].key;
        if (!gets[i].column.empty()) asked[i].__set_columns({column_of(gets[i].column)});
        if (gets[i].limit != 0) asked[i].__set_storeLimit(static_cast<std::int32_t>(gets[i].limit));
      }
      std::vector<hbase::TResult> found;
      client_.getMultiple(found, table, asked);
      std::vector<std::vector<HBaseCell>> rows;
      for (hbase::TResult& result : found) {
        if (rows.size() < gets.size() && !result.columnValues.empty() && result.row != gets[rows.size()].key)
          return fail(ErrorCode::corrupt, "another row than was asked for");
        rows.push_back(cells_of(result));
      }
      if (rows.size() != gets.size()) return fail(ErrorCode::corrupt, "too few or too many rows");
      return rows;
    });
  }

  Result<void> put(const std::string& table, const std::vector<HBaseRow>& rows,
                   std::uint64_t version) override {
    return guarded(table, [&]() -> Result<void> {
      std::vector<hbase::TPut> puts;
      for (const HBaseRow& row : rows) puts.push_back(put_of(row, version));
      client_.putMultiple(table, puts);
      return {};
    });
  }

  Result<void> remove(const std::string& table, const std::vector<HBaseRow>& rows,
                      std::uint64_t version) override {
    return guarded(table, [&]() -> Result<void> {
      std::vector<hbase::TDelete> deletes(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        deletes[i].row = rows[i].key;
        deletes[i].__set_deleteType(hbase::TDeleteType::DELETE_COLUMNS);
        std::vector<hbase::TColumn> columns;
        for (const HBaseCell& cell : rows[i].cells) {
          columns.push_back(column_of(cell.column));
          columns.back().__set_timestamp(static_cast<std::int64_t>(version));
        }
        deletes[i].__set_columns(columns);
      }
      std::vector<hbase::TDelete> failed;
      client_.deleteMultiple(failed, table, deletes);
      if (!failed.empty()) return fail(ErrorCode::io, "the server didn't delete all rows");
      return {};
    });
  }

  Result<std::vector<std::vector<HBaseRow>>> scan(const std::string& table,
                                                  const std::vector<HBaseScan>& scans) override {
    return guarded(table, [&]() -> Result<std::vector<std::vector<HBaseRow>>> {
      std::vector<std::vector<HBaseRow>> all(scans.size());
      for (std::size_t first = 0; first < scans.size(); first += kSentAtOnce) {
        const std::size_t end = std::min(scans.size(), first + kSentAtOnce);
        for (std::size_t i = first; i < end; ++i) send(table, scans[i]);
        for (std::size_t i = first; i < end; ++i) {
          std::vector<hbase::TResult> found;
          client_.recv_getScannerResults(found);
          for (hbase::TResult& result : found) {
            if (result.row < scans[i].begin || result.row >= scans[i].end || all[i].size() == scans[i].limit)
              return fail(ErrorCode::corrupt, "rows that weren't asked for");
            all[i].push_back({std::move(result.row), cells_of(result)});
          }
        }
      }
      return all;
    });
  }

  Result<bool> put_if(const std::string& table, const HBaseCheckedPut& put) override {
    return guarded(table, [&]() -> Result<bool> {
      return client_.checkAndPut(table, put.put.key, kFamily, put.column, put.expected,
                                 put_of(put.put, put.version));
    });
  }

  Result<void> create(const HBaseTable& table) override {
    return guarded(table.name, [&]() -> Result<void> {
      hbase::TTableDescriptor wanted;
      wanted.tableName.qualifier = table.name;
      hbase::TColumnFamilyDescriptor family;
      family.name = kFamily;
      family.__set_maxVersions(1);
      family.__set_blockSize(kBlockBytes);
      family.__set_dataBlockEncoding(hbase::TDataBlockEncoding::FAST_DIFF);
      family.__set_bloomnFilterType(hbase::TBloomFilterType::ROWPREFIX_FIXED_LENGTH);
      family.__set_configuration({{kPrefixLength, std::to_string(table.prefix_of_bloom)}});
      wanted.__set_columns({family});
      std::vector<std::string> splits;
      for (unsigned i = 1; i < table.regions; ++i)
        splits.push_back(key_of(static_cast<std::uint32_t>((std::uint64_t{i} << 32) / table.regions)));
      // A table with many regions takes time.
      wait_at_most(6 * answer_);
      bool made = true;
      try {
        client_.createTable(wanted, splits);
      } catch (const hbase::TIOError& error) {
        made = false;
        if (!names(error, table.name) && error.message.find("TableExists") == std::string::npos) throw;
      }
      wait_at_most(answer_);
      if (!made) return {};
      std::vector<hbase::THRegionLocation> regions;
      client_.getAllRegionLocations(regions, table.name);
      std::vector<std::string> begins;
      for (const hbase::THRegionLocation& region : regions)
        if (!region.regionInfo.startKey.empty()) begins.push_back(region.regionInfo.startKey);
      std::ranges::sort(begins);
      if (begins != splits)
        return fail(ErrorCode::unsupported,
                    "the server didn't split the table as it was told; framed Thrift servers do so "
                    "(HBase 2.6): drop the table, and make the index through one with buffered transport");
      return {};
    });
  }

 private:
  /// Sets the time limit for the answer to one call.
  void wait_at_most(std::chrono::milliseconds time) {
    if (socket_ != nullptr) socket_->setRecvTimeout(static_cast<int>(time.count()));
  }

  void send(const std::string& table, const HBaseScan& scan) {
    hbase::TScan wanted;
    wanted.__set_startRow(scan.begin);
    wanted.__set_stopRow(scan.end);
    wanted.__set_caching(static_cast<std::int32_t>(scan.limit));
    wanted.__set_limit(static_cast<std::int32_t>(scan.limit));
    wanted.__set_readType(hbase::TReadType::PREAD);
    client_.send_getScannerResults(table, wanted, static_cast<std::int32_t>(scan.limit));
  }

  /// No exception of libthrift leaves this function.
  template <class Work>
  static auto guarded(std::string_view table, Work work) -> decltype(work()) {
    try {
      return work();
    } catch (...) {
      return tl::unexpected<Error>(error_now(table));
    }
  }

  std::shared_ptr<at::transport::TSocket> socket_;
  std::chrono::milliseconds answer_;
  hbase::HBaseClient client_;
};

template <class T>
std::shared_ptr<at::protocol::TProtocol> compact(std::shared_ptr<T> transport) {
  return std::make_shared<at::protocol::TCompactProtocolT<T>>(std::move(transport), kMostBytes, kMostParts);
}

}  // namespace

Result<std::unique_ptr<HBaseConnection>> connect_to_thrift(const ServerAddress& server, bool framed,
                                                           const Remote& settings) {
  try {
    auto socket = std::make_shared<at::transport::TSocket>(server.host, server.port);
    socket->setConnTimeout(static_cast<int>(settings.connect.count()));
    socket->setRecvTimeout(static_cast<int>(settings.answer.count()));
    socket->setSendTimeout(static_cast<int>(settings.answer.count()));
    socket->setKeepAlive(true);
    socket->open();
    auto protocol = framed ? compact(std::make_shared<at::transport::TFramedTransport>(socket))
                           : compact(std::make_shared<at::transport::TBufferedTransport>(socket));
    return std::make_unique<ThriftConnection>(std::move(protocol), std::move(socket), settings.answer);
  } catch (...) {
    Error error = error_now();
    return fail(ErrorCode::io, std::move(error.message));
  }
}

std::unique_ptr<HBaseConnection> thrift_connection_over(
    std::shared_ptr<at::transport::TTransport> transport) {
  return std::make_unique<ThriftConnection>(compact(std::move(transport)), nullptr,
                                            std::chrono::milliseconds(0));
}

}  // namespace leitong::online
