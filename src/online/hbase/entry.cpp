#include "online/hbase/entry.hpp"

#include "online/bytes.hpp"
#include "online/row.hpp"

namespace leitong::online {
namespace {

constexpr std::uint8_t kHolds = 1, kStands = 2, kHasSuccessor = 4, kOtherWork = 8;
constexpr std::size_t kKeyBytes = kKeyBits / 8;

bool take_name(std::string_view& bytes, HBaseName& name) {
  std::string text;
  return take_text(bytes, text) && read_name(text, name) && name.id.size() <= kMostIdBytes;
}

// The further fields of an index that compares texts.
void append_compared(const HBaseText& entry, std::string& bytes) {
  bytes.append(value_bytes(entry.record)).append(value_bytes(entry.text_hash));
  bytes += static_cast<char>(entry.measure);
  for (const float figure : {entry.score, entry.jaccard, entry.containment})
    bytes.append(value_bytes(figure));
  bytes.append(value_bytes(static_cast<std::uint16_t>(entry.posted.size())));
  for (const Key key : entry.posted) bytes.append(value_bytes(key).substr(0, kKeyBytes));
}
bool take_compared(std::string_view& bytes, HBaseText& entry) {
  std::uint8_t measure = 0;
  std::uint16_t posted = 0;
  if (!take_value(bytes, entry.record) || !take_value(bytes, entry.text_hash) ||
      !take_value(bytes, measure) || !is_online_measure(measure) || !take_value(bytes, entry.score) ||
      !take_value(bytes, entry.jaccard) || !take_value(bytes, entry.containment) ||
      !take_value(bytes, posted) || bytes.size() < posted * kKeyBytes)
    return false;
  entry.measure = static_cast<Measure>(measure);
  for (; posted > 0; --posted, bytes.remove_prefix(kKeyBytes))
    __builtin_memcpy(&entry.posted.emplace_back(0), bytes.data(), kKeyBytes);
  return true;
}

}  // namespace

std::string bytes_of_entry(const HBaseText& entry, std::size_t width) {
  std::string bytes(1, static_cast<char>(entry.stage));
  append_key(entry.time, bytes);
  bytes.append(value_bytes(entry.owner)).append(value_bytes(entry.round));
  bytes += static_cast<char>(entry.verdict);
  bytes += static_cast<char>(entry.distance);
  const bool has_successor = !entry.successor.id.empty();
  bytes += static_cast<char>((entry.holds ? kHolds : 0) | (entry.stands ? kStands : 0) |
                             (has_successor ? kHasSuccessor : 0) | (entry.other_work ? kOtherWork : 0));
  append_text(bytes_of_name(entry.first), bytes);
  if (has_successor) {
    append_text(bytes_of_name(entry.successor), bytes);
    bytes.append(value_bytes(entry.successor_was));
  }
  bytes.append(value_bytes(entry.text_bytes)).append(value_bytes(entry.packed_bytes));
  if (width == 0) append_compared(entry, bytes);
  append_text(stamp_bytes(entry.stamp, width), bytes);
  append_text(label_bytes(entry.label.id, entry.label.source, entry.label.time, entry.label.expires), bytes);
  return bytes;
}

bool read_entry(std::string_view bytes, std::size_t width, HBaseText& entry) {
  std::uint8_t state = 0, verdict = 0, flags = 0;
  std::string stamp;
  entry = {};
  if (!take_value(bytes, state) || state < 1 || state > 4 || bytes.size() < sizeof entry.time) return false;
  entry.stage = static_cast<HBaseText::Stage>(state);
  entry.time = number_in_key(bytes.substr(0, sizeof entry.time));
  bytes.remove_prefix(sizeof entry.time);
  if (!take_value(bytes, entry.owner) || !take_value(bytes, entry.round) || !take_value(bytes, verdict) ||
      verdict > 2 || !take_value(bytes, entry.distance) || !take_value(bytes, flags) ||
      flags > (kHolds | kStands | kHasSuccessor | kOtherWork) || !take_name(bytes, entry.first))
    return false;
  entry.verdict = static_cast<Verdict>(verdict);
  entry.holds = (flags & kHolds) != 0;
  entry.stands = (flags & kStands) != 0;
  entry.other_work = (flags & kOtherWork) != 0;
  if ((flags & kHasSuccessor) != 0 &&
      (!take_name(bytes, entry.successor) || !take_value(bytes, entry.successor_was)))
    return false;
  return take_value(bytes, entry.text_bytes) && take_value(bytes, entry.packed_bytes) &&
         entry.text_bytes <= kMostTextBytes && entry.packed_bytes <= kMostTextBytes &&
         (width != 0 || take_compared(bytes, entry)) && take_text(bytes, stamp) &&
         take_stamp(stamp, width, entry.stamp) && take_label(bytes, entry.label) && !entry.label.id.empty() &&
         entry.label.id.size() <= kMostIdBytes && bytes.empty();
}

}  // namespace leitong::online
