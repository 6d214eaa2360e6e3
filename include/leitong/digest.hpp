// Digests of bytes by well-known libraries. They tell whether two copies are equal bit by bit.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

namespace leitong {

/// The kind of a digest. Names, lengths and output are those of the common tools.
enum class DigestKind {
  md5,      ///< 128 bits, as md5sum; no protection against attackers
  sha256,   ///< 256 bits, as sha256sum
  xxh3,     ///< 128 bits, as xxhsum -H2; by far the fastest, no protection against attackers
  blake2b,  ///< 512 bits, as b2sum
  blake3,   ///< 256 bits, as b3sum
};

/// A kind of digest as users name it.
struct DigestName {
  DigestKind kind;        ///< the kind
  std::string_view name;  ///< "sha256"
};
/// Every kind with its name.
[[nodiscard]] std::span<const DigestName> digest_names() noexcept;

/// Takes bytes in pieces and computes their digest. Use it from one thread.
class Digester {
 public:
  /// Fails with unsupported if leitong was built without the library.
  static Result<std::unique_ptr<Digester>> create(DigestKind kind);
  virtual ~Digester() = default;
  /// Takes the next bytes. Linear.
  virtual void update(std::string_view bytes) = 0;
  /// The digest in lower-case hexadecimal digits. Call it once, at the end.
  [[nodiscard]] virtual std::string finish() = 0;
};

/// The digest of `bytes`.
Result<std::string> digest(DigestKind kind, std::string_view bytes);

/// The bytes as lower-case hexadecimal digits, in their order.
[[nodiscard]] std::string to_hex(std::span<const unsigned char> bytes);

}  // namespace leitong
