// TLS as a filter: bytes of a connection in and out, which are read and written elsewhere. Who the server is
// is always checked.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

struct ssl_ctx_st;
struct ssl_st;
struct bio_st;

namespace leitong::online {

/// Whom to believe, and who this is: PEM files.
struct TlsFiles {
  std::string authorities;       ///< who may vouch for the server; empty: those that the system believes
  std::string certificate, key;  ///< of this client, where the server asks for one
};

/// What all connections to some servers have in common.
class TlsSettings {
 public:
  /// Fails with invalid_argument for files that can't be read, or aren't what they should be.
  static Result<std::unique_ptr<TlsSettings>> read(const TlsFiles& files);

 private:
  friend class Tls;
  struct Free {
    void operator()(ssl_ctx_st* context) const noexcept;
  };
  explicit TlsSettings(ssl_ctx_st* context) : context_(context) {}
  std::unique_ptr<ssl_ctx_st, Free> context_;
};

/// One connection. What fails, fails with io, and says why.
class Tls {
 public:
  /// `host`: a name or an address, which the server's certificate must be for.
  static Result<std::unique_ptr<Tls>> begin(const TlsSettings& settings, const std::string& host);

  /// Bytes that came.
  void feed(std::string_view bytes);
  /// Bytes to be written; valid until the next call.
  std::string_view take_outgoing();

  /// True when it is done; false: it needs bytes. Fails with invalid_argument for a server whose certificate
  /// is not believed.
  Result<bool> shake_hands();
  Result<void> encrypt(std::string_view plain);
  /// All that can be decrypted of what came; valid until the next call.
  Result<std::string_view> decrypted();

 private:
  struct Free {
    void operator()(ssl_st* session) const noexcept;
  };
  Tls(ssl_st* session, bio_st* in, bio_st* out) : session_(session), in_(in), out_(out) {}
  std::unique_ptr<ssl_st, Free> session_;
  bio_st* in_;   // the session's
  bio_st* out_;  // the session's
  std::string outgoing_, plain_;
};

}  // namespace leitong::online
