#include "online/changes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/try.hpp"
#include "online/store.hpp"
#include "online/text_codec.hpp"

namespace leitong::online {

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

std::string cursor_of(std::uint64_t history, const Extent& seen) {
  return fmt::format("{:x}.{}.{}", history, seen.texts, seen.removals);
}

tl::unexpected<Error> are_forgotten() {
  return fail(ErrorCode::not_found,
              "this cursor is so old that what left since is forgotten; begin again without one");
}

tl::unexpected<Error> is_of_another_index() {
  return fail(ErrorCode::not_found,
              "this cursor is of another index, or of one that was put back since; begin again without one");
}

Result<void> check_wanted(const ChangesWanted& wanted) {
  if (wanted.limit >= 1 && wanted.limit <= kMostChanges) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("the limit of changes is {}; it is from 1 to {}", wanted.limit, kMostChanges));
}

Result<Extent> seen_by(std::string_view since, std::uint64_t history, const Extent& end) {
  if (since.empty()) return Extent{0, end.removals};  // a new follower has nothing that could be removed
  if (since == kFromNow) return end;
  LEITONG_ASSIGN(const Cursor cursor, parse_cursor(since));
  if (cursor.history != history || cursor.seen.texts > end.texts || cursor.seen.removals > end.removals)
    return is_of_another_index();
  return cursor.seen;
}

Result<Stored> stored_of(const Store& store, TextNumber number, const Row& row, const Moment& moment,
                         TextCodec& codec) {
  Stored stored{row.id, {}, row.verdict, {}, row.source, row.time, row.expires};
  if (row.stamp) stored.fingerprint = row.stamp->fingerprint;
  LEITONG_TRY(codec.unpack(row.packed, row.text_bytes, stored.text));
  LEITONG_ASSIGN(const TextNumber first, store.representative(row.family, moment));
  if (first == number) return stored;
  Row other;
  LEITONG_ASSIGN(const bool stands, store.read(first, other, moment));
  if (stands) stored.family = std::move(other.id);
  return stored;
}

Result<Changes> changes_of(const Store& store, std::uint64_t history, const Extent& end, const Moment& moment,
                           std::string_view since, const ChangesWanted& wanted, TextCodec& codec) {
  LEITONG_ASSIGN(Extent seen, seen_by(since, history, end));
  const std::size_t most_removals = std::min<std::uint64_t>(wanted.limit, end.removals - seen.removals);
  LEITONG_ASSIGN(std::vector<Removal> removals, store.removals_from(seen.removals, most_removals, moment));
  if (removals.size() < most_removals) return are_forgotten();
  LEITONG_ASSIGN(Part part, store.texts_between(seen.texts, end.texts, wanted.limit,
                                                wanted.texts ? kMostChangedBytes : SIZE_MAX, moment));
  const auto told = [&](std::pair<TextNumber, Row>& text) {
    if (!wanted.texts) {
      text.second.packed.clear();
      text.second.text_bytes = 0;
    }
    return stored_of(store, text.first, text.second, moment, codec);
  };
  Changes changes;
  LEITONG_ASSIGN(changes.changes,
                 in_order(std::span(part.texts), part.end, std::span(removals), wanted.limit, seen, told));
  changes.cursor = cursor_of(history, seen);
  changes.more = seen != end;
  return changes;
}

}  // namespace leitong::online
