#include "http_server.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <ctime>
#include <exception>
#include <iterator>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "encodings.hpp"
#include "head.hpp"
#include "log.hpp"
#include "memory.hpp"

namespace leitong::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr std::size_t kReadBytes = 16 << 10;
/// How often deadlines are checked.
constexpr auto kSweep = std::chrono::milliseconds(250);
/// After a refusal, a body up to this size is read to its end and discarded.
constexpr std::uint64_t kMostDiscarded = 256 << 10;
constexpr std::uint64_t kBodyBytesASecond = 256 << 10;
/// A response body of up to so many bytes is sent together with its head from one buffer.
constexpr std::size_t kCopiedBytes = 16 << 10;
constexpr seconds kLinger{2}, kWriteTime{30};

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(Api& api)
      : api_(api), acceptor_(io_), sweep_(io_), retry_(io_), interval_(io_), signals_(io_) {}

  Result<void> bind(const Address& address);
  void run(const Calls& calls);
  void post(std::function<void()> work) { asio::post(io_, std::move(work)); }
  void every(unsigned interval, std::function<void()> then) {
    interval_.expires_after(seconds(interval));
    interval_.async_wait([this, interval, then = std::move(then)](error_code cancelled) {
      if (cancelled || stopping_) return;
      every(interval, then);
      then();
    });
  }
  [[nodiscard]] Address address() const {
    const tcp::endpoint end = acceptor_.local_endpoint();
    return {end.address().to_string(), end.port()};
  }

 private:
  class Session;
  struct Pending;
  using Sessions = std::list<std::shared_ptr<Session>>;

  void accept();
  void take(tcp::socket socket);
  void sweep();
  void wait_for_signals(const Calls& calls);
  void stop();
  /// The stop is complete: no connection waits for an answer, and nothing is in progress.
  [[nodiscard]] bool is_over() const { return sessions_.empty() && calls_->idle(); }
  /// Closes the connection that has waited for a request longest; false if all are in use.
  bool evict();
  /// Passes a response from any thread.
  void complete(std::shared_ptr<Session> session, Response response);
  void deliver();
  [[nodiscard]] const std::string& date();

  Api& api_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer sweep_, retry_, interval_;
  asio::signal_set signals_;
  Sessions sessions_;  // those that have waited longest come first
  NetworkFigures figures_;
  const Calls* calls_ = nullptr;
  bool accepting_ = false, stopping_ = false;
  Clock::time_point last_moment_ = Clock::time_point::max();
  std::string date_;
  std::time_t date_of_ = 0;
  std::mutex answered_mutex_;
  std::vector<std::pair<std::shared_ptr<Session>, Response>> answered_;
};

/// A request in progress. If it gets no answer, usually because there is no memory, its connection is closed.
struct HttpServer::Impl::Pending {
  explicit Pending(std::shared_ptr<Session> of) : session(std::move(of)) {}
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  inline ~Pending();
  inline void answer(Response response) noexcept;

  std::shared_ptr<Session> session;
  std::atomic<bool> answered{false};
};

/// One connection and its present request. It reads only when there are data, so that a waiting connection
/// holds no buffer.
class HttpServer::Impl::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Impl& server, tcp::socket socket)
      : server_(server), socket_(std::move(socket)), memory_(server.api_.memory()) {}

  void start() { wait_for_request(); }
  /// The answer to the present request, from any thread.
  void answer(Response response) noexcept;
  /// Calls step(); closes the connection if there is no memory for it. What close() throws ends the program.
  template <class Step>
  void guarded(Step step) noexcept {  // NOLINT(bugprone-exception-escape)
    try {
      step();
    } catch (const std::exception&) {
      close();
    }
  }
  /// The present request got no answer.
  void lose() noexcept { lost_ = true; }
  [[nodiscard]] bool is_lost() const noexcept { return lost_; }
  [[nodiscard]] bool waits() const noexcept { return state_ == State::idle || state_ == State::head; }
  [[nodiscard]] bool idle() const noexcept { return state_ == State::idle; }
  [[nodiscard]] Clock::time_point deadline() const noexcept { return deadline_; }
  void late();
  void close();
  void respond(Response response);

  Sessions::iterator place;

 private:
  enum class State : std::uint8_t { idle, head, body, at_work, writing, lingering, closed };

  void wait_for_request();
  void wait_to_read();
  void readable();
  /// Continues with the bytes in the buffer.
  void advance();
  void read_head_of(std::size_t bytes);
  void refuse(const Problem& problem, bool in_step);
  void take_body();
  void hand_over();
  void write();
  void linger();
  void set_deadline(Clock::duration time) { deadline_ = Clock::now() + time; }
  [[nodiscard]] const Limits& limits() const { return settings_->config.limits; }

  Impl& server_;
  tcp::socket socket_;
  State state_ = State::idle;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::shared_ptr<const Settings> settings_ = server_.api_.settings();
  std::string in_;
  // Of the present request.
  Head head_;
  Admission admission_;
  std::string body_;
  std::uint64_t discard_ = 0;  // bytes of a body that are not needed
  std::size_t received_ = 0;   // bytes of the body
  MemoryShare memory_;         // of the body, and of the answer until it is written
  std::atomic<bool> lost_ = false;
  Clock::time_point began_;
  bool close_after_ = false;
  bool waiting_ = false;        // for data to read
  std::string out_, out_body_;  // what is written; a large body is separate
  std::size_t written_ = 0;
};

void HttpServer::Impl::Session::wait_for_request() {
  if (server_.stopping_) return close();
  settings_ = server_.api_.settings();
  head_ = {};
  admission_ = {};
  if (!in_.empty() || discard_ > 0) {  // the next request is already here
    state_ = State::head;
    set_deadline(seconds(limits().head_seconds));
    return server_.post([self = shared_from_this()] { self->guarded([&] { self->advance(); }); });
  }
  in_ = {};
  state_ = State::idle;
  set_deadline(seconds(limits().idle_seconds));
  server_.sessions_.splice(server_.sessions_.end(), server_.sessions_, place);
  wait_to_read();
}

void HttpServer::Impl::Session::wait_to_read() {
  if (std::exchange(waiting_, true)) return;
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
    self->waiting_ = false;
    // A deadline may have passed meanwhile, and its answer is being written.
    if (self->state_ == State::closed || self->state_ == State::writing) return;
    if (error) return self->close();
    self->guarded([&] { self->readable(); });
  });
}

void HttpServer::Impl::Session::readable() {
  if (state_ == State::idle) {
    state_ = State::head;
    began_ = Clock::now();
    set_deadline(seconds(limits().head_seconds));
  }
  // A body's bytes go to their buffer, which grows with the bytes that arrive, not with the announced length.
  std::string& to = state_ == State::body ? body_ : in_;
  const std::size_t have = to.size();
  const std::size_t most =
      state_ == State::body
          ? std::min<std::size_t>(head_.length - have, std::max<std::size_t>(kReadBytes, have))
          : kReadBytes;
  if (state_ == State::body && to.capacity() < have + most + kBodyPadding)
    to.reserve(std::min<std::size_t>(head_.length, 2 * (have + most)) + kBodyPadding);
  to.resize(have + most);
  error_code error;
  const std::size_t n = socket_.read_some(asio::buffer(to.data() + have, most), error);
  to.resize(have + n);
  if (error == asio::error::would_block || error == asio::error::try_again) return wait_to_read();
  if (error) return close();
  if (state_ == State::lingering) {
    in_.clear();
    return wait_to_read();
  }
  if (state_ == State::body) {
    received_ += n;
    if (const auto held = memory_.hold_body(received_); !held) return refuse(held.error(), false);
  }
  advance();
}

void HttpServer::Impl::Session::advance() {
  if (state_ == State::closed) return;
  if (state_ == State::body) {
    if (body_.size() < head_.length) return wait_to_read();
    return hand_over();
  }
  if (discard_ > 0) {
    const std::size_t n = std::min<std::size_t>(discard_, in_.size());
    in_.erase(0, n);
    discard_ -= n;
    if (discard_ > 0) return wait_to_read();
    if (in_.empty()) return wait_for_request();
  }
  const std::size_t bytes = head_bytes(std::string_view(in_).substr(0, kMostHeadBytes));
  if (bytes > 0) return read_head_of(bytes);
  if (in_.size() >= kMostHeadBytes)
    return refuse({431, fmt::format("the head of the request has more than {} bytes", kMostHeadBytes)},
                  false);
  wait_to_read();
}

void HttpServer::Impl::Session::read_head_of(std::size_t bytes) {
  began_ = Clock::now();
  auto head = read_head(std::string_view(in_).substr(0, bytes));
  in_.erase(0, bytes);
  // If a head could be read in two ways, the begin of the next request is unknown.
  if (!head) return refuse(head.error(), false);
  head_ = *std::move(head);
  auto admission = server_.api_.admit(head_);
  if (!admission) return refuse(admission.error(), true);
  admission_ = *std::move(admission);
  if (head_.length == 0) return hand_over();
  take_body();
}

void HttpServer::Impl::Session::refuse(const Problem& problem, bool in_step) {
  Response response = to_response(problem);
  body_ = {};
  memory_.give_back();
  if (in_step && !head_.expects_continue && head_.length <= kMostDiscarded) {
    discard_ = head_.length;
  } else {
    response.close = !in_step || head_.length > 0;
  }
  respond(std::move(response));
}

void HttpServer::Impl::Session::take_body() {
  state_ = State::body;
  set_deadline(seconds(limits().body_seconds + head_.length / kBodyBytesASecond));
  body_.clear();
  const std::size_t n = std::min<std::size_t>(head_.length, in_.size());
  body_.reserve(std::min<std::size_t>(head_.length, std::max<std::size_t>(n, kReadBytes)) + kBodyPadding);
  body_.assign(in_, 0, n);
  in_.erase(0, n);
  received_ = n;
  if (const auto held = memory_.hold_body(n); !held) return refuse(held.error(), false);
  if (n == 0 && head_.expects_continue) {
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    error_code error;
    // The connection has written nothing else yet, so these bytes fit.
    socket_.write_some(asio::buffer(kGoOn.data(), kGoOn.size()), error);
    if (error) return close();
  }
  advance();
}

void HttpServer::Impl::Session::hand_over() {
  state_ = State::at_work;
  deadline_ = Clock::time_point::max();
  auto pending = std::make_shared<Pending>(shared_from_this());
  Exchange exchange{
      std::move(admission_.index),
      std::move(head_.query),
      std::move(head_.content_type),
      std::move(head_.content_encoding),
      std::exchange(body_, {}),
      [pending = std::move(pending)](Response response) { pending->answer(std::move(response)); },
      std::shared_ptr<MemoryShare>(shared_from_this(), &memory_)};
  server_.api_.handle(*admission_.route, std::move(exchange));
}

// A request in progress holds its share until it answers, whatever happened to the connection.
void HttpServer::Impl::Session::answer(Response response) noexcept {
  try {
    memory_.give_back();
    if (const auto held = memory_.hold_answer(response.body.capacity()); !held)
      response = to_response(held.error());
    server_.complete(shared_from_this(), std::move(response));
  } catch (const std::exception&) {
    lose();
  }
}

HttpServer::Impl::Pending::~Pending() {
  if (!answered) session->lose();
}

void HttpServer::Impl::Pending::answer(Response response) noexcept {
  if (!answered.exchange(true)) session->answer(std::move(response));
}

void HttpServer::Impl::Session::respond(Response response) {
  if (state_ == State::closed) return;
  const std::size_t received = std::exchange(received_, 0);
  close_after_ = response.close || !head_.keep_alive || server_.stopping_;
  out_ = fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\nServer: leitong\r\n", response.status,
                     phrase(response.status), server_.date());
  if (response.status != 204)
    fmt::format_to(std::back_inserter(out_), "Content-Type: {}\r\nContent-Length: {}\r\n", response.type,
                   response.body.size());
  out_ +=
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n";
  for (const auto& [name, value] : response.fields)
    fmt::format_to(std::back_inserter(out_), "{}: {}\r\n", name, value);
  if (close_after_) out_ += "Connection: close\r\n";
  out_ += "\r\n";
  out_body_ = {};
  if (head_.method != Method::head) {
    if (response.body.size() <= kCopiedBytes)
      out_ += response.body;
    else
      out_body_ = std::move(response.body);
  }
  server_.api_.finished(admission_.route, response.status,
                        std::chrono::duration<double>(Clock::now() - began_).count(), received);
  state_ = State::writing;
  written_ = 0;
  set_deadline(kWriteTime + seconds((out_.size() + out_body_.size()) / kBodyBytesASecond));
  write();
}

void HttpServer::Impl::Session::write() {
  error_code error;
  while (written_ < out_.size() + out_body_.size()) {
    const asio::const_buffer head = asio::buffer(out_) + written_;
    const asio::const_buffer body = asio::buffer(out_body_) + (written_ - std::min(written_, out_.size()));
    written_ += body.size() == 0 ? socket_.write_some(head, error)
                                 : socket_.write_some(std::array{head, body}, error);
    if (error == asio::error::would_block || error == asio::error::try_again)
      return socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](error_code waited) {
        if (self->state_ == State::closed) return;
        if (waited) return self->close();
        self->guarded([&] { self->write(); });
      });
    if (error) return close();
  }
  out_ = {};
  out_body_ = {};
  memory_.give_back();
  if (!close_after_) return wait_for_request();
  linger();
}

/// If the other side were still sending, the system would discard the answer; so it is read first.
void HttpServer::Impl::Session::linger() {
  state_ = State::lingering;
  set_deadline(kLinger);
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  in_.clear();
  wait_to_read();
}

void HttpServer::Impl::Session::late() {
  ++server_.figures_.timed_out;
  if (state_ == State::body) return refuse({408, "the body did not come in time"}, false);
  if (state_ == State::head && !in_.empty())
    return refuse({408, "the head of the request did not come in time"}, false);
  close();
}

void HttpServer::Impl::Session::close() {
  if (state_ == State::closed) return;
  const auto self = shared_from_this();
  if (state_ != State::at_work) {
    out_body_ = body_ = {};
    memory_.give_back();
  }
  state_ = State::closed;
  error_code ignored;
  socket_.close(ignored);
  server_.sessions_.erase(place);
}

Result<void> HttpServer::Impl::bind(const Address& address) {
  error_code error;
  const auto ip = asio::ip::make_address(address.host, error);
  if (error)
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is no address of this machine; try 127.0.0.1:8380", to_string(address)));
  const tcp::endpoint end(ip, address.port);
  const auto did = [&](auto step) {
    if (!error) step();
  };
  acceptor_.open(end.protocol(), error);
  did([&] { acceptor_.set_option(tcp::acceptor::reuse_address(true), error); });
  if (ip.is_v6()) did([&] { acceptor_.set_option(asio::ip::v6_only(false), error); });
  did([&] { acceptor_.bind(end, error); });
  did([&] { acceptor_.listen(4096, error); });
  did([&] { acceptor_.non_blocking(true, error); });
  // From here on a signal waits for run(): one may arrive as soon as the address is known.
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) did([&] { signals_.add(signal, error); });
  if (!error) return {};
  return fail(ErrorCode::io,
              fmt::format("{}: can't listen there: {}; choose another port, or stop who uses it",
                          to_string(address), error.message()));
}

void HttpServer::Impl::accept() {
  accepting_ = true;
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (stopping_) return;
    if (!error) {
      accepting_ = false;  // until the next call
      take(std::move(socket));
      return accept();
    }
    if (error == asio::error::no_descriptors) evict();
    // Such a state lasts; trying again at once would only use up time.
    retry_.expires_after(std::chrono::milliseconds(20));
    retry_.async_wait([this](error_code cancelled) {
      if (!cancelled && !stopping_) accept();
    });
  });
}

void HttpServer::Impl::take(tcp::socket socket) {
  ++figures_.accepted;
  if (sessions_.size() >= api_.settings()->config.limits.connections && !evict()) return;  // closes it
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.set_option(tcp::no_delay(true), ignored);
  auto session = std::make_shared<Session>(*this, std::move(socket));
  session->place = sessions_.insert(sessions_.end(), session);
  session->start();
}

bool HttpServer::Impl::evict() {
  for (const auto& session : sessions_)
    if (session->waits()) {
      ++figures_.evicted;
      session->close();
      return true;
    }
  return false;
}

void HttpServer::Impl::sweep() {
  const Clock::time_point now = Clock::now();
  if (stopping_ && (is_over() || now > last_moment_)) return io_.stop();
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const std::shared_ptr<Session> session = *at++;
    if (session->is_lost())
      session->close();
    else if (session->deadline() < now)
      session->guarded([&] { session->late(); });
  }
  deliver();  // if there was no memory to ask for it
  sweep_.expires_after(kSweep);
  sweep_.async_wait([this](error_code cancelled) {
    if (!cancelled) sweep();
  });
}

void HttpServer::Impl::complete(std::shared_ptr<Session> session, Response response) {
  bool first = false;
  {
    const std::scoped_lock lock(answered_mutex_);
    first = answered_.empty();
    answered_.emplace_back(std::move(session), std::move(response));
  }
  if (first) asio::post(io_, [this] { deliver(); });
}

void HttpServer::Impl::deliver() {
  std::vector<std::pair<std::shared_ptr<Session>, Response>> answered;
  {
    const std::scoped_lock lock(answered_mutex_);
    answered.swap(answered_);
  }
  for (auto& [session, response] : answered)
    session->guarded([&session = session, &response = response] { session->respond(std::move(response)); });
}

const std::string& HttpServer::Impl::date() {
  const std::time_t now = std::time(nullptr);
  if (now != date_of_) {
    date_of_ = now;
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[40] = "";
    std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    date_ = text;
  }
  return date_;
}

void HttpServer::Impl::stop() {
  stopping_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  retry_.cancel();
  last_moment_ = Clock::now() + seconds(api_.settings()->config.limits.drain_seconds);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const std::shared_ptr<Session> session = *at++;
    if (session->idle()) session->close();
  }
  if (is_over()) io_.stop();
}

void HttpServer::Impl::wait_for_signals(const Calls& calls) {
  signals_.async_wait([&](error_code cancelled, int signal) {
    if (cancelled) return;
    wait_for_signals(calls);
    if (signal == SIGHUP) {
      calls.reload();
    } else if (!stopping_) {
      calls.stopping();
      stop();
    } else {
      io_.stop();  // a second signal
    }
  });
}

void HttpServer::Impl::run(const Calls& calls) {
  calls_ = &calls;
  api_.when_asked_for_network([this] {
    NetworkFigures now = figures_;
    now.connections = sessions_.size();
    return now;
  });
  wait_for_signals(calls);
  accept();
  sweep();
  for (bool again = false; !io_.stopped(); again = true) {
    try {
      if (again && !stopping_ && !accepting_) accept();
      if (again) sweep();
      io_.run();
    } catch (const std::exception& error) {
      // Usually there was no memory, of which there may be some a moment later.
      log_exception("network", error);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  // Sessions hold this object; requests still in progress get no answer.
  for (auto at = sessions_.begin(); at != sessions_.end();) (*at++)->close();
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::create(const Address& address, Api& api) {
  auto impl = std::make_unique<Impl>(api);
  SERVER_TRY(impl->bind(address));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

Address HttpServer::address() const { return impl_->address(); }
void HttpServer::run(const Calls& calls) { impl_->run(calls); }
void HttpServer::every(unsigned seconds, std::function<void()> then) {
  impl_->every(seconds, std::move(then));
}
void HttpServer::post(std::function<void()> work) { impl_->post(std::move(work)); }

}  // namespace leitong::server
