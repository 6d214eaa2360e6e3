#include "tokens.hpp"

#include <fmt/core.h>

#include <sstream>

#include "leitong/digest.hpp"
#include "problem.hpp"
#include "regular_file.hpp"

namespace leitong::server {
namespace {

constexpr std::size_t kLeastCharacters = 16;
constexpr std::uint64_t kMostBytes = 16 << 20;

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;  // digests: both have the same size
  unsigned char differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differ == 0;
}

Result<Token> parse_line(const std::string& line) {
  std::istringstream words(line);
  std::string role, token, rest;
  Token parsed;
  words >> role >> token >> parsed.name;
  parsed.role = role == "read"    ? Role::read
                : role == "write" ? Role::write
                : role == "admin" ? Role::admin
                                  : Role::none;
  if (parsed.role == Role::none || parsed.name.empty())
    return fail(ErrorCode::invalid_argument,
                "a line is \"ROLE TOKEN NAME [REQUESTS-A-SECOND]\", where ROLE is read, write or admin");
  if (token.size() < kLeastCharacters)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("a token has {} characters or more; `openssl rand -hex 24` makes one", kLeastCharacters));
  if (words >> rest) {
    char* end = nullptr;
    const unsigned long rate = std::strtoul(rest.c_str(), &end, 10);
    if (*end != 0 || rate == 0 || rate > 1'000'000 || (words >> rest))
      return fail(ErrorCode::invalid_argument, "the last word is how many requests a second are allowed");
    parsed.rate = static_cast<unsigned>(rate);
  }
  SERVER_ASSIGN(parsed.digest, digest(DigestKind::sha256, token));
  return parsed;
}

}  // namespace

Result<Tokens> Tokens::read(const std::filesystem::path& file) {
  SERVER_ASSIGN(const RegularFile read, read_regular_file(file, "the file of tokens", kMostBytes));
  if ((read.mode & 077) != 0)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: others than its owner may use the file of tokens; try chmod 600", file.string()));
  Tokens tokens;
  std::istringstream in(read.bytes);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    auto token = parse_line(line);
    if (!token)
      return fail(token.error().code, fmt::format("{}:{}: {}", file.string(), number, token.error().message));
    tokens.tokens_.push_back(*std::move(token));
  }
  if (tokens.empty())
    return fail(ErrorCode::invalid_argument, fmt::format("{}: the file of tokens has none", file.string()));
  return tokens;
}

const Token* Tokens::find(std::string_view text) const {
  const auto wanted = digest(DigestKind::sha256, text);
  if (!wanted) return nullptr;
  const Token* found = nullptr;
  for (const Token& token : tokens_)
    if (equal_in_constant_time(*wanted, token.digest)) found = &token;
  return found;
}

}  // namespace leitong::server
