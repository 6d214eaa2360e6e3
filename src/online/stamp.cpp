#include "online/stamp.hpp"

#include <openssl/sha.h>

#include <cstring>

#include "base/packing.hpp"
#include "text/signs.hpp"

namespace leitong::online {
namespace {

// A stamp as bytes: a byte with these bits, and the values that the bits stand for.
constexpr std::uint8_t kHasFingerprint = 1, kHasDigest = 2;

}  // namespace

ContentDigest content_digest(std::string_view text, std::span<const Unit> units) {
  const PodVector<char> characters = units.empty() ? PodVector<char>() : compared_characters(text);
  const std::string_view bytes =
      units.empty() ? text : std::string_view(characters.data(), characters.size());
  std::array<unsigned char, SHA256_DIGEST_LENGTH> whole;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), whole.data());
  ContentDigest digest;
  std::memcpy(digest.data(), whole.data(), sizeof digest);
  return digest;
}

std::string stamp_bytes(const Stamp& stamp, std::size_t width) {
  std::string bytes(
      1, static_cast<char>((stamp.fingerprint ? kHasFingerprint : 0) | (stamp.digest ? kHasDigest : 0)));
  if (stamp.fingerprint) bytes.append(value_bytes(*stamp.fingerprint).substr(0, width));
  if (stamp.digest) bytes.append(value_bytes(*stamp.digest));
  return bytes;
}

bool take_stamp(std::string_view& bytes, std::size_t width, Stamp& stamp) {
  std::uint8_t bits = 0;
  stamp = {};
  if (!take_value(bytes, bits)) return false;
  if ((bits & kHasFingerprint) != 0) {
    auto& [low, high] = stamp.fingerprint.emplace();
    if (!take_value(bytes, low) || (width == 16 && !take_value(bytes, high))) return false;
  }
  return (bits & kHasDigest) == 0 || take_value(bytes, stamp.digest.emplace());
}

}  // namespace leitong::online
