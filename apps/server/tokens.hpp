// Permissions: tokens from a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::server {

/// The permission of a request; each includes those before it.
enum class Role : std::uint8_t { none, read, write, admin };

struct Token {
  Role role = Role::none;
  std::string name;    ///< name of its holder in logs
  unsigned rate = 0;   ///< requests a second; 0: any number
  std::string digest;  ///< SHA-256 of the token; the token itself is not stored
};

class Tokens {
 public:
  /// Lines "ROLE TOKEN NAME [REQUESTS-A-SECOND]"; empty lines and those that begin with # are skipped. Fails
  /// with invalid_argument, naming the line, also if others than the owner may read or write the file, and as
  /// read_regular_file().
  [[nodiscard]] static Result<Tokens> read(const std::filesystem::path& file);

  [[nodiscard]] bool empty() const noexcept { return tokens_.empty(); }
  /// The token of this text, or nullptr. Compares all of them, each in constant time.
  [[nodiscard]] const Token* find(std::string_view text) const;

 private:
  std::vector<Token> tokens_;
};

}  // namespace leitong::server
