// What an index keeps of a text: its row, the bytes of the row in a store, and the interface that reads rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/pair.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/bytes.hpp"
#include "online/posting_table.hpp"
#include "online/stamp.hpp"

namespace leitong::online {

/// The row of a text. `family` and `content` are slots: the numbers of the texts that had them first.
/// Store::representative() returns the present representative of a slot.
struct Row {
  TextNumber family = 0;             ///< slot of its family's representative
  TextNumber content = 0;            ///< slot of the first text with this content
  Verdict verdict = Verdict::fresh;  ///< `parts` for a text that represents itself like a new one
  Measure measure = Measure::identical;
  float score = 1, jaccard = 1, containment = 1;
  std::uint32_t text_bytes = 0;  ///< size of the text before compression
  std::string id;
  std::string source;
  std::optional<Seconds> time, expires;
  std::optional<Stamp> stamp;  ///< for an index of fingerprints
  bool unchecked = false;      ///< it was added without a search for near texts
  /// The text is near to its representative, but not the same work. Other texts may be similar only to this
  /// text, so its keys are posted.
  bool other_work = false;
  std::string packed;  ///< the compressed text; empty if texts are not kept
};

/// Is this number a measure by which texts of an index can be similar? Checks what was read from a store.
[[nodiscard]] constexpr bool is_online_measure(std::uint8_t measure) noexcept {
  return measure <= static_cast<std::uint8_t>(Measure::rare_text) ||
         measure == static_cast<std::uint8_t>(Measure::copy);
}

/// The bytes of a row up to the compressed text, so that a long text need not be copied.
[[nodiscard]] std::string row_head(const Row& row);
/// False for bytes that are no row.
[[nodiscard]] bool unpack_row(std::string_view bytes, Row& row);

/// Reads the rows of an index, wherever they are kept.
class Rows {
 public:
  Rows() = default;
  virtual ~Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// False if there is no such text.
  [[nodiscard]] virtual Result<bool> read(TextNumber text, Row& row) const = 0;
  [[nodiscard]] virtual Result<std::optional<TextNumber>> find(std::string_view id) const = 0;
  /// The present representative of a slot (Row::family, Row::content).
  [[nodiscard]] virtual Result<TextNumber> representative(TextNumber slot) const = 0;
};

}  // namespace leitong::online
