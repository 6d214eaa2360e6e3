#include "head.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <charconv>

namespace leitong::server {
namespace {

namespace http = boost::beast::http;

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

/// Rules that Beast does not check, or whose violations it repairs silently.
Outcome<void> check_lines(std::string_view head) {
  head.remove_suffix(2);  // the empty line
  bool encoded = false;
  for (bool first = true; !head.empty(); first = false) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    for (const char c : line)
      if ((static_cast<unsigned char>(c) < 0x20 && (c != '\t' || first)) || c == 0x7F)
        return problem(400, "the head of the request holds a control character");
    if (first) continue;
    if (line.front() == ' ' || line.front() == '\t')
      return problem(400, "a line of the head begins with a space: folded lines are obsolete");
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
      return problem(400, "a line of the head is not \"Name: value\"");
    encoded |= boost::beast::iequals(line.substr(0, colon), "Transfer-Encoding");
  }
  // Not even read, because parsers differ in how they read it.
  if (encoded) return problem(411, "send the body with its Content-Length; Transfer-Encoding is not taken");
  return {};
}

using Fields = http::request_parser<http::empty_body>;

Outcome<void> read_length(const http::fields& fields, Head& head) {
  const auto [begin, end] = fields.equal_range(http::field::content_length);
  if (begin == end) return {};
  if (std::next(begin) != end) return problem(400, "the request has more than one Content-Length");
  const std::string_view text(begin->value().data(), begin->value().size());
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), head.length);
  if (text.empty() || text.front() == '+' || text.front() == '-' || error != std::errc() ||
      rest != text.data() + text.size())
    return problem(400, "Content-Length is not a number");
  head.has_length = true;
  return {};
}

Outcome<void> read_host(const http::fields& fields, unsigned version, Head& head) {
  const auto [begin, end] = fields.equal_range(http::field::host);
  if (begin == end) {
    if (version == 11) return problem(400, "the request has no Host");
    return {};
  }
  if (std::next(begin) != end) return problem(400, "the request has more than one Host");
  head.host = std::string(begin->value());
  return {};
}

Method method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::get;
    case http::verb::head:
      return Method::head;
    case http::verb::post:
      return Method::post;
    case http::verb::put:
      return Method::put;
    case http::verb::delete_:
      return Method::erase;
    case http::verb::options:
      return Method::options;
    default:
      return Method::other;
  }
}

}  // namespace

std::size_t head_bytes(std::string_view bytes) noexcept {
  const std::size_t end = bytes.find("\r\n\r\n");
  return end == std::string_view::npos ? 0 : end + 4;
}

Outcome<Head> read_head(std::string_view bytes) {
  SERVER_TRY(check_lines(bytes));
  Fields parser;
  parser.header_limit(kMostHeadBytes);
  parser.body_limit(boost::none);
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  const auto& message = parser.get();
  if (error == http::error::bad_version) return problem(505, "HTTP/1.1 is spoken here");
  if ((error && error != http::error::need_more) || !parser.is_header_done())
    return problem(400, fmt::format("the head of the request is not HTTP: {}", error.message()));
  Head head;
  SERVER_TRY(read_length(message, head));
  SERVER_TRY(read_host(message, message.version(), head));
  const std::string_view target(message.target().data(), message.target().size());
  if (!target.starts_with('/')) return problem(400, "the target of the request does not begin with /");
  const std::size_t question = target.find('?');
  head.path = target.substr(0, question);
  if (question != std::string_view::npos) head.query = target.substr(question + 1);
  head.method = method_of(message.method());
  head.keep_alive = message.keep_alive();
  if (const auto expect = message[http::field::expect]; !expect.empty()) {
    if (!boost::beast::iequals(expect, "100-continue")) return problem(417, "Expect may be 100-continue");
    head.expects_continue = message.version() == 11;
  }
  const auto field = [&](auto name) { return std::string(message[name]); };
  head.origin = field(http::field::origin);
  head.fetch_site = field("Sec-Fetch-Site");
  head.authorization = field(http::field::authorization);
  head.content_type = field(http::field::content_type);
  head.content_encoding = field(http::field::content_encoding);
  return head;
}

}  // namespace leitong::server
