// TLS as a filter: takes and returns the bytes of a connection, which are read and written elsewhere. The
// server's identity is always verified.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

struct ssl_ctx_st;
struct ssl_st;
struct bio_st;

namespace leitong::online {

/// The trusted authorities and the client's certificate, as PEM files.
struct TlsFiles {
  /// Authorities that may sign the server's certificate; empty: those of the system.
  std::string authorities;
  std::string certificate, key;  ///< of this client; needed if the server asks for a certificate
};

/// The settings that the connections to some servers share.
class TlsSettings {
 public:
  /// Fails with invalid_argument for files that cannot be read or have the wrong content.
  static Result<std::unique_ptr<TlsSettings>> read(const TlsFiles& files);

 private:
  friend class Tls;
  struct Free {
    void operator()(ssl_ctx_st* context) const noexcept;
  };
  explicit TlsSettings(ssl_ctx_st* context) : context_(context) {}
  std::unique_ptr<ssl_ctx_st, Free> context_;
};

/// One connection. All failures are io, with the reason.
class Tls {
 public:
  /// `host`: the name or address for which the server's certificate must be valid.
  static Result<std::unique_ptr<Tls>> begin(const TlsSettings& settings, const std::string& host);

  /// Takes received bytes.
  void feed(std::string_view bytes);
  /// Bytes to send; valid until the next call.
  std::string_view take_outgoing();

  /// Returns true when the handshake is complete, and false if it needs more bytes. Fails with
  /// invalid_argument if the server's certificate is not trusted.
  Result<bool> shake_hands();
  Result<void> encrypt(std::string_view plain);
  /// All bytes that can be decrypted so far; valid until the next call.
  Result<std::string_view> decrypted();

 private:
  struct Free {
    void operator()(ssl_st* session) const noexcept;
  };
  Tls(ssl_st* session, bio_st* in, bio_st* out) : session_(session), in_(in), out_(out) {}
  std::unique_ptr<ssl_st, Free> session_;
  bio_st* in_;   // owned by the session
  bio_st* out_;  // owned by the session
  std::string outgoing_, plain_;
};

}  // namespace leitong::online
