// What is between an index and its server in a test: a silent or hostile server, or a proxy that loses and
// damages bytes.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace leitong::online {

/// Listens on a port of this machine, and calls `serve` for each connection, on a thread of its own, until
/// `over`.
class Listener {
 public:
  using Serve = std::function<void(int connection, const std::atomic<bool>& over)>;

  explicit Listener(Serve serve) : serve_(std::move(serve)), listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listening_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listening_, 64) != 0 ||
        ::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("can't listen");
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~Listener() {
    over_ = true;
    accepting_.join();
    for (std::thread& thread : serving_) thread.join();
    ::close(listening_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] std::string place() const { return "redis://127.0.0.1:" + std::to_string(port_) + "/i"; }
  [[nodiscard]] int port() const noexcept { return port_; }

 private:
  void accept_all() {
    while (!over_) {
      pollfd wait{listening_, POLLIN, 0};
      if (::poll(&wait, 1, 20) <= 0) continue;
      const int connection = ::accept(listening_, nullptr, nullptr);
      serving_.emplace_back([this, connection] {
        serve_(connection, over_);
        ::close(connection);
      });
    }
  }

  Serve serve_;
  int listening_, port_ = 0;
  std::atomic<bool> over_ = false;
  std::thread accepting_;
  std::vector<std::thread> serving_;
};

/// Answers every request with one of `answers`, which it sometimes damages, and sometimes closes the
/// connection.
class HostileServer {
 public:
  HostileServer(std::vector<std::string> answers, std::uint32_t seed)
      : answers_(std::move(answers)),
        random_(seed),
        listener_([this](int connection, const std::atomic<bool>& over) { serve(connection, over); }) {}

  [[nodiscard]] std::string place() const { return listener_.place(); }
  [[nodiscard]] int port() const noexcept { return listener_.port(); }

 private:
  std::string next() {
    const std::scoped_lock lock(mutex_);
    std::string bytes = answers_[random_() % answers_.size()];
    for (auto changes = random_() % 4; changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = random_() % bytes.size();
      if (random_() % 2 == 0)
        bytes[at] = static_cast<char>(random_());
      else
        bytes.resize(at);
    }
    return bytes;
  }
  void serve(int connection, const std::atomic<bool>& over) {
    std::array<char, 4096> bytes{};
    while (!over) {
      pollfd wait{connection, POLLIN, 0};
      if (::poll(&wait, 1, 20) <= 0) continue;
      if (::read(connection, bytes.data(), bytes.size()) <= 0) return;
      const std::string answer = next();
      if (::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return;
      if (answer.size() % 3 == 0) return;
    }
  }

  const std::vector<std::string> answers_;
  std::mutex mutex_;
  std::mt19937 random_;
  Listener listener_;
};

inline int connect_to(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return connection;
  ::close(connection);
  return -1;
}

/// Passes bytes between two connections until one ends, or until so many came from `back`.
inline void pass_on(int front, int back, std::size_t most, const std::atomic<bool>& over) {
  std::array<char, 4096> bytes{};
  while (!over) {
    std::array<pollfd, 2> wait{pollfd{front, POLLIN, 0}, pollfd{back, POLLIN, 0}};
    if (::poll(wait.data(), 2, 20) <= 0) continue;
    for (const int from : {0, 1}) {
      if ((wait[static_cast<std::size_t>(from)].revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t size = ::read(from == 0 ? front : back, bytes.data(), bytes.size());
      if (size <= 0) return;
      const std::size_t passed =
          from == 1 ? std::min(most, static_cast<std::size_t>(size)) : static_cast<std::size_t>(size);
      if (::send(from == 0 ? back : front, bytes.data(), passed, MSG_NOSIGNAL) < 0) return;
      if (from == 1 && (most -= passed) == 0) return;
    }
  }
}

/// A proxy in front of a server that closes each connection after some bytes of answers.
class LosingProxy {
 public:
  LosingProxy(int port, std::uint32_t seed, std::uint32_t most)
      : random_(seed), listener_([this, port, most](int front, const std::atomic<bool>& over) {
          const int back = connect_to(port);
          if (back < 0) return;
          pass_on(front, back, 1 + below(most), over);
          ++lost_;
          ::close(back);
        }) {}

  [[nodiscard]] std::string place() const { return listener_.place(); }
  [[nodiscard]] int port() const noexcept { return listener_.port(); }
  [[nodiscard]] int lost() const { return lost_; }

 private:
  std::uint32_t below(std::uint32_t most) {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::uint32_t>(random_() % most);
  }

  std::mutex mutex_;
  std::mt19937 random_;
  std::atomic<int> lost_ = 0;
  Listener listener_;
};

/// A proxy that changes bytes of answers while it is switched on.
class DamagingProxy {
 public:
  DamagingProxy(int port, std::uint32_t seed)
      : random_(seed), listener_([this, port](int front, const std::atomic<bool>& over) {
          const int back = connect_to(port);
          if (back < 0) return;
          pass(front, back, over);
          ::close(back);
        }) {}

  [[nodiscard]] std::string place() const { return listener_.place(); }
  [[nodiscard]] int port() const noexcept { return listener_.port(); }
  std::atomic<bool> damage = false;

 private:
  void pass(int front, int back, const std::atomic<bool>& over) {
    std::array<char, 65536> bytes{};
    while (!over) {
      std::array<pollfd, 2> wait{pollfd{front, POLLIN, 0}, pollfd{back, POLLIN, 0}};
      if (::poll(wait.data(), 2, 20) <= 0) continue;
      const bool from_back = (wait[1].revents & (POLLIN | POLLHUP)) != 0;
      const ssize_t size = ::read(from_back ? back : front, bytes.data(), bytes.size());
      if (size <= 0) return;
      if (from_back && damage) {
        const std::scoped_lock lock(mutex_);
        for (int i = 0; i < 3; ++i)
          bytes[random_() % static_cast<std::size_t>(size)] = static_cast<char>(random_());
      }
      if (::send(from_back ? front : back, bytes.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) < 0)
        return;
    }
  }

  std::mutex mutex_;
  std::mt19937 random_;
  Listener listener_;
};

}  // namespace leitong::online
