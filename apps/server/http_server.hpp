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
  /// Serves until SIGTERM or SIGINT, and then until requests at work are answered or the time for that is
  /// over. `reload` is called at SIGHUP, `stopping` when it is told to stop; both on this thread.
  void run(const std::function<void()>& reload, const std::function<void()>& stopping);
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
