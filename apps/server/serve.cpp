#include "serve.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "api.hpp"
#include "base/system.hpp"
#include "data_folder.hpp"
#include "http_server.hpp"
#include "indexes.hpp"
#include "leitong/context.hpp"
#include "leitong/version.hpp"
#include "log.hpp"
#include "problem.hpp"
#include "tokens.hpp"
#include "word_tools.hpp"
#include "workers.hpp"

namespace leitong::server {
namespace {

/// Sends "READY=1", "STOPPING=1", .. to the socket in $NOTIFY_SOCKET, by systemd's protocol for services;
/// does nothing without it.
void notify_supervisor(std::string_view state) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un to{};
  if (path == nullptr || path[0] == 0 || std::strlen(path) >= sizeof to.sun_path) return;
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, path, std::strlen(path));  // the rest is zero
  if (path[0] == '@') to.sun_path[0] = 0;             // an abstract socket
  const int socket = system::open_local_datagrams();
  if (socket < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  // If the supervisor does not listen, nothing is lost.
  [[maybe_unused]] const ssize_t sent = ::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                                                 reinterpret_cast<const sockaddr*>(&to), size);
  ::close(socket);
}

Result<Tokens> read_tokens(const Config& config) {
  if (config.tokens.empty()) return Tokens();
  return Tokens::read(config.tokens);
}

/// Raises the number of descriptors, one for each connection, as far as the system allows.
void allow_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Keeps freed memory for the next requests. A command returns large arrays at once because of its memory
/// budget; here every request would pay for new pages, which takes longer than cutting its texts into words.
void keep_freed_memory() {
  constexpr int kKept = 16 << 20;  // of each thread
  system::bound_freed_memory(kKept, kKept);
}

/// The exit code of a server that had to leave requests or open indexes behind when it was stopped: that of a
/// failure of the system.
constexpr int kExitUnfinished = 5;
constexpr unsigned kClosingSeconds = 30;

unsigned threads_of(const Config& config) {
  return config.threads != 0 ? config.threads : std::max(1u, std::thread::hardware_concurrency());
}

/// A running server, which can be reloaded.
class Server {
 public:
  Server(ServeOptions options, Config config, Tokens tokens, DataFolder folder,
         std::unique_ptr<Workers> workers)
      : options_(std::move(options)),
        folder_(std::move(folder)),
        context_({.threads = threads_of(config),
                  .log =
                      [](LogLevel level, std::string_view message) {
                        LogLine(level == LogLevel::warning ? Level::warning : Level::info, "library")
                            .text("message", message);
                      }}),
        workers_(std::move(workers)),
        indexes_(context_, config, folder_, *workers_),
        api_(context_, {std::move(config), std::move(tokens)}, indexes_, *workers_) {}

  Result<void> run(const std::function<void(const std::string& url)>& listening) {
    SERVER_TRY(api_.words()->open_named());
    SERVER_ASSIGN(http_, HttpServer::create(api_.settings()->config.listen, api_));
    workers_->post([this] { open_indexes(); });
    const std::string url = fmt::format("http://{}/", to_string(http_->address()));
    LogLine(Level::info, "listening").text("url", url).text("version", library_info().version);
    listening(url);
    if (const unsigned every = api_.settings()->config.expire_seconds; every > 0)
      http_->every(every, [this] { workers_->post([this] { api_.expire_all(); }); });
    http_->run({.reload = [this] { reload(); },
                .stopping =
                    [] {
                      log_event(Level::info, "stopping");
                      notify_supervisor("STOPPING=1");
                    },
                .idle = [this] { return workers_->idle(); }});
    if (!workers_->idle()) {
      // The indexes keep what was acknowledged, as after a kill; stuck threads cannot be waited for.
      log_event(Level::warning, "stopped while requests were at work");
      std::_Exit(kExitUnfinished);
    }
    workers_.reset();
    http_.reset();
    // The same applies if a disk prevents the indexes from being closed.
    std::signal(SIGALRM, [](int) { std::_Exit(kExitUnfinished); });
    ::alarm(kClosingSeconds);
    indexes_.close();
    ::alarm(0);
    log_event(Level::info, "stopped");
    return {};
  }

 private:
  void open_indexes() {
    indexes_.open_all();
    for (const auto& [name, message] : indexes_.broken())
      LogLine(Level::error, "index can't be opened").text("index", name).text("message", message);
    LogLine(Level::info, "ready").count("indexes", indexes_.all().size());
    notify_supervisor("READY=1");
  }

  /// Reads everything again while requests continue with the old state. An error changes nothing.
  void reload() {
    notify_supervisor("RELOADING=1");
    workers_->post([this] {
      const auto read = [this]() -> Result<void> {
        SERVER_ASSIGN(Config config, effective_config(options_));
        SERVER_ASSIGN(Tokens tokens, read_tokens(config));
        const std::shared_ptr<const Settings> now = api_.settings();
        config.listen = now->config.listen;  // the socket is bound
        auto words = std::make_shared<WordTools>(context_, config);
        SERVER_TRY(words->open_named());
        auto settings = std::make_shared<Settings>(Settings{std::move(config), std::move(tokens)});
        http_->post([this, settings, words] { api_.reload(std::move(*settings), words); });
        return {};
      }();
      if (read) {
        log_event(Level::info, "reloaded");
      } else {
        LogLine(Level::error, "not reloaded").text("message", read.error().message);
      }
      notify_supervisor("READY=1");
    });
  }

  ServeOptions options_;
  DataFolder folder_;
  Context context_;
  std::unique_ptr<Workers> workers_;
  Indexes indexes_;
  Api api_;
  std::unique_ptr<HttpServer> http_;
};

}  // namespace

Result<Config> effective_config(const ServeOptions& options) {
  Config config;
  if (!options.config.empty()) {
    SERVER_ASSIGN(config, read_config(options.config));
  }
  if (!options.data.empty()) config.data = options.data;
  if (!options.listen.empty()) {
    SERVER_ASSIGN(config.listen, parse_address(options.listen));
  }
  if (!is_loopback(config.listen) && config.tokens.empty())
    return fail(
        ErrorCode::invalid_argument,
        fmt::format(
            "{} is reached by other machines, and there are no tokens: everybody who connects could read and "
            "change every index. Name a file of tokens (server.tokens of the configuration), or listen "
            "at 127.0.0.1",
            to_string(config.listen)));
  return config;
}

Result<void> check_config(const ServeOptions& options) {
  SERVER_ASSIGN(const Config config, effective_config(options));
  SERVER_TRY(read_tokens(config));
  const Context context;
  return WordTools(context, config).open_named();
}

Result<void> serve(const ServeOptions& options,
                   const std::function<void(const std::string& url)>& listening) {
  SERVER_ASSIGN(Config config, effective_config(options));
  SERVER_ASSIGN(Tokens tokens, read_tokens(config));
  ::umask(S_IRWXG | S_IRWXO);  // whatever the folder allows, only the server may read the texts
  SERVER_ASSIGN(DataFolder folder, DataFolder::open(config));
  std::signal(SIGPIPE, SIG_IGN);  // a closed connection or log must not end the process
  allow_descriptors();
  keep_freed_memory();
  // Two more, because some of them wait for the disk.
  SERVER_ASSIGN(std::unique_ptr<Workers> workers, Workers::start(threads_of(config) + 2));
  return Server(options, std::move(config), std::move(tokens), std::move(folder), std::move(workers))
      .run(listening);
}

}  // namespace leitong::server
