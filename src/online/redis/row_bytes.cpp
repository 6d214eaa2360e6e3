#include "online/redis/row_bytes.hpp"

#include "base/pair.hpp"
#include "online/label_bytes.hpp"

namespace leitong::online {
namespace {

// Bits of the second byte, if the first byte is 0.
constexpr std::uint8_t kRowOfOtherWork = 1, kRowUnchecked = 2;

bool take_row_stamp(std::string_view bytes, std::size_t width, Row& row) {
  std::string_view whole = bytes;
  std::uint8_t bits = 0;
  row.stamp.reset();
  row.other_work = row.unchecked = false;
  row.measure = Measure::identical;
  row.score = row.jaccard = row.containment = 1;
  if (!take_value(bytes, bits)) return false;
  if (bits == 0 && !bytes.empty()) {
    std::uint8_t flags = 0, measure = 0;
    TextRecord record;
    if (!take_value(bytes, flags) || !take_value(bytes, measure) || !is_online_measure(measure) ||
        !take_value(bytes, row.score) || !take_value(bytes, row.jaccard) ||
        !take_value(bytes, row.containment) || !take_value(bytes, record))
      return false;
    row.measure = static_cast<Measure>(measure);
    row.other_work = (flags & kRowOfOtherWork) != 0;
    row.unchecked = (flags & kRowUnchecked) != 0;
    return bytes.empty();
  }
  return take_stamp(whole, width, row.stamp.emplace()) && whole.empty();
}

}  // namespace

std::string stamp_bytes(const Row& row, const TextRecord& record) {
  std::string bytes(1, '\0');
  bytes += static_cast<char>((row.other_work ? kRowOfOtherWork : 0) | (row.unchecked ? kRowUnchecked : 0));
  bytes += static_cast<char>(row.measure);
  for (const float figure : {row.score, row.jaccard, row.containment}) bytes.append(value_bytes(figure));
  return bytes.append(value_bytes(record));
}

bool unpack_redis_row(std::string_view bytes, std::size_t width, Row& row) {
  constexpr std::size_t kSlot = sizeof(TextNumber);
  if (bytes.size() < 2 * kSlot) return false;
  row.family = static_cast<TextNumber>(number_in_key(bytes.substr(0, kSlot)));
  row.content = static_cast<TextNumber>(number_in_key(bytes.substr(kSlot, kSlot)));
  bytes.remove_prefix(2 * kSlot);
  std::uint8_t verdict = 0, distance = 0, stamp_size = 0;
  if (!take_value(bytes, verdict) || !take_value(bytes, distance) || !take_value(bytes, stamp_size) ||
      verdict > 2 || bytes.size() < stamp_size || !take_row_stamp(bytes.substr(0, stamp_size), width, row))
    return false;
  bytes.remove_prefix(stamp_size);
  row.verdict = static_cast<Verdict>(verdict);
  Label label;
  if (!take_label(bytes, label) || !take_value(bytes, row.text_bytes) || row.text_bytes > kMostTextBytes)
    return false;
  row.id = std::move(label.id);
  row.source = std::move(label.source);
  row.time = label.time;
  row.expires = label.expires;
  row.packed.assign(bytes);
  return true;
}

std::string redis_row(const Row& row, const TextRecord& record) {
  const std::string stamp = stamp_bytes(row, record);
  std::string bytes(1, static_cast<char>(row.verdict));
  bytes += '\0';  // the distance of fingerprints
  bytes += static_cast<char>(stamp.size());
  return bytes.append(stamp).append(
      rest_bytes(row.id, row.source, row.time, row.expires, row.text_bytes, row.packed));
}

}  // namespace leitong::online
