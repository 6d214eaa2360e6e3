#include "online/hbase/entry.hpp"

#include "online/bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::uint8_t kHolds = 1, kStands = 2, kIsOtherWork = 4;
constexpr std::size_t kKeyBytes = kKeyBits / 8;

bool take_name(std::string_view& bytes, HBaseName& name) {
  std::string text;
  return take_text(bytes, text) && read_name(text, name) && name.id.size() <= kMostIdBytes;
}

// The further fields of an index that compares texts.
void append_compared(const HBaseText& entry, std::string& bytes) {
  bytes.append(value_bytes(entry.record));
  bytes += static_cast<char>(entry.measure);
  for (const float figure : {entry.score, entry.jaccard, entry.containment})
    bytes.append(value_bytes(figure));
  bytes.append(value_bytes(static_cast<std::uint16_t>(entry.posted.size())));
  for (const Key key : entry.posted) bytes.append(value_bytes(key).substr(0, kKeyBytes));
}
bool take_compared(std::string_view& bytes, HBaseText& entry) {
  std::uint8_t measure = 0;
  std::uint16_t posted = 0;
  if (!take_value(bytes, entry.record) || !take_value(bytes, measure) || !is_online_measure(measure) ||
      !take_value(bytes, entry.score) || !take_value(bytes, entry.jaccard) ||
      !take_value(bytes, entry.containment) || !take_value(bytes, posted) ||
      bytes.size() < posted * kKeyBytes)
    return false;
  entry.measure = static_cast<Measure>(measure);
  for (; posted > 0; --posted, bytes.remove_prefix(kKeyBytes))
    __builtin_memcpy(&entry.posted.emplace_back(0), bytes.data(), kKeyBytes);
  return true;
}

}  // namespace

Row HBaseText::row() const {
  Row row;
  row.verdict = verdict;
  row.text_bytes = text_bytes;
  row.id = label.id;
  row.source = label.source;
  row.time = label.time;
  row.expires = label.expires;
  return row;
}

std::string bytes_of_entry(const HBaseText& entry, std::size_t width) {
  std::string bytes = key_of(entry.number);
  bytes += static_cast<char>(entry.verdict);
  bytes += static_cast<char>((entry.holds ? kHolds : 0) | (entry.stands ? kStands : 0) |
                             (entry.other_work ? kIsOtherWork : 0));
  append_text(bytes_of_name(entry.first), bytes);
  bytes.append(value_bytes(entry.text_bytes)).append(value_bytes(entry.packed_bytes));
  bytes.append(value_bytes(entry.text_hash));
  if (width == 0) append_compared(entry, bytes);
  append_text(stamp_bytes(entry.stamp, width), bytes);
  append_text(label_bytes(entry.label.id, entry.label.source, entry.label.time, entry.label.expires), bytes);
  return bytes;
}

bool read_entry(std::string_view bytes, std::size_t width, HBaseText& entry) {
  std::uint8_t verdict = 0, flags = 0;
  std::string stamp;
  entry = {};
  if (bytes.size() < sizeof entry.number) return false;
  entry.number = number_in_key(bytes.substr(0, sizeof entry.number));
  bytes.remove_prefix(sizeof entry.number);
  if (!take_value(bytes, verdict) || verdict > 2 || !take_value(bytes, flags) ||
      flags > (kHolds | kStands | kIsOtherWork) || !take_name(bytes, entry.first))
    return false;
  entry.verdict = static_cast<Verdict>(verdict);
  entry.holds = (flags & kHolds) != 0;
  entry.stands = (flags & kStands) != 0;
  entry.other_work = (flags & kIsOtherWork) != 0;
  const auto is_stamp = [&](std::string_view all) {
    return take_stamp(all, width, entry.stamp) && all.empty();
  };
  return take_value(bytes, entry.text_bytes) && take_value(bytes, entry.packed_bytes) &&
         entry.text_bytes <= kMostTextBytes && entry.packed_bytes <= kMostTextBytes &&
         take_value(bytes, entry.text_hash) && (width != 0 || take_compared(bytes, entry)) &&
         take_text(bytes, stamp) && is_stamp(stamp) && take_label(bytes, entry.label) &&
         !entry.label.id.empty() && entry.label.id.size() <= kMostIdBytes && bytes.empty();
}

}  // namespace leitong::online
