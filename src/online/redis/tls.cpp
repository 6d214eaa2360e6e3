#include "online/redis/tls.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <new>

namespace leitong::online {
namespace {

/// OpenSSL's latest error.
std::string reason() {
  std::array<char, 256> text{};
  const unsigned long code = ERR_peek_last_error();
  ERR_error_string_n(code, text.data(), text.size());
  ERR_clear_error();
  return code == 0 ? "TLS ended" : text.data();
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

void TlsSettings::Free::operator()(ssl_ctx_st* context) const noexcept { SSL_CTX_free(context); }
void Tls::Free::operator()(ssl_st* session) const noexcept { SSL_free(session); }

Result<std::unique_ptr<TlsSettings>> TlsSettings::read(const TlsFiles& files) {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  if (context == nullptr) throw std::bad_alloc();
  std::unique_ptr<TlsSettings> settings(new TlsSettings(context));
  const auto wrong = [](std::string_view what, const std::string& file) {
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: {}", what, file, reason()));
  };
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  // A key that needs a password is an error, since nobody can be asked on the terminal.
  SSL_CTX_set_default_passwd_cb(context, [](char*, int, int, void*) { return -1; });
  ERR_clear_error();
  if (files.authorities.empty() ? SSL_CTX_set_default_verify_paths(context) != 1
                                : SSL_CTX_load_verify_file(context, files.authorities.c_str()) != 1)
    return wrong("the certificates of authorities", files.authorities);
  if (files.certificate.empty()) return settings;
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1)
    return wrong("the client's certificate", files.certificate);
  const std::string& key = files.key.empty() ? files.certificate : files.key;
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1)
    return wrong("the key of the client's certificate", key);
  return settings;
}

Result<std::unique_ptr<Tls>> Tls::begin(const TlsSettings& settings, const std::string& host) {
  SSL* const session = SSL_new(settings.context_.get());
  BIO *const in = BIO_new(BIO_s_mem()), *const out = BIO_new(BIO_s_mem());
  if (session == nullptr || in == nullptr || out == nullptr) throw std::bad_alloc();
  SSL_set_bio(session, in, out);
  std::unique_ptr<Tls> tls(new Tls(session, in, out));
  SSL_set_connect_state(session);
  const bool known =
      is_address(host)
          ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str()) == 1
          : SSL_set_tlsext_host_name(session, host.c_str()) == 1 && SSL_set1_host(session, host.c_str()) == 1;
  if (!known) return fail(ErrorCode::io, fmt::format("{}: no name that a certificate can be for", host));
  return tls;
}

void Tls::feed(std::string_view bytes) { BIO_write(in_, bytes.data(), static_cast<int>(bytes.size())); }

std::string_view Tls::take_outgoing() {
  outgoing_.resize(BIO_ctrl_pending(out_));
  if (!outgoing_.empty()) BIO_read(out_, outgoing_.data(), static_cast<int>(outgoing_.size()));
  return outgoing_;
}

Result<bool> Tls::shake_hands() {
  ERR_clear_error();
  const int done = SSL_do_handshake(session_.get());
  if (done == 1) return true;
  if (SSL_get_error(session_.get(), done) == SSL_ERROR_WANT_READ) return false;
  const long checked = SSL_get_verify_result(session_.get());
  if (checked == X509_V_OK) return fail(ErrorCode::io, fmt::format("TLS: {}", reason()));
  return fail(ErrorCode::invalid_argument, fmt::format("the server's certificate is not believed: {}",
                                                       X509_verify_cert_error_string(checked)));
}

Result<void> Tls::encrypt(std::string_view plain) {
  ERR_clear_error();
  std::size_t written = 0;
  if (plain.empty() || SSL_write_ex(session_.get(), plain.data(), plain.size(), &written) == 1) return {};
  return fail(ErrorCode::io, fmt::format("TLS: {}", reason()));
}

Result<std::string_view> Tls::decrypted() {
  constexpr std::size_t kRecord = std::size_t{16} << 10;
  ERR_clear_error();
  for (plain_.clear();;) {
    const std::size_t before = plain_.size();
    std::size_t size = 0;
    plain_.resize(before + kRecord);
    const int got = SSL_read_ex(session_.get(), plain_.data() + before, kRecord, &size);
    plain_.resize(before + size);
    if (got == 1) continue;
    if (SSL_get_error(session_.get(), got) == SSL_ERROR_WANT_READ) return plain_;
    return fail(ErrorCode::io, fmt::format("TLS: {}", reason()));
  }
}

}  // namespace leitong::online
