// A text that is being added to an index on HBase, and what is known of it.
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

/// The outcome for a text, by what its search found.
struct HBaseOutlook {
  /// Pending texts that come first: it waits for their outcome.
  std::vector<HBaseKnown> before;
  /// Pending texts that come later. Before it becomes new, it makes them search again.
  std::vector<HBaseKnown> after;
  std::vector<HBaseKnown> leaving;  ///< these have to be removed first
  std::optional<HBaseKnown> match;  ///< of a near text
  HBaseText entry;                  ///< the entry that is to be written
  Answer answer;
};

/// A text within the distance, by the tables of fingerprints.
struct HBaseNear {
  HBaseName name;
  unsigned distance = 0;
};

struct HBaseArriving {
  enum class Step : std::uint8_t {
    begin,    ///< look up its id
    content,  ///< look up whose copy it is
    tables,   ///< look up near texts
    done,
  };
  Step step = Step::begin;
  CheckedText* text = nullptr;  ///< null: a text of another client, which this one settles
  Answer* answer = nullptr;
  std::string id;
  HBaseKnown known;  ///< as it was last read or written; from `content` on this batch is its owner
  bool posted = false, ours = false;
  bool looked = false;  ///< the result of its search is valid
  bool near_wanted = true;
  HBaseOutlook outlook;

  // For an index of fingerprints:
  std::vector<HBaseNear> near;  ///< by name
  bool bounded = false;

  // For an index that compares texts:
  /// A text of another client, read back.
  struct ReadBack {
    std::string bytes;
    CheckedText text;
  };
  std::unique_ptr<ReadBack> read_back;
  [[nodiscard]] CheckedText& checked() const { return text != nullptr ? *text : read_back->text; }
};

}  // namespace leitong::online
