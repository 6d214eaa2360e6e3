#include "service_index.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/try.hpp"
#include "leitong/json.hpp"

namespace leitong::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using nlohmann::json;

constexpr std::chrono::seconds kPatience{60};
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of an answer: a text may have 256 MB

ErrorCode code_of(unsigned status) {
  if (status == 404 || status == 410) return ErrorCode::not_found;
  return status >= 500 || status == 429 ? ErrorCode::io : ErrorCode::invalid_argument;
}

/// The bytes of a parameter in an address.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

online::Stored stored_of(json& one) {
  online::Stored stored;
  stored.id = std::move(one.at("id").get_ref<std::string&>());
  if (const auto text = one.find("text"); text != one.end())
    stored.text = std::move(text->get_ref<std::string&>());
  stored.source = one.value("source", "");
  for (auto [name, field] : {std::pair("time", &stored.time), std::pair("expires", &stored.expires)})
    if (const auto value = one.find(name); value != one.end()) *field = value->get<online::Seconds>();
  return stored;
}

}  // namespace

class ServiceIndex::Connection {
 public:
  Connection(std::string host, std::string port, std::string token)
      : host_(std::move(host)), port_(std::move(port)), token_(std::move(token)) {}

  /// The body of an answer that is a success.
  Result<std::string> ask(http::verb verb, const std::string& target, std::string_view type = {},
                          std::string body = {}) {
    http::request<http::string_body> request{verb, target, 11, std::move(body)};
    request.set(http::field::host, host_ + ":" + port_);
    if (!token_.empty()) request.set(http::field::authorization, "Bearer " + token_);
    if (!type.empty()) request.set(http::field::content_type, type);
    request.prepare_payload();
    // A service may have ended a connection that was idle. All requests may be sent again.
    bool again = stream_.has_value();
    for (;;) {
      auto [error, response] = exchange(request);
      if (!error) {
        if (!response.keep_alive()) stream_.reset();
        const unsigned status = response.result_int();
        if (status == 200) return std::move(response.body());
        const json problem = json::parse(response.body(), nullptr, false);
        return fail(code_of(status),
                    fmt::format("http://{}:{}{}: {}", host_, port_, target.substr(0, target.find('?')),
                                problem.is_object() ? problem.value("detail", response.body())
                                                    : fmt::format("status {}", status)));
      }
      stream_.reset();
      if (!std::exchange(again, false))
        return fail(ErrorCode::io, fmt::format("http://{}:{}: {}", host_, port_, error.message()));
    }
  }

 private:
  using Response = http::response<http::string_body>;

  /// Runs one operation of the stream within kPatience.
  template <class Start>
  error_code wait(const Start& start) {
    error_code result;
    stream_->expires_after(kPatience);
    start([&result](error_code error, const auto&...) { result = error; });
    io_.restart();
    io_.run();
    return result;
  }

  std::pair<error_code, Response> exchange(http::request<http::string_body>& request) {
    error_code error;
    if (!stream_) {
      asio::ip::tcp::resolver resolver(io_);
      const auto ends = resolver.resolve(host_, port_, error);
      if (error) return {error, {}};
      stream_.emplace(io_);
      buffer_.clear();
      error = wait([&](auto then) { stream_->async_connect(ends, then); });
    }
    if (!error) error = wait([&](auto then) { http::async_write(*stream_, request, then); });
    http::response_parser<http::string_body> parser;
    parser.body_limit(kMostBytes);
    if (!error) error = wait([&](auto then) { http::async_read(*stream_, buffer_, parser, then); });
    return {error, error ? Response() : parser.release()};
  }

  const std::string host_, port_, token_;
  asio::io_context io_;
  std::optional<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
};

ServiceIndex::ServiceIndex(std::unique_ptr<Connection> connection, std::string path)
    : connection_(std::move(connection)), path_(std::move(path)) {}
ServiceIndex::ServiceIndex(ServiceIndex&&) noexcept = default;
ServiceIndex& ServiceIndex::operator=(ServiceIndex&&) noexcept = default;
ServiceIndex::~ServiceIndex() = default;

Result<ServiceIndex> ServiceIndex::open(std::string_view address, std::string token) {
  constexpr std::string_view kScheme = "http://", kFolder = "/v1/indexes/";
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {}", address, why));
  };
  if (!address.starts_with(kScheme)) return wrong("only http is spoken here; let a proxy speak https");
  const std::string_view rest = address.substr(kScheme.size());
  const std::string_view authority = rest.substr(0, rest.find('/')), path = rest.substr(authority.size());
  if (!path.starts_with(kFolder) || path.size() == kFolder.size() ||
      path.find_first_of("/?#", kFolder.size()) != path.npos)
    return wrong("is no index of a service, such as http://127.0.0.1:8380/v1/indexes/default");
  const std::size_t colon = authority.ends_with(']') ? authority.npos : authority.rfind(':');
  std::string_view host = authority.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty()) return wrong("has no host");
  const std::string_view port = colon == authority.npos ? "80" : authority.substr(colon + 1);
  return ServiceIndex(std::make_unique<Connection>(std::string(host), std::string(port), std::move(token)),
                      std::string(path));
}

Result<online::Changes> ServiceIndex::changes(std::string_view since, const online::ChangesWanted& wanted) {
  const std::string target = fmt::format("{}/changes?limit={}&texts={}{}", path_, wanted.limit, wanted.texts,
                                         since.empty() ? std::string() : "&since=" + escaped(since));
  LEITONG_ASSIGN(const std::string body, connection_->ask(http::verb::get, target));
  try {
    json page = json::parse(body);
    online::Changes changes;
    for (json& one : page.at("changes"))
      changes.changes.push_back({one.at("change") == "removed", stored_of(one)});
    changes.cursor = page.at("cursor").get<std::string>();
    changes.more = page.at("more").get<bool>();
    return changes;
  } catch (const json::exception& error) {
    return fail(ErrorCode::io, fmt::format("{}: is no answer of a service: {}", path_, error.what()));
  }
}

Result<std::vector<std::string>> ServiceIndex::check_and_add(std::span<const online::Text> texts) {
  std::string lines;
  for (const online::Text& text : texts) {
    lines += "{\"id\":";
    append_json_string(text.id, lines);
    lines += ",\"text\":";
    append_json_string(text.text, lines);
    if (!text.source.empty()) {
      lines += ",\"source\":";
      append_json_string(text.source, lines);
    }
    if (text.time) lines += fmt::format(",\"time\":{}", *text.time);
    if (text.expires) lines += fmt::format(",\"expires\":{}", *text.expires);
    lines += "}\n";
  }
  LEITONG_ASSIGN(const std::string body, connection_->ask(http::verb::post, path_ + "/check-and-add",
                                                          "application/x-ndjson", std::move(lines)));
  std::vector<std::string> reasons;
  for (std::string_view rest = body; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const json answer = json::parse(rest.substr(0, end), nullptr, false);
    reasons.push_back(answer.is_object() && answer.value("verdict", "") == "refused"
                          ? answer.value("reason", "it was refused")
                          : "");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (reasons.size() == texts.size()) return reasons;
  return fail(ErrorCode::io, fmt::format("{}: answered {} texts of {}", path_, reasons.size(), texts.size()));
}

Result<void> ServiceIndex::remove(std::string_view id) {
  LEITONG_TRY(connection_->ask(http::verb::post, path_ + "/remove", "application/x-ndjson",
                               "{\"id\":" + json_string(id) + "}\n"));
  return {};
}

}  // namespace leitong::cli
