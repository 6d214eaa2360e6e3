// An HBase that a test starts on this machine: a master with its region server in one process, and a Thrift2
// server in another. They end with the test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "temp_folder.hpp"

namespace leitong::online {

/// Why there can be none; empty if there can.
std::string no_hbase();

class HBaseServer {
 public:
  /// Both are started. `rows_in_memory`: bytes after which they go to a file; 0: as HBase has it.
  explicit HBaseServer(std::uint64_t rows_in_memory = 0);
  ~HBaseServer();
  HBaseServer(const HBaseServer&) = delete;
  HBaseServer& operator=(const HBaseServer&) = delete;

  [[nodiscard]] int port() const noexcept { return port_; }  ///< of the Thrift2 server
  /// "hbase://127.0.0.1:port/name"
  [[nodiscard]] std::string place(const std::string& name, int port = 0) const;

  void start_master();
  void kill_master();
  void start_thrift();
  void kill_thrift();
  /// Stops both for so long: they keep what they have, and don't answer.
  void pause_thrift();
  void go_on_thrift();
  /// A number of the region server: "bloomFilterRequestsCount".
  [[nodiscard]] std::uint64_t counter(const std::string& name) const;

 private:
  int start(const std::string& name, const std::string& memory, const std::string& java_class);

  TempFolder folder_{"hbase"};
  int port_ = 0, zookeeper_ = 0, info_ = 0;
  int master_ = -1, thrift_ = -1;
};

/// The HBase of a test program: one for all tests that leave it as it was, started by the first.
HBaseServer& shared_hbase();

}  // namespace leitong::online
