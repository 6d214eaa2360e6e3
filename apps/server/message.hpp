// Requests and responses, independent of the HTTP library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leitong::server {

enum class Method : std::uint8_t { get, head, post, put, erase, options, other };

/// The parts of a request's head that are used.
struct Head {
  Method method = Method::other;
  std::string path;   ///< as sent, up to the question mark
  std::string query;  ///< the part after it
  bool keep_alive = false;
  bool expects_continue = false;
  bool has_length = false;
  std::uint64_t length = 0;  ///< of the body
  std::string host, origin, fetch_site, authorization, content_type, content_encoding;
};

struct Response {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string_view, std::string>> fields = {};  ///< further fields of the head
  bool close = false;                                                 ///< the connection ends with it
};

/// Are these the same letter of ASCII in any case, or else the same byte?
[[nodiscard]] constexpr bool same_letter(char a, char b) noexcept {
  const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return low(a) == low(b);
}
/// The same for words, as HTTP compares its own.
[[nodiscard]] constexpr bool same_word(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, same_letter);
}

/// Takes the response to one request, once, on any thread.
using Reply = std::function<void(Response)>;

}  // namespace leitong::server
