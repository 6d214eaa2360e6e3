// Sends texts of a file to a server over loopback, or to the library itself, and says how fast it went.
//
// One thread with non-blocking sockets, so that the client costs little beside the server. With a rate,
// requests are due at even distances whether or not earlier ones were answered, and their time counts from
// when they were due.
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/segment.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

struct Options {
  std::string texts, operation = "check-and-add", direct, durability = "sync", trace;
  unsigned port = 0, connections = 1;
  std::size_t batch = 1, count = 0;
  double rate = 0;
};

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

[[noreturn]] void die(const std::string& message) {
  fmt::print(stderr, "service_load: {}\n", message);
  std::exit(1);
}

std::vector<json> read_texts(const Options& options) {
  std::vector<json> texts;
  std::ifstream in(options.texts);
  for (std::string line; std::getline(in, line) && (options.count == 0 || texts.size() < options.count);) {
    const json record = json::parse(line);
    texts.push_back({{"id", record["id"]}, {"text", record["text"]}});
  }
  if (texts.empty()) die(options.texts + " holds no texts");
  return texts;
}

std::string request_of(const Options& options, const std::vector<json>& texts, std::size_t begin,
                       std::size_t end) {
  const bool words = options.operation == "segment";
  json body;
  if (words) {
    for (std::size_t i = begin; i < end; ++i) body["texts"].push_back(texts[i]["text"]);
  } else if (options.batch == 1) {
    body = texts[begin];
  } else {
    for (std::size_t i = begin; i < end; ++i) body.push_back(texts[i]);
  }
  const std::string bytes = body.dump();
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      words ? "/v1/segment" : "/v1/indexes/default/" + options.operation, bytes.size(), bytes);
}

struct Connection {
  int socket = -1;
  std::size_t request = SIZE_MAX;  // at hand
  std::size_t sent = 0;
  std::string received;
  Clock::time_point due;
};

/// Bytes of the response that `received` begins with; 0: not all are there.
std::size_t response_bytes(const std::string& received) {
  const std::size_t head = received.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  std::size_t length = received.find("Content-Length: ");
  if (length == std::string::npos) length = received.find("content-length: ");
  if (length == std::string::npos || length > head) die("a response without a length");
  const std::size_t bytes = head + 4 + std::stoul(received.substr(length + 16, 20));
  return received.size() >= bytes ? bytes : 0;
}

int connect_to(unsigned port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    die("nobody listens at this port");
  const int one = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  ::fcntl(socket, F_SETFL, O_NONBLOCK);
  return socket;
}

class Load {
 public:
  Load(const Options& options, const std::vector<std::string>& requests)
      : options_(options), requests_(requests), poll_(::epoll_create1(0)) {
    connections_.resize(options.connections);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      connections_[i].socket = connect_to(options.port);
      epoll_event event{EPOLLIN | EPOLLOUT | EPOLLET, {.u64 = i}};
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, connections_[i].socket, &event);
      free_.push_back(i);
    }
  }

  json run() {
    const Clock::time_point began = Clock::now();
    const double cpu = cpu_seconds();
    while (answered_ < requests_.size()) {
      // A wait in milliseconds would have to check again and again, on a core that the server needs.
      timespec wait{};
      bool waits_for_due = false;
      const Clock::time_point now = Clock::now();
      while (next_ < requests_.size() && !free_.empty()) {
        const auto due =
            options_.rate == 0
                ? now
                : began + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(static_cast<double>(next_) / options_.rate));
        if (due > now) {
          const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(due - now).count();
          wait = {left / 1'000'000'000, left % 1'000'000'000};
          waits_for_due = true;
          break;
        }
        Connection& connection = connections_[free_.back()];
        connection.request = next_++;
        connection.sent = 0;
        connection.due = due;
        const std::size_t place = free_.back();
        free_.pop_back();
        send(connection, place);
      }
      epoll_event events[256];
      const int n = ::epoll_pwait2(poll_, events, 256, waits_for_due ? &wait : nullptr, nullptr);
      for (int i = 0; i < n; ++i) {
        Connection& connection = connections_[events[i].data.u64];
        if (connection.request == SIZE_MAX) continue;
        if ((events[i].events & EPOLLOUT) != 0) send(connection, events[i].data.u64);
        if ((events[i].events & (EPOLLIN | EPOLLHUP)) != 0) receive(connection, events[i].data.u64);
      }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    if (!options_.trace.empty()) {
      std::ofstream trace(options_.trace);
      for (std::size_t i = 0; i < times_.size(); ++i)
        trace << std::chrono::duration<double>(ends_[i] - began).count() << '\t' << 1000 * times_[i] << '\n';
    }
    std::sort(times_.begin(), times_.end());
    const auto quantile = [&](double q) {
      return 1000 * times_[static_cast<std::size_t>(q * static_cast<double>(times_.size() - 1))];
    };
    return {{"requests", requests_.size()}, {"seconds", seconds},
            {"p50_ms", quantile(.5)},       {"p99_ms", quantile(.99)},
            {"not_200", failed_},           {"client_cpu_seconds", cpu_seconds() - cpu}};
  }

 private:
  void send(Connection& connection, std::size_t) {
    const std::string& request = requests_[connection.request];
    while (connection.sent < request.size()) {
      const ssize_t n = ::send(connection.socket, request.data() + connection.sent,
                               request.size() - connection.sent, MSG_NOSIGNAL);
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (n < 0) die("the server closed a connection");
      connection.sent += static_cast<std::size_t>(n);
    }
  }

  void receive(Connection& connection, std::size_t place) {
    char buffer[1 << 16];
    for (;;) {
      const ssize_t n = ::recv(connection.socket, buffer, sizeof buffer, 0);
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
      if (n <= 0) die("the server closed a connection");
      connection.received.append(buffer, static_cast<std::size_t>(n));
    }
    const std::size_t bytes = response_bytes(connection.received);
    if (bytes == 0) return;
    failed_ += !connection.received.starts_with("HTTP/1.1 200");
    connection.received.erase(0, bytes);
    connection.request = SIZE_MAX;
    ends_.push_back(Clock::now());
    times_.push_back(std::chrono::duration<double>(ends_.back() - connection.due).count());
    ++answered_;
    free_.push_back(place);
  }

  const Options& options_;
  const std::vector<std::string>& requests_;
  int poll_;
  std::vector<Connection> connections_;
  std::vector<std::size_t> free_;
  std::vector<double> times_;
  std::vector<Clock::time_point> ends_;
  std::size_t next_ = 0, answered_ = 0, failed_ = 0;
};

/// Processes the same texts in the same batches, without a server between.
json run_direct(const Options& options, const std::vector<json>& texts) {
  using namespace leitong;
  const Context context;
  std::vector<std::string> ids, bodies;
  for (const json& text : texts) {
    ids.push_back(text["id"].get<std::string>());
    bodies.push_back(text["text"].get<std::string>());
  }
  const auto each_batch = [&](auto call) {
    const Clock::time_point began = Clock::now();
    const double cpu = cpu_seconds();
    for (std::size_t at = 0; at < bodies.size(); at += options.batch)
      call(at, std::min(bodies.size(), at + options.batch));
    return json{{"requests", (bodies.size() + options.batch - 1) / options.batch},
                {"seconds", std::chrono::duration<double>(Clock::now() - began).count()},
                {"cpu_seconds", cpu_seconds() - cpu}};
  };
  if (options.operation == "segment") {
    auto segmenter = Segmenter::open(context);
    if (!segmenter) die(segmenter.error().message);
    return each_batch([&](std::size_t begin, std::size_t end) {
      std::vector<std::string_view> views(bodies.begin() + static_cast<std::ptrdiff_t>(begin),
                                          bodies.begin() + static_cast<std::ptrdiff_t>(end));
      if (!segmenter->segment(context, views)) die("segment failed");
    });
  }
  online::Settings settings;
  settings.durability = options.durability == "sync" ? online::Durability::sync : online::Durability::none;
  auto index = online::Index::open(context, options.direct, settings);
  if (!index) die(index.error().message);
  return each_batch([&](std::size_t begin, std::size_t end) {
    std::vector<online::Text> batch;
    for (std::size_t i = begin; i < end; ++i) batch.push_back({.id = ids[i], .text = bodies[i]});
    if (!index->check_and_add(batch)) die("check_and_add failed");
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"sends texts to a server, or to the library, and measures"};
  app.add_option("texts", options.texts, "JSONL with id and text")->required();
  app.add_option("--operation", options.operation, "check, check-and-add, add or segment");
  app.add_option("--port", options.port, "of the server, on loopback");
  app.add_option("--direct", options.direct,
                 "folder of an index to be made by the library, in place of a server");
  app.add_option("--durability", options.durability, "of that index: sync or none");
  app.add_option("--connections", options.connections);
  app.add_option("--batch", options.batch, "texts of one request");
  app.add_option("--count", options.count, "texts of the file");
  app.add_option("--rate", options.rate,
                 "requests a second; 0: each connection sends the next one when it is answered");
  app.add_option("--trace", options.trace,
                 "a file that gets the second of each answer, and the milliseconds that it took");
  CLI11_PARSE(app, argc, argv);
  const std::vector<json> texts = read_texts(options);
  std::size_t bytes = 0;
  for (const json& text : texts) bytes += text["text"].get_ref<const std::string&>().size();
  json result;
  if (options.port == 0) {
    result = run_direct(options, texts);
  } else {
    std::vector<std::string> requests;
    for (std::size_t at = 0; at < texts.size(); at += options.batch)
      requests.push_back(request_of(options, texts, at, std::min(texts.size(), at + options.batch)));
    result = Load(options, requests).run();
  }
  result["texts"] = texts.size();
  result["bytes"] = bytes;
  fmt::print("{}\n", result.dump());
  return 0;
}
