#include "leitong/digest.hpp"

#include <openssl/evp.h>

#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>
#ifdef LEITONG_HAVE_BLAKE3
#include <blake3.h>

#include "base/try.hpp"
#endif

namespace leitong {
namespace {

constexpr std::array kDigestNames = {
    DigestName{DigestKind::md5, "md5"}, DigestName{DigestKind::sha256, "sha256"},
    DigestName{DigestKind::xxh3, "xxh3"}, DigestName{DigestKind::blake2b, "blake2b"},
    DigestName{DigestKind::blake3, "blake3"}};

class OpensslDigester final : public Digester {
 public:
  explicit OpensslDigester(EVP_MD_CTX* state) : state_(state, EVP_MD_CTX_free) {}
  void update(std::string_view bytes) override { EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size()); }
  std::string finish() override {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
    unsigned size = 0;
    EVP_DigestFinal_ex(state_.get(), bytes.data(), &size);
    return to_hex({bytes.data(), size});
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> state_;
};

Result<std::unique_ptr<Digester>> openssl_digester(const EVP_MD* method, std::string_view name) {
  EVP_MD_CTX* const state = EVP_MD_CTX_new();
  auto digester = std::make_unique<OpensslDigester>(state);
  // A policy of the system (FIPS) may forbid a digest method.
  if (state == nullptr || EVP_DigestInit_ex(state, method, nullptr) != 1)
    return fail(ErrorCode::unsupported,
                "this machine's OpenSSL refuses the digest " + std::string(name) + "; choose another one");
  return digester;
}

class Xxh3Digester final : public Digester {
 public:
  Xxh3Digester() { XXH3_128bits_reset(&state_); }
  void update(std::string_view bytes) override { XXH3_128bits_update(&state_, bytes.data(), bytes.size()); }
  std::string finish() override {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_));
    return to_hex(canonical.digest);
  }

 private:
  XXH3_state_t state_;
};

#ifdef LEITONG_HAVE_BLAKE3
class Blake3Digester final : public Digester {
 public:
  Blake3Digester() { blake3_hasher_init(&state_); }
  void update(std::string_view bytes) override { blake3_hasher_update(&state_, bytes.data(), bytes.size()); }
  std::string finish() override {
    std::array<unsigned char, BLAKE3_OUT_LEN> bytes;
    blake3_hasher_finalize(&state_, bytes.data(), bytes.size());
    return to_hex(bytes);
  }

 private:
  blake3_hasher state_;
};
#endif

}  // namespace

std::span<const DigestName> digest_names() noexcept { return kDigestNames; }

Result<std::unique_ptr<Digester>> Digester::create(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5:
      return openssl_digester(EVP_md5(), "md5");
    case DigestKind::sha256:
      return openssl_digester(EVP_sha256(), "sha256");
    case DigestKind::blake2b:
      return openssl_digester(EVP_blake2b512(), "blake2b");
    case DigestKind::xxh3:
      return std::make_unique<Xxh3Digester>();
    case DigestKind::blake3:
      break;
  }
#ifdef LEITONG_HAVE_BLAKE3
  return std::make_unique<Blake3Digester>();
#else
  return fail(ErrorCode::unsupported,
              "this build has no BLAKE3; install the Debian package librust-blake3-dev and build again, or "
              "choose blake2b");
#endif
}

Result<std::string> digest(DigestKind kind, std::string_view bytes) {
  LEITONG_ASSIGN(const auto digester, Digester::create(kind));
  digester->update(bytes);
  return digester->finish();
}

std::string to_hex(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace leitong
