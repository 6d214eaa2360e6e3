// The entry of a text in an index on HBase: the cell that decides. It changes only by checked puts, each from
// the value that was read.
//
//   pending --> settled --> leaving --> removed --> pending, ..
//
// pending: it is being added. Its `owner` settles it; `round` rises whenever another client makes it search
// again before that. leaving: it is visible until `successor` has taken its place.
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
#include "online/segment.hpp"
#include "online/stamp.hpp"
#include "online/succession.hpp"

namespace leitong::online {

struct HBaseText {
  enum class Stage : std::uint8_t { pending = 1, settled, leaving, removed };
  Stage stage = Stage::pending;
  std::uint64_t time = 0;   ///< of its name
  std::uint64_t owner = 0;  ///< the call that settles it or has removed it
  std::uint32_t round = 0;
  Verdict verdict = Verdict::fresh;  ///< at the time when it was settled
  std::uint8_t distance = 0;
  bool holds = false;               ///< it holds its content: others are copies of it
  bool stands = false;              ///< it represents its family: it is in the tables
  HBaseName first;                  ///< representative of its family at its arrival
  HBaseName successor;              ///< for a leaving text, if known: with its new time
  std::uint64_t successor_was = 0;  ///< earlier time of the successor
  std::uint32_t text_bytes = 0, packed_bytes = 0;
  Stamp stamp;
  Label label;

  // For an index that compares texts:
  /// It is near to the representative of its family, but not the same work: checks find it, too.
  bool other_work = false;
  TextRecord record;
  std::uint64_t text_hash = 0;  ///< of its bytes: tells whether two texts of one id are the same
  Measure measure = Measure::identical;
  float score = 1, jaccard = 1, containment = 1;  ///< of near texts
  std::vector<Key> posted;                        ///< keys under which it is found, or may be

  [[nodiscard]] HBaseName name() const { return {time, label.id}; }
  /// Do searches for near texts find it?
  [[nodiscard]] bool found() const noexcept { return place().found(); }
  [[nodiscard]] Place place() const noexcept { return {holds, stands, other_work}; }
  void set_place(const Place& place) noexcept {
    holds = place.holds;
    stands = place.stands;
    other_work = place.other_work;
  }
};

/// An entry as it was read; `bytes` is the value that a checked put expects. Empty if there is none.
struct HBaseKnown {
  HBaseText entry;
  std::string bytes;
  [[nodiscard]] bool exists() const noexcept {
    return !bytes.empty() && entry.stage != HBaseText::Stage::removed;
  }
  [[nodiscard]] bool is(HBaseText::Stage state) const noexcept {
    return !bytes.empty() && entry.stage == state;
  }
  [[nodiscard]] bool seen() const noexcept {
    return is(HBaseText::Stage::settled) || is(HBaseText::Stage::leaving);
  }
  [[nodiscard]] bool seen_as(const HBaseName& name) const noexcept {
    return seen() && entry.time == name.time;
  }
};

/// `width`: bytes of a fingerprint; 0 if texts are compared.
[[nodiscard]] std::string bytes_of_entry(const HBaseText& entry, std::size_t width);
/// False for bytes that are no entry.
[[nodiscard]] bool read_entry(std::string_view bytes, std::size_t width, HBaseText& entry);

}  // namespace leitong::online
