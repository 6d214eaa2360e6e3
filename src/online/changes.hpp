// What followers are told, whatever the home of the index is. Texts are numbered as they come, so that rows
// tell what came; of what left there is a list. A cursor is how far a follower has got in both.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/store.hpp"
#include "online/text_codec.hpp"

namespace leitong::online {

// Bytes of texts that come at once.
inline constexpr std::size_t kMostChangedBytes = std::size_t{8} << 20;

Result<void> check_wanted(const ChangesWanted& wanted);
/// What a follower has seen whose cursor is `since`, of an index of this history that got as far as `end`.
Result<Extent> seen_by(std::string_view since, std::uint64_t history, const Extent& end);
[[nodiscard]] std::string cursor_of(std::uint64_t history, const Extent& seen);
[[nodiscard]] tl::unexpected<Error> are_forgotten();

/// Puts texts and removals in their order. Of the texts none is missing before `texts_end`; stored(text)
/// makes a Stored of one. Moves `seen` behind what is told.
template <class Text, class StoredOf>
Result<std::vector<Changes::One>> in_order(std::span<std::pair<TextNumber, Text>> texts, TextNumber texts_end,
                                           std::span<Removal> removals, std::uint32_t limit, Extent& seen,
                                           StoredOf stored_of) {
  std::vector<Changes::One> changes;
  auto text = texts.begin();
  auto removal = removals.begin();
  while (changes.size() < limit) {
    const TextNumber next = text == texts.end() ? texts_end : text->first;
    if (removal != removals.end() && removal->texts <= next) {
      changes.push_back({.removed = true, .stored = {.id = std::move(removal->id), .text = {}}});
      ++removal;
    } else if (text != texts.end()) {
      LEITONG_ASSIGN(Stored stored, stored_of(*text));
      changes.push_back({.removed = false, .stored = std::move(stored)});
      ++text;
    } else {
      break;
    }
  }
  seen.texts = text == texts.end() ? texts_end : text->first;
  seen.removals += static_cast<std::uint64_t>(removal - removals.begin());
  return changes;
}

/// The text of a store's row, and who stands for it.
Result<Stored> stored_of(const Store& store, TextNumber number, const Row& row, const Moment& moment,
                         TextCodec& codec);
/// What a store tells that got as far as `end`.
Result<Changes> changes_of(const Store& store, std::uint64_t history, const Extent& end, const Moment& moment,
                           std::string_view since, const ChangesWanted& wanted, TextCodec& codec);

}  // namespace leitong::online
