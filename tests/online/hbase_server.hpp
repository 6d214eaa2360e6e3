// An HBase that a test starts on this machine: a master with its region server in one process, and a Thrift2
// server in another. They end with the test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "temp_folder.hpp"

namespace leitong::online {

/// The reason why there is none; empty if it can be started.
std::string no_hbase();

class HBaseServer {
 public:
  /// Starts both. `rows_in_memory` is the number of bytes after which they go to a file; 0: HBase's default.
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
  /// Stops both for so long: they keep their data, but do not answer.
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

/// The HBase of a test program, for all tests that restore its state; the first one starts it.
HBaseServer& shared_hbase();

}  // namespace leitong::online
