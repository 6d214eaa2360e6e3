// What the store keeps of a text, and its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/pair.hpp"
#include "leitong/online.hpp"
#include "online/bytes.hpp"
#include "online/posting_table.hpp"
#include "online/stamp.hpp"

namespace leitong::online {

/// A text's row. `family` and `content` are seats: numbers of the texts that held them first. Who holds a
/// seat now is Store::holder().
struct Row {
  TextNumber family = 0;   ///< seat of the text that stands for this one
  TextNumber content = 0;  ///< seat of the first text with this content
  Verdict verdict = Verdict::fresh;
  Measure measure = Measure::identical;
  float score = 1, jaccard = 1, containment = 1;
  std::uint32_t text_bytes = 0;  ///< of the text before compression
  std::string id;
  std::string source;
  std::optional<Seconds> time, expires;
  std::optional<Stamp> stamp;  ///< of an index of fingerprints
  bool unchecked = false;      ///< nobody looked for near ones when it came
  /// It is near to the text that stands for it, but not the same work: others may be like it alone, so that
  /// its keys are posted.
  bool other_work = false;
  std::string packed;  ///< the compressed text; empty where none is kept
};

/// Is this number a measure by which a text of an index can be similar? What was read from a store is asked.
[[nodiscard]] constexpr bool is_online_measure(std::uint8_t measure) noexcept {
  return measure <= static_cast<std::uint8_t>(Measure::rare_text) ||
         measure == static_cast<std::uint8_t>(Measure::copy);
}

/// Its bytes in two parts, so that a long text isn't copied: what is in front of the compressed text, and
/// that.
[[nodiscard]] std::string row_head(const Row& row);
/// False for bytes that aren't a row's.
[[nodiscard]] bool unpack_row(std::string_view bytes, Row& row);

}  // namespace leitong::online
