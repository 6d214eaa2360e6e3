// How the server handles a request: START HERE. A request is admitted by its head alone (who may do what, how
// large the body may be); with its body it goes to the handler of its route. index_api.cpp has the handlers
// for indexes, word_api.cpp those for words, upkeep_api.cpp those for many texts at once, about_api.cpp those
// about the server itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config.hpp"
#include "indexes.hpp"
#include "leitong/context.hpp"
#include "memory.hpp"
#include "message.hpp"
#include "metrics.hpp"
#include "problem.hpp"
#include "records.hpp"
#include "tokens.hpp"
#include "word_tools.hpp"
#include "workers.hpp"

namespace leitong::server {

class Api;

/// A request that is being handled.
struct Exchange {
  std::string index;  ///< name in its path
  std::string query;
  std::string content_type, content_encoding;
  std::string body;
  Reply reply;
  std::shared_ptr<MemoryShare> memory;  ///< its part of Api::memory()
};

/// Where a handler runs.
enum class Where : std::uint8_t {
  at_once,   ///< on the network's thread: it must not take longer than some microseconds
  if_small,  ///< the same, unless the body is large or compressed
  worker,
};

/// Replies by itself, or returns JSON or a problem.
using Handler = std::variant<void (Api::*)(Exchange&&), Outcome<std::string> (Api::*)(const Exchange&)>;

struct Route {
  Method method;
  std::string_view path;       ///< "{index}" stands for the name of an index
  std::string_view operation;  ///< its name in logs, metrics and openapi.json
  Role role;                   ///< none: everybody
  bool body;                   ///< does it have one?
  Where where;
  Handler handle;
  std::string_view query = {};  ///< allowed query parameters, with spaces between them
};
[[nodiscard]] std::span<const Route> routes() noexcept;
/// The parts of a text, such as Route::query, between its spaces.
[[nodiscard]] std::vector<std::string_view> words_in(std::string_view text);
/// "GET", ..; empty for Method::other.
[[nodiscard]] std::string_view method_name(Method method) noexcept;

/// A request that was admitted.
struct Admission {
  const Route* route = nullptr;
  std::string index;
};

/// What SIGHUP may change.
struct Settings {
  Config config;
  Tokens tokens;
};

/// The network's own figures, for /metrics.
struct NetworkFigures {
  std::uint64_t connections = 0, accepted = 0, evicted = 0, timed_out = 0;
};

class Api {
 public:
  Api(const Context& context, Settings settings, Indexes& indexes, Workers& workers);

  /// Decides by the head alone. On the network's thread.
  [[nodiscard]] Outcome<Admission> admit(const Head& head);
  /// Handles a whole request. On the network's thread.
  void handle(const Route& route, Exchange exchange);
  /// Counts and logs an answer. `route` may be nullptr.
  void finished(const Route* route, unsigned status, double seconds, std::size_t body_bytes);
  /// Changes settings and words from now on. On the network's thread.
  void reload(Settings settings, std::shared_ptr<WordTools> words);

  [[nodiscard]] std::shared_ptr<const Settings> settings() const;
  /// The memory of requests, within Limits::memory.
  [[nodiscard]] MemoryAccount& memory() noexcept { return memory_; }
  [[nodiscard]] const Context& context() const noexcept { return context_; }
  [[nodiscard]] std::shared_ptr<WordTools> words() const;
  /// Removes expired texts from every index.
  void expire_all();
  void when_asked_for_network(std::function<NetworkFigures()> ask) { network_ = std::move(ask); }

 private:
  friend std::span<const Route> routes() noexcept;
  [[nodiscard]] Outcome<void> check_token(const Tokens& tokens, const Head& head, Role needed);
  void work(const Route& route, Exchange&& exchange);
  [[nodiscard]] static std::string describe();

  void check(Exchange&& exchange);
  void add(Exchange&& exchange);
  void check_and_add(Exchange&& exchange);
  void gather(Exchange&& exchange, Task task);
  void remove(Exchange&& exchange);
  void get(Exchange&& exchange);
  Outcome<std::string> changes(const Exchange& exchange);
  Outcome<std::string> compare_stored(const Exchange& exchange);
  Outcome<std::string> explain(const Exchange& exchange);
  Outcome<std::string> search(const Exchange& exchange);
  Outcome<std::string> list_indexes(const Exchange& exchange);
  Outcome<std::string> show_index(const Exchange& exchange);
  void make_index(Exchange&& exchange);
  void erase_index(Exchange&& exchange);

  Outcome<std::string> begin_source(const Exchange& exchange);
  Outcome<std::string> commit_source(const Exchange& exchange);
  Outcome<std::string> rollback_source(const Exchange& exchange);
  Outcome<std::string> remove_source(const Exchange& exchange);
  Outcome<std::string> list_sources(const Exchange& exchange);
  Outcome<std::string> expire(const Exchange& exchange);
  Outcome<std::string> snapshot(const Exchange& exchange);
  Outcome<std::string> compact(const Exchange& exchange);
  Outcome<std::string> overview(const Exchange& exchange);

  Outcome<std::string> text(const Exchange& exchange);
  Outcome<std::string> compare(const Exchange& exchange);
  Outcome<std::string> segment(const Exchange& exchange);
  Outcome<std::string> keywords(const Exchange& exchange);
  Outcome<std::string> weights(const Exchange& exchange);
  Outcome<std::string> normalise(const Exchange& exchange);
  Outcome<std::string> sign(const Exchange& exchange);

  void health(Exchange&& exchange);
  void ready(Exchange&& exchange);
  void metrics(Exchange&& exchange);
  void openapi(Exchange&& exchange);
  void page(Exchange&& exchange);
  void api_page(Exchange&& exchange);
  void api_script(Exchange&& exchange);
  void page_script(Exchange&& exchange);
  void page_style(Exchange&& exchange);
  void page_icon(Exchange&& exchange);

  /// Requests that a token may still make.
  struct Allowance {
    double requests = 0;
    std::chrono::steady_clock::time_point then;
  };

  const Context& context_;
  Indexes& indexes_;
  Workers& workers_;
  const std::string description_;                // openapi.json
  std::map<std::string, Allowance> allowances_;  // by digest
  std::vector<RouteFigures> figures_;            // of routes(), and of requests without one
  std::function<NetworkFigures()> network_;
  MemoryAccount memory_;
  mutable std::mutex reload_mutex_;  // guards the two above
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<WordTools> words_;
};

/// The value of "name=value" in a query; nothing if it is missing.
[[nodiscard]] std::optional<std::string_view> query_value(std::string_view query, std::string_view name);

/// As online::Index::changes(). Problem 410 for a cursor from which the index cannot go on.
[[nodiscard]] Outcome<online::Changes> changes_since(const online::Index& index, std::string_view cursor,
                                                     const online::ChangesWanted& wanted);

/// JSON, or the problem.
[[nodiscard]] Response to_response(Outcome<std::string> json);
[[nodiscard]] Response to_response(const Problem& problem);

}  // namespace leitong::server
