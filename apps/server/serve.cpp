#include "serve.hpp"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>

#include "api.hpp"
#include "base/system.hpp"
#include "http_server.hpp"
#include "indexes.hpp"
#include "leitong/context.hpp"
#include "leitong/version.hpp"
#include "log.hpp"
#include "notify.hpp"
#include "problem.hpp"
#include "tokens.hpp"
#include "word_tools.hpp"
#include "workers.hpp"

namespace leitong::server {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The folder of the indexes, which is made if it is missing.
Result<fs::path> data_folder(const Config& config) {
  fs::path folder = config.data;
  if (folder.empty()) {
    const std::string state = environment("STATE_DIRECTORY"), data = environment("XDG_DATA_HOME"),
                      home = environment("HOME");
    folder = !state.empty()  ? fs::path(state)
             : !data.empty() ? fs::path(data) / "leitong"
             : !home.empty() ? fs::path(home) / ".local/share/leitong"
                             : fs::path();
    if (folder.empty())
      return fail(ErrorCode::invalid_argument,
                  "there is no home folder to keep indexes in; name a data folder");
  }
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (made) fs::permissions(folder, fs::perms::owner_all, error);  // texts of others lie there
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", folder.string(), error.message()));
  return folder;
}

Result<Tokens> read_tokens(const Config& config) {
  if (config.tokens.empty()) return Tokens();
  return Tokens::read(config.tokens);
}

/// A connection is a descriptor: as many as the system allows.
void allow_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// What one request frees the next one takes. A command gives large arrays back at once, for its memory
/// budget; here every request would pay for new pages, which takes longer than to cut its texts into words.
void keep_freed_memory() {
  constexpr int kKept = 16 << 20;  // of each thread
  system::bound_freed_memory(kKept, kKept);
}

/// A server that runs, and what reloads it.
class Server {
 public:
  Server(ServeOptions options, Config config, Tokens tokens, const fs::path& folder)
      : options_(std::move(options)),
        threads_(config.threads != 0 ? config.threads : std::max(1u, std::thread::hardware_concurrency())),
        context_({.threads = threads_,
                  .log =
                      [](LogLevel level, std::string_view message) {
                        LogLine(level == LogLevel::warning ? Level::warning : Level::info, "library")
                            .text("message", message);
                      }}),
        // Two more, since some of them wait for the disk.
        workers_(std::make_unique<Workers>(threads_ + 2)),
        indexes_(context_, config, folder, *workers_),
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
    http_->run([this] { reload(); },
               [] {
                 log_event(Level::info, "stopping");
                 notify_supervisor("STOPPING=1");
               });
    workers_.reset();  // ends what is at work, which still speaks to the network
    http_.reset();
    indexes_.close();
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

  /// Reads everything anew beside the requests, which go on with what they have. Something wrong changes
  /// nothing.
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
  unsigned threads_;
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
            "{} is reached by other machines, and there are no tokens: whoever connects could read and "
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
  SERVER_ASSIGN(const fs::path folder, data_folder(config));
  std::signal(SIGPIPE, SIG_IGN);  // who closes a connection or the log ends nothing
  allow_descriptors();
  keep_freed_memory();
  return Server(options, std::move(config), std::move(tokens), folder).run(listening);
}

}  // namespace leitong::server
