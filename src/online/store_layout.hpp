// The layout of the store: the column families of its RocksDB, and the bytes of keys and values.
#pragma once

#include <rocksdb/slice.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "online/row.hpp"
#include "online/store.hpp"

namespace leitong::online::layout {

enum Family : unsigned {
  kMeta,
  kTexts,
  kIds,
  kMembers,
  kCopies,
  kRepresentatives,
  kLog,
  kRemoved,
  kFullLists,
  kSources,
  kExpiry,
  kTemplates,
  kRemovals,
  kFamilies
};
inline constexpr std::array<const char*, kFamilies> kFamilyNames = {
    "default", "texts", "ids",     "members", "copies",    "holders", "log",
    "removed", "full",  "sources", "expiry",  "templates", "removals"};
inline constexpr std::string_view kFormatKey = "format", kSchemeKey = "scheme", kCountsKey = "counts",
                                  kGivenKey = "given", kDictionariesKey = "dictionaries",
                                  kDistanceKey = "distance", kTextsKey = "texts", kSegmentsKey = "segments",
                                  kCommittingKey = "committing", kHistoryKey = "history",
                                  kSecretKey = "secret", kOpenPrefix = "open:";
inline constexpr std::string_view kFormat = "leitong online index 3",
                                  kUnfinished = "leitong online index, being made";

inline std::string link(TextNumber slot, TextNumber text) { return key_of(slot).append(key_of(text)); }
inline std::string source_prefix(std::string_view source) {
  return key_of(static_cast<std::uint16_t>(source.size())).append(source);
}
inline std::string source_key(std::string_view source, TextNumber text) {
  return source_prefix(source).append(key_of(text));
}
// The inverted sign bit makes the order of the bytes that of the moments.
inline constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
inline std::string expiry_key(const Expiring& expiring) {
  return key_of(static_cast<std::uint64_t>(expiring.at) ^ kSign).append(key_of(expiring.text));
}
inline rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

inline constexpr std::size_t kKeyBytes = kKeyBits / 8;

inline std::string packed(const LogEntry& entry) {
  std::string value(value_bytes(entry.record));
  for (const Key key : entry.keys) value.append(value_bytes(key).substr(0, kKeyBytes));
  return value;
}

inline bool unpack(std::string_view value, LogEntry& entry) {
  if (!take_value(value, entry.record) || value.size() % kKeyBytes != 0) return false;
  for (; !value.empty(); value.remove_prefix(kKeyBytes))
    std::memcpy(&entry.keys.emplace_back(0), value.data(), kKeyBytes);
  return true;
}

}  // namespace leitong::online::layout
