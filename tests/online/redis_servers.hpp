// Redis servers that a test starts on this machine: one, or a Cluster of three masters. They end with the
// test.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "temp_folder.hpp"

namespace leitong::online {

/// The reason why there are none; empty if they can be started.
std::string no_redis();

/// The answer of redis-cli to a command for the server on this port, including errors.
std::string redis_cli(int port, const std::string& what);

/// A port of this machine on which no process listens.
int free_port();

class RedisServerProcess {
 public:
  /// `more`: lines of its configuration.
  RedisServerProcess(const std::filesystem::path& folder, int port, const std::string& more = {});
  ~RedisServerProcess() { kill(); }
  RedisServerProcess(const RedisServerProcess&) = delete;
  RedisServerProcess& operator=(const RedisServerProcess&) = delete;

  [[nodiscard]] int port() const noexcept { return port_; }
  void kill();

 private:
  int port_;
  int pid_ = -1;
};

class RedisServers {
 public:
  explicit RedisServers(int count);
  /// "127.0.0.1:port" of each server.
  [[nodiscard]] std::string addresses() const;

 private:
  TempFolder folder_{"redis"};
  std::vector<std::unique_ptr<RedisServerProcess>> servers_;
};

}  // namespace leitong::online
