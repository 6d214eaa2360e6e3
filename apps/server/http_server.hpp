// Connections: one thread reads requests, passes them to the Api, and writes the answers. Everything that a
// stranger could make large, slow or numerous is limited here.
#pragma once

#include <functional>
#include <memory>

#include "api.hpp"
#include "config.hpp"
#include "leitong/result.hpp"

namespace leitong::server {

class HttpServer {
 public:
  /// Binds the address. Fails with io.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> create(const Address& address, Api& api);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The address, with the port that was free.
  [[nodiscard]] Address address() const;
  /// The callbacks of run(), on its thread.
  struct Calls {
    std::function<void()> reload;    ///< for SIGHUP
    std::function<void()> stopping;  ///< when it is told to stop
    std::function<bool()> idle;      ///< is nothing in progress any more?
  };
  /// Serves until SIGTERM or SIGINT; then until requests in progress are answered and all is idle, until
  /// Limits::drain_seconds are over, or until a second signal.
  void run(const Calls& calls);
  /// Calls `then` at this interval during run(), on its thread.
  void every(unsigned seconds, std::function<void()> then);
  /// Runs work on the thread of run(). Any thread.
  void post(std::function<void()> work);

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::server
