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

inline std::string link(TextNumber slot, TextNumber text) {
  std::string key = key_of(slot);
  append_key(text, key);
  return key;
}
inline std::string source_prefix(std::string_view source) {
  std::string key;
  append_key(static_cast<std::uint16_t>(source.size()), key);
  return key.append(source);
}
inline std::string source_key(std::string_view source, TextNumber text) {
  std::string key = source_prefix(source);
  append_key(text, key);
  return key;
}
// The inverted sign bit makes the order of the bytes that of the moments.
inline constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
inline std::string expiry_key(const Expiring& expiring) {
  std::string key;
  append_key(static_cast<std::uint64_t>(expiring.at) ^ kSign, key);
  append_key(expiring.text, key);
  return key;
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
  if (value.size() < sizeof entry.record || (value.size() - sizeof entry.record) % kKeyBytes != 0)
    return false;
  std::memcpy(&entry.record, value.data(), sizeof entry.record);
  for (value.remove_prefix(sizeof entry.record); !value.empty(); value.remove_prefix(kKeyBytes)) {
    Key key = 0;
    std::memcpy(&key, value.data(), kKeyBytes);
    entry.keys.push_back(key);
  }
  return true;
}

}  // namespace leitong::online::layout
