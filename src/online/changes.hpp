// What followers of any kind of index receive. Texts are numbered as they arrive, so the rows are the list of
// additions. Removals have a list of their own. A cursor is a position in both.
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

// The most bytes of texts in one answer.
inline constexpr std::size_t kMostChangedBytes = std::size_t{8} << 20;

Result<void> check_wanted(const ChangesWanted& wanted);

/// What a follower has seen, and the history of the index that it followed.
struct Cursor {
  std::uint64_t history = 0;
  Extent seen;
};
/// Fails with invalid_argument.
Result<Cursor> parse_cursor(std::string_view text);
/// The position of a follower's cursor `since` in an index of this history whose end is `end`.
Result<Extent> seen_by(std::string_view since, std::uint64_t history, const Extent& end);
[[nodiscard]] std::string cursor_of(std::uint64_t history, const Extent& seen);
[[nodiscard]] tl::unexpected<Error> are_forgotten();
[[nodiscard]] tl::unexpected<Error> is_of_another_index();

/// Merges texts and removals into their order. No text before `texts_end` is missing. stored(text) returns a
/// Stored. Moves `seen` past what is returned.
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

/// The text of a store's row, with the representative of its family.
Result<Stored> stored_of(const Store& store, TextNumber number, const Row& row, const Moment& moment,
                         TextCodec& codec);
/// The changes of a store up to `end`.
Result<Changes> changes_of(const Store& store, std::uint64_t history, const Extent& end, const Moment& moment,
                           std::string_view since, const ChangesWanted& wanted, TextCodec& codec);

}  // namespace leitong::online
