// A text on its way into an index on HBase, and what is known of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leitong/online.hpp"
#include "online/check_text.hpp"
#include "online/hbase/entry.hpp"

namespace leitong::online {

/// What becomes of a text, by what it found.
struct HBaseOutlook {
  /// Pending ones that come first: it waits until it is known what they are.
  std::vector<HBaseKnown> before;
  /// Pending ones that come later. Before it becomes new it is made sure that they look again.
  std::vector<HBaseKnown> after;
  std::vector<HBaseKnown> leaving;  ///< these are to be gone first
  std::optional<HBaseKnown> match;  ///< of a text that is near
  HBaseText entry;                  ///< as it is to be settled
  Answer answer;
};

/// A text within the distance, by what the tables of fingerprints say.
struct HBaseNear {
  HBaseName name;
  unsigned distance = 0;
};

struct HBaseArriving {
  enum class Step : std::uint8_t {
    begin,    ///< its id is looked at
    content,  ///< whose copy is it?
    tables,   ///< who is near?
    done,
  };
  Step step = Step::begin;
  CheckedText* text = nullptr;  ///< null: another client's, which is settled for it
  Answer* answer = nullptr;
  std::string id;
  HBaseKnown known;  ///< as it was read or written last; of the batch's owner from `content` on
  bool posted = false, ours = false;
  bool looked = false;  ///< what it found counts
  bool near_wanted = true;
  HBaseOutlook outlook;

  // Of an index of fingerprints:
  std::vector<HBaseNear> near;  ///< by name
  bool bounded = false;

  // Of an index that compares texts:
  /// Another client's text, read back.
  struct ReadBack {
    std::string bytes;
    CheckedText text;
  };
  std::unique_ptr<ReadBack> read_back;
  [[nodiscard]] CheckedText& checked() const { return text != nullptr ? *text : read_back->text; }
};

}  // namespace leitong::online
