// Connections: one thread reads requests, hands them to the Api, and writes what it answers. Everything that
// a stranger could make large, slow or many is bounded here.
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

  /// Where it listens, with the port that was free.
  [[nodiscard]] Address address() const;
  /// What run() calls, on its thread.
  struct Calls {
    std::function<void()> reload;    ///< at SIGHUP
    std::function<void()> stopping;  ///< when it is told to stop
    std::function<bool()> idle;      ///< is nothing at work any more?
  };
  /// Serves until SIGTERM or SIGINT, and then until requests at work are answered and all is idle, or until
  /// Limits::drain_seconds are over, or until it is told to stop once more.
  void run(const Calls& calls);
  /// Calls `then` every so many seconds while run() runs, on its thread.
  void every(unsigned seconds, std::function<void()> then);
  /// Work for the thread that runs run(). Any thread.
  void post(std::function<void()> work);

 private:
  class Inside;
  explicit HttpServer(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace leitong::server
