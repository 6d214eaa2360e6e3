// What came and left, for followers. Texts are numbered as they come, so that rows tell what came; of what
// left the store has a list. A cursor is how far a follower has got in both.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/try.hpp"
#include "online/online_index.hpp"

namespace leitong::online {
namespace {

// Bytes of texts that come at once.
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

std::string cursor_of(std::uint64_t history, const Extent& seen) {
  return fmt::format("{:x}.{}.{}", history, seen.texts, seen.removals);
}

struct Cursor {
  std::uint64_t history = 0;
  Extent seen;
};

Result<Cursor> parse_cursor(std::string_view text) {
  Cursor cursor;
  const auto take_number = [&](auto& number, int base, char end) {
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (end == 0) return text.empty();
    if (!text.starts_with(end)) return false;
    text.remove_prefix(1);
    return true;
  };
  if (take_number(cursor.history, 16, '.') && take_number(cursor.seen.texts, 10, '.') &&
      take_number(cursor.seen.removals, 10, 0))
    return cursor;
  return fail(ErrorCode::invalid_argument,
              "this is no cursor; give one that came with changes, or none to begin");
}

}  // namespace

tl::unexpected<Error> OnlineIndex::is_not_at(std::uint64_t expected, std::uint64_t version) const {
  return fail(ErrorCode::conflict, fmt::format("the index is of version {}, not of version {} any more; look "
                                               "again, and decide anew",
                                               version, expected));
}

Result<Changes> OnlineIndex::changes(std::string_view since, const ChangesWanted& wanted) {
  if (wanted.limit < 1 || wanted.limit > kMostChanges)
    return fail(ErrorCode::invalid_argument,
                fmt::format("the limit of changes is {}; it is from 1 to {}", wanted.limit, kMostChanges));
  Moment moment;
  Extent end;
  {
    const auto reading = gate_.read();
    LEITONG_ASSIGN(moment, store_->moment());
    end = {std::min(state_.durable.texts, state_.visible_end), state_.durable.removals};
  }
  const std::uint64_t history = state_.history;
  Extent seen{0, end.removals};  // who begins has nothing that could leave
  if (since == kFromNow)
    seen = end;
  else if (!since.empty()) {
    LEITONG_ASSIGN(const Cursor cursor, parse_cursor(since));
    seen = cursor.seen;
    if (cursor.history != history || seen.texts > end.texts || seen.removals > end.removals)
      return fail(
          ErrorCode::not_found,
          "this cursor is of another index, or of one that was put back since; begin again without one");
  }
  const std::size_t most_removals = std::min<std::uint64_t>(wanted.limit, end.removals - seen.removals);
  LEITONG_ASSIGN(const std::vector<Removal> removals,
                 store_->removals_from(seen.removals, most_removals, moment));
  if (removals.size() < most_removals)
    return fail(ErrorCode::not_found,
                "this cursor is so old that what left since is forgotten; begin again without one");
  LEITONG_ASSIGN(Part part, store_->texts_between(seen.texts, end.texts, wanted.limit,
                                                  wanted.texts ? kMostBytes : SIZE_MAX, moment));
  Changes changes;
  const ScratchPool::Lease scratch(scratches_);
  auto text = part.texts.begin();
  auto removal = removals.begin();
  while (changes.changes.size() < wanted.limit) {
    const TextNumber next = text == part.texts.end() ? part.end : text->first;
    if (removal != removals.end() && removal->texts <= next) {
      changes.changes.push_back({.removed = true, .stored = {.id = removal->id, .text = {}}});
      ++removal;
    } else if (text != part.texts.end()) {
      Row& row = text->second;
      if (!wanted.texts) {
        row.packed.clear();
        row.text_bytes = 0;
      }
      LEITONG_ASSIGN(Stored stored, stored_of(text->first, row, moment, *scratch));
      changes.changes.push_back({.removed = false, .stored = std::move(stored)});
      ++text;
    } else {
      break;
    }
  }
  seen.texts = text == part.texts.end() ? part.end : text->first;
  seen.removals += static_cast<std::uint64_t>(removal - removals.begin());
  changes.cursor = cursor_of(history, seen);
  changes.more = seen != end;
  return changes;
}

}  // namespace leitong::online
