// Threads that work on requests, beside the one that talks to the network.
#pragma once

#include <functional>
#include <memory>

namespace leitong::server {

class Workers {
 public:
  explicit Workers(unsigned threads);
  /// Waits for all that was posted.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void post(std::function<void()> work);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace leitong::server
