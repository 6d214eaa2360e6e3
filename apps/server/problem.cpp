#include "problem.hpp"

#include <fmt/core.h>

#include "leitong/json.hpp"

namespace leitong::server {

Problem no_memory() { return {503, "there is no memory for this request; try again", 5}; }

Problem to_problem(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_argument:
      return {400, error.message};
    case ErrorCode::not_found:
      return {404, error.message};
    case ErrorCode::conflict:
      return {409, error.message};
    case ErrorCode::limit:
      return {413, error.message};
    case ErrorCode::unsupported:
      return {501, error.message};
    case ErrorCode::io:
    case ErrorCode::cancelled:
      return {503, error.message, 5};
    case ErrorCode::corrupt:
      break;
  }
  return {500, error.message};
}

std::string_view phrase(unsigned status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

std::string to_json(const Problem& problem) {
  std::string json = fmt::format("{{\"type\":\"about:blank\",\"title\":\"{}\",\"status\":{},\"detail\":",
                                 phrase(problem.status), problem.status);
  append_json_string(problem.detail, json);
  return json + "}";
}

}  // namespace leitong::server
