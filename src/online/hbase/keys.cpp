#include "online/hbase/keys.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "online/bytes.hpp"

namespace leitong::online {
namespace {

enum class Of : std::uint8_t {
  text = 0xf0,
  content,
  copy,
  member,
  family,
  arrival,
  source,
  expiry,
  learned,
  commit,
  told,
  meta = 0xff
};

std::string key(std::uint32_t spread, Of of, std::string_view rest) {
  std::string bytes = key_of(spread);
  bytes += static_cast<char>(of);
  return bytes.append(rest);
}
std::uint32_t hash_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()) >> 32);
}
std::string hash_bytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return key_of(hash.high64).append(key_of(hash.low64));
}
std::string key_by_digest(const ContentDigest& digest, Of of) {
  return key(static_cast<std::uint32_t>(digest[0] >> 32), of, key_of(digest[0]).append(key_of(digest[1])));
}
std::string key_by_slot(const HBaseName& first, Of of) {
  const std::string slot = hash_bytes(bytes_of_name(first));
  return key(hash_of(slot), of, slot);
}
/// A part has a sixteenth of the keys.
std::uint32_t part_of(std::string_view id) { return hash_of(id) & 0xf000'0000U; }
static_assert(kParts == 16);

// Moments as numbers without a sign, in the same order.
std::uint64_t ordered(Seconds moment) {
  return static_cast<std::uint64_t>(moment) ^ (std::uint64_t{1} << 63);
}

}  // namespace

std::string bytes_of_name(const HBaseName& name) { return key_of(name.number).append(name.id); }
bool read_name(std::string_view bytes, HBaseName& name) {
  if (bytes.size() <= sizeof name.number) return false;
  name.number = number_in_key(bytes.substr(0, sizeof name.number));
  name.id = bytes.substr(sizeof name.number);
  return true;
}

std::string text_key(std::string_view id) { return key(hash_of(id), Of::text, id); }
std::string content_key(const ContentDigest& digest) { return key_by_digest(digest, Of::content); }
std::string copies_key(const ContentDigest& digest) { return key_by_digest(digest, Of::copy); }
std::string members_key(const HBaseName& first) { return key_by_slot(first, Of::member); }
std::string family_key(const HBaseName& first) { return key_by_slot(first, Of::family); }
std::string source_key(std::string_view source) {
  const std::string hash = hash_bytes(source);
  return key(hash_of(hash), Of::source, hash);
}
std::string arrival_key(const HBaseName& name) {
  return key(part_of(name.id), Of::arrival, bytes_of_name(name));
}
std::string expiry_key(Seconds expires, std::string_view id) {
  return key(part_of(id), Of::expiry, key_of(ordered(expires)).append(id));
}
std::string meta_key() { return key(0, Of::meta, {}); }
std::string learned_key(std::uint64_t commit) { return key(0, Of::learned, key_of(commit)); }
std::string commit_key(std::uint64_t commit) { return key(0, Of::commit, key_of(commit)); }
std::string told_key(std::uint64_t commit) { return key(0, Of::told, key_of(commit)); }
std::string told_part() { return key(0, Of::told, {}); }
std::string learned_part() { return key(0, Of::learned, {}); }
std::string arrivals_part(unsigned part) { return key(part << 28, Of::arrival, {}); }
std::string expiries_part(unsigned part) { return key(part << 28, Of::expiry, {}); }

std::string table_row(const TableKey& table_key, unsigned bits, std::size_t table,
                      const hamming::Fingerprint128& fingerprint) {
  // A segment gets as many bits as fit, since a shorter segment has the same neighbours and more.
  std::uint32_t segment = 0;
  unsigned taken = 0;
  for (const BitRange& range : table_key)
    for (unsigned bit = range.first; bit < range.end && taken < 32; ++bit, ++taken) {
      const unsigned at = bits - 1 - bit;
      const std::uint64_t word = at < 64 ? fingerprint.low : fingerprint.high;
      segment |= static_cast<std::uint32_t>(word >> (at % 64) & 1U) << (31 - taken);
    }
  return key(segment, static_cast<Of>(table), {});
}

std::string posting_row(Key posted) {
  constexpr unsigned kRestBits = kKeyBits - 32;
  return key(static_cast<std::uint32_t>(posted >> kRestBits), static_cast<Of>(0),
             key_of(static_cast<std::uint16_t>(posted)));
}

std::string fingerprint_bytes(const hamming::Fingerprint128& fingerprint, std::size_t width) {
  return (width == 16 ? key_of(fingerprint.high) : std::string()).append(key_of(fingerprint.low));
}
hamming::Fingerprint128 fingerprint_in(std::string_view bytes) {
  hamming::Fingerprint128 fingerprint;
  fingerprint.low = number_in_key(bytes.substr(bytes.size() - 8));
  fingerprint.high = bytes.size() == 16 ? number_in_key(bytes.substr(0, 8)) : 0;
  return fingerprint;
}

std::string end_of(std::string_view begin) {
  // Longer than any id.
  return std::string(begin).append(kMostIdBytes + 64, '\xff');
}

}  // namespace leitong::online
