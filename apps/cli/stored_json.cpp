#include "stored_json.hpp"

#include <fmt/core.h>

namespace leitong::cli {
namespace {

/// 16 hexadecimal digits, or 32.
std::string hexadecimal(const hamming::Fingerprint128& fingerprint) {
  return fingerprint.high == 0 ? fmt::format("{:016x}", fingerprint.low)
                               : fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

}  // namespace

nlohmann::ordered_json stored_json(const online::Stored& stored) {
  nlohmann::ordered_json json = {{"id", stored.id}, {"verdict", online::verdict_name(stored.verdict)}};
  if (stored.family) json["family"] = *stored.family;
  if (!stored.source.empty()) json["source"] = stored.source;
  if (stored.time) json["time"] = *stored.time;
  if (stored.expires) json["expires"] = *stored.expires;
  if (stored.fingerprint) json["fingerprint"] = hexadecimal(*stored.fingerprint);
  return json;
}

}  // namespace leitong::cli
