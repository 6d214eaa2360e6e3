// Removes one text, those of a source, or those that expired.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"
#include "online/committer.hpp"
#include "online/home.hpp"
#include "online/index_core.hpp"
#include "online/sources.hpp"

namespace leitong::online {

class Removing {
 public:
  Removing(IndexCore& core, Committer& committer, Sources& sources)
      : core_(core), committer_(committer), sources_(sources) {}

  /// As Home::remove().
  Result<std::uint64_t> remove(const Which& which, ExpectedVersion expected);

 private:
  Result<std::uint64_t> remove_id(std::string_view id, ExpectedVersion expected);

  // The following REQUIRE the turn.
  /// Notes a removal for followers, in the change and the delta.
  void note_removal(std::string_view id, Change& change, Delta& delta) const;
  /// False if there is no such text any more.
  Result<bool> remove_text(TextNumber number);
  /// Gives the place of a text that represents its content to its successor, if there is one.
  Result<void> hand_over(TextNumber number, const Row& row, CheckScratch& scratch, Change& change,
                         Delta& delta, std::vector<TextNumber>& removed);

  IndexCore& core_;
  Committer& committer_;
  Sources& sources_;
};

}  // namespace leitong::online
