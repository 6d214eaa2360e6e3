#include "online/row.hpp"

#include <bit>

namespace leitong::online {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they are");

struct RowHeader {
  std::uint32_t family, content;
  float score, jaccard, containment;
  std::uint32_t text_bytes;
  std::uint16_t id_bytes;
  std::uint8_t verdict;  // combined with the bits below
  std::uint8_t measure;
};
static_assert(sizeof(RowHeader) == 28);
// After the id, in this order: the source (after its length, u16), the date, the expiry, the stamp.
// Of the verdict bits 3 is Verdict::parts, since no refused text is stored.
constexpr std::uint8_t kVerdictBits = 3, kStamped = 4, kOtherWork = 8, kUnchecked = 16, kHasSource = 32,
                       kHasTime = 64, kExpires = 128;

bool take_details(std::uint8_t bits, std::string_view& bytes, Row& row) {
  row.unchecked = (bits & kUnchecked) != 0;
  row.other_work = (bits & kOtherWork) != 0;
  row.source.clear();
  row.time.reset();
  row.expires.reset();
  row.stamp.reset();
  if ((bits & kHasSource) != 0 && !take_text(bytes, row.source)) return false;
  if ((bits & kHasTime) != 0 && !take_value(bytes, row.time.emplace())) return false;
  if ((bits & kExpires) != 0 && !take_value(bytes, row.expires.emplace())) return false;
  return (bits & kStamped) == 0 || take_stamp(bytes, sizeof(hamming::Fingerprint128), row.stamp.emplace());
}

}  // namespace

std::string row_head(const Row& row) {
  const RowHeader header{
      row.family,
      row.content,
      row.score,
      row.jaccard,
      row.containment,
      row.text_bytes,
      static_cast<std::uint16_t>(row.id.size()),
      static_cast<std::uint8_t>(
          (row.verdict == Verdict::parts ? kVerdictBits : static_cast<unsigned>(row.verdict)) |
          (row.stamp ? kStamped : 0) | (row.unchecked ? kUnchecked : 0) | (row.other_work ? kOtherWork : 0) |
          (row.source.empty() ? 0 : kHasSource) | (row.time ? kHasTime : 0) | (row.expires ? kExpires : 0)),
      static_cast<std::uint8_t>(row.measure)};
  std::string bytes(value_bytes(header));
  bytes.append(row.id);
  if (!row.source.empty()) append_text(row.source, bytes);
  if (row.time) bytes.append(value_bytes(*row.time));
  if (row.expires) bytes.append(value_bytes(*row.expires));
  if (row.stamp) bytes.append(stamp_bytes(*row.stamp, sizeof(hamming::Fingerprint128)));
  return bytes;
}

bool unpack_row(std::string_view bytes, Row& row) {
  RowHeader header{};
  if (!take_value(bytes, header) || bytes.size() < header.id_bytes || !is_online_measure(header.measure))
    return false;
  row.family = header.family;
  row.content = header.content;
  const unsigned verdict = header.verdict & kVerdictBits;
  row.verdict = verdict == kVerdictBits ? Verdict::parts : static_cast<Verdict>(verdict);
  row.measure = static_cast<Measure>(header.measure);
  row.score = header.score;
  row.jaccard = header.jaccard;
  row.containment = header.containment;
  row.text_bytes = header.text_bytes;
  row.id.assign(bytes.substr(0, header.id_bytes));
  bytes.remove_prefix(header.id_bytes);
  if (!take_details(header.verdict, bytes, row)) return false;
  row.packed.assign(bytes);
  return true;
}

}  // namespace leitong::online
