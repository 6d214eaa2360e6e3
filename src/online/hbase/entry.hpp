// What an index on HBase knows of a text: the cell that decides. It changes by checked puts alone, each from
// the value that was read.
//
//   pending --> settled --> leaving --> removed --> pending, ..
//
// pending: it is on its way. Its `owner` is to settle it; `round` rises whenever another one makes sure that
// it looks again before it does. leaving: it is still seen, until `heir` has its place.
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

namespace leitong::online {

struct HBaseText {
  enum class Stage : std::uint8_t { pending = 1, settled, leaving, removed };
  Stage stage = Stage::pending;
  std::uint64_t time = 0;   ///< of its name
  std::uint64_t owner = 0;  ///< of a call that settles it, or has removed it
  std::uint32_t round = 0;
  Verdict verdict = Verdict::fresh;  ///< when it was settled
  std::uint8_t distance = 0;
  bool holds = false;          ///< its content: others are copies of it
  bool stands = false;         ///< for its family: it is in the tables
  HBaseName first;             ///< of its family, when it came
  HBaseName heir;              ///< of a leaving one, if it is known: by its new time
  std::uint64_t heir_was = 0;  ///< the heir's time before
  std::uint32_t text_bytes = 0, packed_bytes = 0;
  Stamp stamp;
  Label label;

  // Of an index that compares texts:
  /// It is near to the text that stands for it, but not the same work: it is found, too.
  bool other_work = false;
  TextRecord record;            ///< of a text
  std::uint64_t text_hash = 0;  ///< of its bytes: two texts of one id are the same, or aren't
  Measure measure = Measure::identical;
  float score = 1, jaccard = 1, containment = 1;  ///< of near ones
  std::vector<Key> posted;                        ///< keys under which it is, or may be, found

  [[nodiscard]] HBaseName name() const { return {time, label.id}; }
  /// Do others that look for near ones find it?
  [[nodiscard]] bool found() const noexcept { return stands || other_work; }
};

/// An entry as it was read; `bytes` are those that a checked put names. Empty where there is none.
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

/// `width`: bytes of a fingerprint; 0 where texts are compared.
[[nodiscard]] std::string bytes_of_entry(const HBaseText& entry, std::size_t width);
/// False for bytes that are none.
[[nodiscard]] bool read_entry(std::string_view bytes, std::size_t width, HBaseText& entry);

}  // namespace leitong::online
