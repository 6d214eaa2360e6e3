// What an index on HBase knows of a text beside its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "leitong/online.hpp"
#include "online/hbase/keys.hpp"
#include "online/label_bytes.hpp"
#include "online/row.hpp"
#include "online/segment.hpp"
#include "online/stamp.hpp"
#include "online/succession.hpp"

namespace leitong::online {

struct HBaseText {
  std::uint64_t number = 0;          ///< the number in its name
  Verdict verdict = Verdict::fresh;  ///< the verdict when it was added
  bool holds = false;   ///< it represents its content: texts with the same content are its copies
  bool stands = false;  ///< it represents its family: it is in the tables
  HBaseName first;      ///< representative of its family at its arrival
  std::uint32_t text_bytes = 0, packed_bytes = 0;
  std::uint64_t text_hash = 0;  ///< hash of its bytes, which tells whether two texts with one id are the same
  Stamp stamp;
  Label label;

  // For an index that compares texts:
  /// It is near to the representative of its family, but not the same work, so checks find it, too.
  bool other_work = false;
  TextRecord record;
  Measure measure = Measure::identical;
  float score = 1, jaccard = 1, containment = 1;  ///< figures of near texts
  std::vector<Key> posted;                        ///< keys under which it is found

  /// Its row in an excerpt, without slots, stamp and text.
  [[nodiscard]] Row row() const;
  [[nodiscard]] HBaseName name() const { return {number, label.id}; }
  /// Do searches for near texts find it?
  [[nodiscard]] bool found() const noexcept { return place().found(); }
  [[nodiscard]] Place place() const noexcept { return {holds, stands, other_work}; }
  void set_place(const Place& place) noexcept {
    holds = place.holds;
    stands = place.stands;
    other_work = place.other_work;
  }
};

/// Does the text exist under this name?
[[nodiscard]] inline bool is_named(const std::optional<HBaseText>& text, const HBaseName& name) {
  return text && text->name() == name;
}

/// `width`: bytes of a fingerprint; 0 if texts are compared.
[[nodiscard]] std::string bytes_of_entry(const HBaseText& entry, std::size_t width);
/// False for bytes that are no entry.
[[nodiscard]] bool read_entry(std::string_view bytes, std::size_t width, HBaseText& entry);

}  // namespace leitong::online
