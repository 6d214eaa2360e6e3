#include "api.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <set>

#include "encodings.hpp"
#include "log.hpp"

namespace leitong::server {
namespace {

/// A worker reads bodies of at least this size.
constexpr std::size_t kSmallBody = 64 << 10;

/// Does a path match the pattern of a route? `index` receives the part for "{index}".
bool follows(std::string_view path, std::string_view pattern, std::string_view& index) {
  constexpr std::string_view kPlace = "{index}";
  const std::size_t place = pattern.find(kPlace);
  if (place == std::string_view::npos) return path == pattern;
  const std::string_view before = pattern.substr(0, place), after = pattern.substr(place + kPlace.size());
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
    return false;
  index = path.substr(before.size(), path.size() - before.size() - after.size());
  return index.find('/') == std::string_view::npos;
}

/// The name in a Host, without its port; nothing unless it is NAME, NAME:PORT or the same with [ADDRESS].
std::optional<std::string_view> host_name(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') + 1 : std::min(host.find(':'), host.size());
  const std::string_view name = host.substr(0, end), port = host.substr(end);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (end == 0 || (!port.empty() && (port.size() > 6 || !port.starts_with(':') ||
                                     !std::ranges::all_of(port.substr(1), is_digit))))
    return {};
  return name;
}

/// Did a person or a program of this machine intend the request?
Outcome<void> check_site(const Config& config, const Head& head) {
  std::string_view name;
  if (!head.host.empty()) {
    const auto named = host_name(head.host);
    if (!named) return problem(400, "the Host of the request is not a name, or a name and a port");
    name = *named;
  }
  const auto listed = [&] {
    return std::ranges::any_of(config.hosts, [&](const std::string& host) { return same_word(host, name); });
  };
  const bool local = same_word(name, "localhost") || name == "127.0.0.1" || name == "[::1]" ||
                     same_word(name, config.listen.host);
  // A foreign page may let its name resolve to this server (DNS rebinding); its requests carry that name.
  if ((is_loopback(config.listen) || !config.hosts.empty()) && !head.host.empty() && !local && !listed())
    return problem(
        421, "the server is not called by this name; server.hosts of its configuration allows more names");
  if (head.method == Method::options) return problem(403, "pages of other sites may not use this server");
  const bool changes = head.method != Method::get && head.method != Method::head;
  if (!changes) return {};
  if (head.fetch_site == "cross-site" || head.fetch_site == "same-site")
    return problem(403, "pages of other sites may not use this server");
  if (!head.origin.empty()) {
    const std::size_t scheme = head.origin.find("://");
    if (scheme == std::string::npos ||
        !same_word(std::string_view(head.origin).substr(scheme + 3), head.host))
      return problem(403, "pages of other sites may not use this server");
  }
  return {};
}

}  // namespace

std::string_view method_name(Method method) noexcept {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::head:
      return "HEAD";
    case Method::post:
      return "POST";
    case Method::put:
      return "PUT";
    case Method::erase:
      return "DELETE";
    case Method::options:
      return "OPTIONS";
    case Method::other:
      break;
  }
  return "";
}

std::span<const Route> routes() noexcept {
  static constexpr std::array kRoutes = {
      Route{Method::get, "/v1/indexes", "list_indexes", Role::read, false, Where::worker, &Api::list_indexes},
      Route{Method::get, "/v1/indexes/{index}", "show_index", Role::read, false, Where::worker,
            &Api::show_index},
      Route{Method::put, "/v1/indexes/{index}", "make_index", Role::admin, true, Where::worker,
            &Api::make_index},
      Route{Method::erase, "/v1/indexes/{index}", "erase_index", Role::admin, false, Where::worker,
            &Api::erase_index},
      Route{Method::post, "/v1/indexes/{index}/check-and-add", "check_and_add", Role::write, true,
            Where::if_small, &Api::check_and_add, "passages matches html expected_version"},
      Route{Method::post, "/v1/indexes/{index}/check", "check", Role::read, true, Where::if_small,
            &Api::check, "passages matches html exclude"},
      Route{Method::post, "/v1/indexes/{index}/add", "add", Role::write, true, Where::if_small, &Api::add,
            "html expected_version"},
      Route{Method::post, "/v1/indexes/{index}/get", "get", Role::read, true, Where::worker, &Api::get},
      Route{Method::get, "/v1/indexes/{index}/changes", "changes", Role::read, false, Where::worker,
            &Api::changes, "since limit texts"},
      Route{Method::post, "/v1/indexes/{index}/compare", "compare_stored", Role::read, true, Where::worker,
            &Api::compare_stored},
      Route{Method::post, "/v1/indexes/{index}/explain", "explain", Role::read, true, Where::worker,
            &Api::explain},
      Route{Method::post, "/v1/indexes/{index}/search", "search", Role::read, true, Where::worker,
            &Api::search},
      Route{Method::get, "/v1/indexes/{index}/sources", "list_sources", Role::read, false, Where::worker,
            &Api::list_sources},
      Route{Method::post, "/v1/indexes/{index}/sources/begin", "begin_source", Role::write, true,
            Where::worker, &Api::begin_source},
      Route{Method::post, "/v1/indexes/{index}/sources/commit", "commit_source", Role::write, true,
            Where::worker, &Api::commit_source},
      Route{Method::post, "/v1/indexes/{index}/sources/rollback", "rollback_source", Role::write, true,
            Where::worker, &Api::rollback_source},
      Route{Method::post, "/v1/indexes/{index}/sources/remove", "remove_source", Role::write, true,
            Where::worker, &Api::remove_source},
      Route{Method::post, "/v1/indexes/{index}/expire", "expire", Role::write, true, Where::worker,
            &Api::expire},
      Route{Method::post, "/v1/indexes/{index}/snapshot", "snapshot", Role::admin, false, Where::worker,
            &Api::snapshot},
      Route{Method::post, "/v1/indexes/{index}/compact", "compact", Role::admin, false, Where::worker,
            &Api::compact},
      Route{Method::get, "/v1/indexes/{index}/overview", "overview", Role::read, false, Where::worker,
            &Api::overview},
      Route{Method::post, "/v1/indexes/{index}/remove", "remove", Role::write, true, Where::worker,
            &Api::remove, "expected_version"},
      Route{Method::post, "/v1/text", "text", Role::read, true, Where::worker, &Api::text, "html"},
      Route{Method::post, "/v1/compare", "compare", Role::read, true, Where::worker, &Api::compare},
      Route{Method::post, "/v1/segment", "segment", Role::read, true, Where::worker, &Api::segment},
      Route{Method::post, "/v1/keywords", "keywords", Role::read, true, Where::worker, &Api::keywords},
      Route{Method::post, "/v1/weights", "weights", Role::read, true, Where::worker, &Api::weights},
      Route{Method::post, "/v1/normalise", "normalise", Role::read, true, Where::worker, &Api::normalise},
      Route{Method::post, "/v1/sign", "sign", Role::read, true, Where::worker, &Api::sign},
      Route{Method::get, "/healthz", "health", Role::none, false, Where::at_once, &Api::health},
      Route{Method::get, "/readyz", "ready", Role::none, false, Where::at_once, &Api::ready},
      Route{Method::get, "/metrics", "metrics", Role::read, false, Where::at_once, &Api::metrics},
      Route{Method::get, "/openapi.json", "openapi", Role::none, false, Where::at_once, &Api::openapi},
      Route{Method::get, "/", "page", Role::none, false, Where::at_once, &Api::page},
      Route{Method::get, "/page.js", "page_script", Role::none, false, Where::at_once, &Api::page_script},
      Route{Method::get, "/page.css", "page_style", Role::none, false, Where::at_once, &Api::page_style},
      Route{Method::get, "/api", "api_page", Role::none, false, Where::at_once, &Api::api_page},
      Route{Method::get, "/api.js", "api_script", Role::none, false, Where::at_once, &Api::api_script},
      Route{Method::get, "/icon.svg", "page_icon", Role::none, false, Where::at_once, &Api::page_icon},
  };
  return kRoutes;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) words.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

Api::Api(const Context& context, Settings settings, Indexes& indexes, Workers& workers)
    : context_(context),
      indexes_(indexes),
      workers_(workers),
      description_(describe()),
      figures_(routes().size() + 1),
      settings_(std::make_shared<Settings>(std::move(settings))),
      words_(std::make_shared<WordTools>(context, settings_->config)) {
  memory_.set_most(settings_->config.limits.memory);
}

std::shared_ptr<WordTools> Api::words() const {
  const std::scoped_lock lock(reload_mutex_);
  return words_;
}

std::shared_ptr<const Settings> Api::settings() const {
  const std::scoped_lock lock(reload_mutex_);
  return settings_;
}

void Api::reload(Settings settings, std::shared_ptr<WordTools> words) {
  allowances_.clear();
  memory_.set_most(settings.config.limits.memory);
  const std::scoped_lock lock(reload_mutex_);
  settings_ = std::make_shared<Settings>(std::move(settings));
  words_ = std::move(words);
}

Outcome<void> Api::check_token(const Tokens& tokens, const Head& head, Role needed) {
  if (tokens.empty() || needed == Role::none) return {};
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view sent = head.authorization;
  const bool bearer = sent.size() > kScheme.size() && same_word(sent.substr(0, kScheme.size()), kScheme);
  const Token* const token = bearer ? tokens.find(sent.substr(kScheme.size())) : nullptr;
  if (token == nullptr) return problem(401, "send a token: \"Authorization: Bearer TOKEN\"");
  if (token->role < needed)
    return problem(403, fmt::format("this token may not do this; it takes one of the role {}",
                                    needed == Role::admin ? "admin" : "write"));
  if (token->rate == 0) return {};
  const auto now = std::chrono::steady_clock::now();
  const auto most = static_cast<double>(token->rate);
  const auto [place, fresh] = allowances_.try_emplace(token->digest, Allowance{most, now});
  Allowance& left = place->second;
  left.requests =
      std::min(most, left.requests + most * std::chrono::duration<double>(now - left.then).count());
  left.then = now;
  if (left.requests < 1) return problem(429, "this token has made all the requests it may for now", 1);
  left.requests -= 1;
  return {};
}

namespace {

/// Does the operation take these parameters, each once?
Outcome<void> check_query(std::string_view query, const std::vector<std::string_view>& known) {
  std::set<std::string_view> names;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::string_view name = pair.substr(0, pair.find('='));
    if (std::ranges::find(known, name) == known.end())
      return problem(422,
                     known.empty()
                         ? "this operation takes no parameters in its address"
                         : fmt::format("this operation takes no such parameter in its address; it takes: {}",
                                       fmt::join(known, ", ")));
    if (!names.insert(name).second) return problem(422, "the query names a parameter twice");
  }
  return {};
}

}  // namespace

Outcome<Admission> Api::admit(const Head& head) {
  const std::shared_ptr<const Settings> now = settings();
  const std::uint64_t most = now->config.limits.body;
  SERVER_TRY(check_site(now->config, head));
  const Method method = head.method == Method::head ? Method::get : head.method;
  std::string allowed;  // methods of this path
  for (const Route& route : routes()) {
    std::string_view index;
    if (!follows(head.path, route.path, index)) continue;
    if (route.method != method) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ",
                             route.method == Method::get ? "GET, HEAD" : method_name(route.method));
      continue;
    }
    SERVER_TRY(check_token(now->tokens, head, route.role));
    if (!head.query.empty()) SERVER_TRY(check_query(head.query, words_in(route.query)));
    if (!route.body && head.length > 0) return problem(413, "this request takes no body");
    if (route.body && !head.has_length && route.method == Method::post)
      return problem(411, "send the body with its Content-Length");
    if (head.length > most)
      return problem(413, fmt::format("the body has more than {} bytes; send fewer records at once", most));
    return Admission{&route, std::string(index)};
  }
  if (!allowed.empty())
    return tl::make_unexpected(
        Problem{.status = 405,
                .detail = fmt::format("this method is not offered here; there are: {}", allowed),
                .allow = allowed});
  return problem(404, "no operation has this address; /openapi.json lists all of them");
}

void Api::handle(const Route& route, Exchange exchange) {
  // Another process may have to read a document.
  const bool small = exchange.body.size() <= kSmallBody && exchange.content_encoding.empty() &&
                     !is_document(exchange.content_type);
  if (route.where == Where::at_once || (route.where == Where::if_small && small))
    return work(route, std::move(exchange));
  // Handlers move parts out of the exchange, but std::function requires copyable captures.
  auto shared = std::make_shared<Exchange>(std::move(exchange));
  workers_.post([this, &route, shared] { work(route, std::move(*shared)); });
}

void Api::work(const Route& route, Exchange&& exchange) {
  const Reply reply = exchange.reply;
  try {
    const std::size_t sent = exchange.body.size();
    auto body =
        decode_body(exchange.content_encoding, std::move(exchange.body), settings()->config.limits.body,
                    [&](std::size_t bytes) { return exchange.memory->hold_body(sent + bytes); });
    if (!body) return reply(to_response(body.error()));
    exchange.body = *std::move(body);
    if (const auto held = exchange.memory->hold_body(exchange.body.size()); !held)
      return reply(to_response(held.error()));
    if (const auto* answers = std::get_if<1>(&route.handle))
      reply(to_response((this->**answers)(exchange)));
    else
      (this->*std::get<0>(route.handle))(std::move(exchange));
  } catch (const std::bad_alloc&) {
    reply(to_response(no_memory()));
  } catch (const std::exception& error) {
    log_exception(route.operation, error);
    reply(to_response(Problem{500, "the server failed in this request; its log says more"}));
  }
}

void Api::finished(const Route* route, unsigned status, double seconds, std::size_t body_bytes) {
  const std::size_t number =
      route == nullptr ? routes().size() : static_cast<std::size_t>(route - routes().data());
  figures_[number].count(status, seconds);
  const std::shared_ptr<const Settings> now = settings();
  const Config& config = now->config;
  const bool failed = status >= 500 && status != 503 && status != 501;
  const bool slow = seconds * 1000 >= config.slow_ms;
  if (!failed && !slow && !config.log_requests) return;
  LogLine(failed ? Level::error
          : slow ? Level::warning
                 : Level::info,
          slow && !failed ? "slow request" : "request")
      .text("operation", route == nullptr ? "none" : route->operation)
      .count("status", status)
      .number("ms", seconds * 1000)
      .count("bytes", body_bytes);
}

std::optional<std::string_view> query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.starts_with(name) && pair.size() > name.size() && pair[name.size()] == '=')
      return pair.substr(name.size() + 1);
    if (pair == name) return std::string_view();
  }
  return {};
}

Response to_response(const Problem& problem) {
  Response response{.status = problem.status, .type = "application/problem+json", .body = to_json(problem)};
  if (problem.retry_after > 0)
    response.fields.emplace_back("Retry-After", std::to_string(problem.retry_after));
  if (!problem.allow.empty()) response.fields.emplace_back("Allow", problem.allow);
  if (problem.status == 401) response.fields.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

Response to_response(Outcome<std::string> json) {
  if (!json) return to_response(json.error());
  return {.body = *std::move(json)};
}

}  // namespace leitong::server
