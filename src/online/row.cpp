#include "online/row.hpp"

#include <openssl/sha.h>

#include <bit>
#include <cstring>

#include "text/signs.hpp"

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
// A stamp: a byte of these bits, and the values that they announce.
constexpr std::uint8_t kHasFingerprint = 1, kHasDigest = 2;

void append(const Stamp& stamp, std::string& bytes) {
  bytes += static_cast<char>((stamp.fingerprint ? kHasFingerprint : 0) | (stamp.digest ? kHasDigest : 0));
  if (stamp.fingerprint) bytes.append(value_bytes(*stamp.fingerprint));
  if (stamp.digest) bytes.append(value_bytes(*stamp.digest));
}

bool take(std::string_view& bytes, Stamp& stamp) {
  std::uint8_t bits = 0;
  if (!take_value(bytes, bits)) return false;
  if ((bits & kHasFingerprint) != 0 && !take_value(bytes, stamp.fingerprint.emplace())) return false;
  return (bits & kHasDigest) == 0 || take_value(bytes, stamp.digest.emplace());
}

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
  return (bits & kStamped) == 0 || take(bytes, row.stamp.emplace());
}

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
  if (row.stamp) append(*row.stamp, bytes);
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
