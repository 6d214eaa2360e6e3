#include "online/removing.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "online/succession.hpp"

namespace leitong::online {
namespace {

// Only so many texts are removed in one turn, so that other requests get their turns.
constexpr std::size_t kInOneTurn = 256;
// When the removals exceed those that are kept by so many, the surplus is forgotten.
constexpr std::uint64_t kForgottenAtOnce = 4096;

}  // namespace

Result<std::uint64_t> Removing::remove_id(std::string_view id, ExpectedVersion expected) {
  {
    const Committer::Turn turn(committer_.turns());
    LEITONG_TRY(sources_.complete_commit());
    LEITONG_ASSIGN(const std::optional<TextNumber> found, core_.store->find(id));
    if (!found) return 0;
    LEITONG_TRY(expect({core_.state}, expected));
    LEITONG_ASSIGN(const bool there, remove_text(*found));
    if (!there) return core_.damaged(fmt::format("the text with the id \"{}\" is missing", id));
  }
  LEITONG_TRY(committer_.sync());
  return 1;
}

// In a turn the latest texts come first, so that members leave before their representative and none of them
// takes its place. A text that did take a place has a new, higher number: the next pass finds it.
Result<std::uint64_t> Removing::remove(const Which& which, ExpectedVersion expected) {
  if (which.by == Which::By::id) return remove_id(which.name, expected);
  std::uint64_t removed = 0;
  for (bool any = true; any;) {
    any = false;
    TextNumber below = UINT32_MAX;
    std::optional<Expiring> after;
    for (;;) {
      LEITONG_TRY(core_.go_on());
      const Committer::Turn turn(committer_.turns());
      LEITONG_TRY(sources_.complete_commit());
      std::vector<TextNumber> texts;
      if (which.by == Which::By::source) {
        LEITONG_ASSIGN(texts, core_.store->latest_of(which.name, below, kInOneTurn));
        if (!texts.empty()) below = texts.back();
      } else {
        LEITONG_ASSIGN(const std::vector<Expiring> expired,
                       core_.store->expired(which.before, after, kInOneTurn));
        if (!expired.empty()) after = expired.back();
        for (auto each = expired.rbegin(); each != expired.rend(); ++each) texts.push_back(each->text);
      }
      if (texts.empty()) break;
      for (const TextNumber text : texts) {
        LEITONG_ASSIGN(const bool there, remove_text(text));
        removed += there;
      }
      any = true;
    }
  }
  LEITONG_TRY(committer_.sync());
  return removed;
}

void Removing::note_removal(std::string_view id, Change& change, Delta& delta) const {
  change.put_removal(core_.state.removals, delta.first, id);
  delta.removals = 1;
  const std::uint64_t kept = core_.settings.removals_kept;
  if (core_.state.removals - core_.state.first_removal < kept + kForgottenAtOnce) return;
  delta.first_removal = core_.state.removals - kept;
  change.erase_removals(*delta.first_removal);
}

Result<bool> Removing::remove_text(TextNumber number) {
  const ScratchPool::Lease scratch(core_.scratches);
  Row row;
  LEITONG_ASSIGN(const bool there, core_.store->read(number, row));
  if (!there) return false;
  LEITONG_ASSIGN(Change change, core_.store->change());
  change.erase_row(number, row);
  change.erase_id(row.id);
  Delta delta;
  delta.first = core_.state.next();
  note_removal(row.id, change, delta);
  delta.counts = core_.state.counts;
  --delta.counts.texts;
  --delta.counts.of(row.verdict);
  change.put_counts(delta.counts);
  std::vector<TextNumber> removed;
  LEITONG_ASSIGN(const TextNumber content_representative, core_.store->representative(row.content));
  if (content_representative == number)
    LEITONG_TRY(hand_over(number, row, *scratch, change, delta, removed));
  else
    change.erase_copy(row.content, number);
  for (const TextNumber text : removed) change.put_removed(text);
  LEITONG_TRY(committer_.commit_removal(change, delta, removed));
  return true;
}

Result<void> Removing::hand_over(TextNumber number, const Row& row, CheckScratch& scratch, Change& change,
                                 Delta& delta, std::vector<TextNumber>& removed) {
  removed.push_back(number);
  LEITONG_ASSIGN(const TextNumber family_representative, core_.store->representative(row.family));
  const Place leaving{true, family_representative == number, row.other_work};
  LEITONG_ASSIGN(const auto successor, successor_of<TextNumber>(
                                           leaving, [&] { return core_.store->first_copy(row.content); },
                                           [&] { return core_.store->first_member(row.family); }));
  const bool copy = successor && successor->copy;
  if (!copy) {
    change.erase_representative(row.content);
    if (!leaving.stands) change.erase_member(row.family, number);
  }
  if (!successor) {
    if (leaving.stands) change.erase_representative(row.family);
    return {};
  }
  // The successor gets the next number, so that lists stay in order.
  const TextNumber next = delta.first;
  if (next == UINT32_MAX) return fail(ErrorCode::limit, "the index has given all its numbers; build it anew");
  CheckedText text;
  text.look = Look::copies;
  LEITONG_ASSIGN(const bool successor_there, core_.store->read(successor->text, text.match_row));
  std::string bytes;
  if (!successor_there) return core_.damaged(fmt::format("text {} is missing", successor->text));
  const Row& moved = text.match_row;
  const Place place = place_after(leaving, {true, false, moved.other_work}, copy);
  LEITONG_TRY(scratch.codec.unpack(moved.packed, moved.text_bytes, bytes));
  change.erase_row(successor->text, moved);
  text.match_row.other_work = place.other_work;
  change.put_row(next, moved);
  change.put_id(moved.id, next);
  change.put_representative(moved.content, next);
  if (copy) {
    change.erase_copy(row.content, successor->text);
    if (!leaving.stands) {
      change.erase_member(row.family, number);
      change.put_member(row.family, next);
    }
  } else {
    change.erase_member(row.family, successor->text);
    removed.push_back(successor->text);  // its content was posted under its old number
  }
  if (leaving.stands) change.put_representative(row.family, next);
  text.text = bytes;
  text.stamp = moved.stamp;
  core_.scheme->prepare(core_.secret, text, scratch);
  const View view{core_.state, &delta};
  LEITONG_TRY(core_.check_one(view, scratch, text));
  text.match = family_representative;
  LogEntry entry{next, core_.scheme->record(text), {}};
  LEITONG_TRY(core_.scheme->post(text, place.found(), view, delta, entry));
  for (const Key key : entry.keys)
    if (delta.full.contains(key)) change.put_full(key);
  change.put_log(entry);
  delta.log.push_back(std::move(entry));
  return {};
}

}  // namespace leitong::online
