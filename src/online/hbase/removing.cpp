// Removes a text from an index on HBase: it is marked, its successor takes its place, then it is deleted. Any
// client may do each step, and may repeat it.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "base/try.hpp"
#include "online/hbase/home.hpp"

namespace leitong::online {

using Stage = HBaseText::Stage;

namespace {

// How often other clients may be faster.
constexpr unsigned kRemovalTries = 100;

}  // namespace

tl::unexpected<Error> HBaseHome::no_end(std::string_view id) const {
  return fail(ErrorCode::io, fmt::format("{}: other clients change the text with the id \"{}\" again and "
                                         "again; try it once more",
                                         link_->address().shown(), id));
}

Result<bool> HBaseHome::remove_if(const std::string& id,
                                  const std::function<bool(const HBaseText&)>& wanted) {
  std::random_device random;
  for (unsigned tries = 0; tries < kRemovalTries; ++tries) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(HBaseKnown known, read(id));
    // A pending text does not count as present.
    if (!known.exists() || known.is(Stage::pending) || !wanted(known.entry)) return false;
    if (known.is(Stage::leaving)) {
      LEITONG_TRY(finish_leaving(std::move(known)));
      return true;
    }
    const Verdict verdict = known.entry.verdict;
    HBaseText entry = known.entry;
    entry.stage = Stage::leaving;
    entry.owner = std::uint64_t{random()} << 32 | random();
    LEITONG_ASSIGN(const bool marked, change_one(known, entry));
    if (!marked) continue;
    count(verdict, -1);
    LEITONG_TRY(finish_leaving(std::move(known)));
    return true;
  }
  return no_end(id);
}

Result<std::uint64_t> HBaseHome::remove_listed(const std::string& begin, const std::string& end,
                                               std::size_t behind,
                                               const std::function<bool(const HBaseText&)>& wanted) {
  std::uint64_t removed = 0;
  const auto remove_some = [&](const std::vector<std::string>& ids) -> Result<bool> {
    for (const std::string& id : ids) {
      LEITONG_ASSIGN(const bool left, remove_if(id, wanted));
      removed += left;
    }
    LEITONG_TRY(put_counts());
    return true;
  };
  LEITONG_TRY(each_of(begin, end, behind, remove_some));
  return removed;
}

Result<std::uint64_t> HBaseHome::remove(const Which& which, ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  std::uint64_t removed = 0;
  if (which.by == Which::By::id) {
    LEITONG_ASSIGN(removed, remove_if(std::string(which.name), [](const HBaseText&) { return true; }));
    LEITONG_TRY(put_counts());
  } else if (which.by == Which::By::source) {
    const std::string begin = source_key(which.name);
    return remove_listed(begin, end_of(begin), begin.size(),
                         [&](const HBaseText& text) { return text.label.source == which.name; });
  } else {
    const std::string moment = expiry_key(which.before, "").substr(kPartBytes);
    for (unsigned p = 0; p < kParts; ++p) {
      const std::string begin = expiries_part(p);
      LEITONG_ASSIGN(const std::uint64_t of_part,
                     remove_listed(begin, begin + moment, begin.size() + sizeof which.before,
                                   [&](const HBaseText& text) {
                                     return text.label.expires && *text.label.expires < which.before;
                                   }));
      removed += of_part;
    }
  }
  return removed;
}

Result<void> HBaseHome::finish_leaving(HBaseKnown known) {
  for (unsigned tries = 0; known.is(Stage::leaving); ++tries) {
    LEITONG_TRY(stop().check());
    if (tries == kRemovalTries) return no_end(known.entry.label.id);
    if (known.entry.holds && known.entry.successor.id.empty()) {
      LEITONG_ASSIGN(const bool as_it_was, choose_successor(known));
      if (!as_it_was) continue;
    }
    const HBaseText entry = known.entry;
    const bool has_successor = !entry.successor.id.empty();
    bool copy = false;
    if (has_successor) {
      LEITONG_ASSIGN(const std::optional<bool> promoted, promote_successor(entry));
      if (!promoted) {
        // It was removed, too.
        HBaseText again = entry;
        again.successor = {};
        LEITONG_TRY(change_one(known, again));
        continue;
      }
      copy = *promoted;
    }
    const HBaseName name = entry.name();
    if (entry.holds && entry.stamp.digest)
      LEITONG_TRY(hand_over(content_key(*entry.stamp.digest), name, copy ? &entry.successor : nullptr));
    if (entry.stands && has_successor)
      LEITONG_TRY(hand_over(family_key(entry.first), name, &entry.successor));
    std::vector<HBaseRow> rows = lists(entry);
    for (HBaseRow& row : rows) row.cells.clear();
    if (entry.found()) std::ranges::move(postings(entry), std::back_inserter(rows));
    if (!entry.stands && entry.holds)
      rows.push_back({members_key(entry.first) + bytes_of_name(name), {}});
    else if (!entry.stands && entry.stamp.digest)
      rows.push_back({copies_key(*entry.stamp.digest) + bytes_of_name(name), {}});
    LEITONG_TRY(link_->remove(rows));
    HBaseText gone;
    gone.stage = Stage::removed;
    gone.time = entry.time;
    gone.label.id = entry.label.id;
    gone.first = name;
    std::vector<Change> changes;
    changes.push_back(change(known, std::move(gone)));
    changes[0].put.put.cells.push_back({"t", ""});
    LEITONG_TRY(make(std::move(changes)));
    // Another client removed it first and it was added again: these rows may have contained its new listing.
    if (known.exists() && !known.is(Stage::leaving)) LEITONG_TRY(link_->put(lists(known.entry)));
  }
  return {};
}

// True if `known` is unchanged since it was read or was written with the successor.
Result<bool> HBaseHome::choose_successor(HBaseKnown& known) {
  const HBaseText entry = known.entry;
  // The first text of a list that fits. The pending ones search again, and see that this text leaves.
  const auto first_of = [&](const std::string& begin, const auto& fits) -> Result<std::optional<HBaseName>> {
    std::optional<HBaseName> first;
    const auto look_at = [&](const std::vector<std::string>& listed) -> Result<bool> {
      std::vector<HBaseName> names;
      std::vector<std::string> ids;
      for (const std::string& bytes : listed) {
        if (!read_name(bytes, names.emplace_back())) return link_->not_understood("a list");
        ids.push_back(names.back().id);
      }
      LEITONG_ASSIGN(std::vector<HBaseKnown> texts, read(ids));
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (texts[i].entry.time != names[i].time) continue;
        if (texts[i].is(Stage::pending)) LEITONG_TRY(raise(texts[i]));
        if (!first && texts[i].is(Stage::settled) && texts[i].entry.time == names[i].time &&
            fits(texts[i].entry))
          first = names[i];
      }
      return !first;
    };
    LEITONG_TRY(each_of(begin, end_of(begin), begin.size(), look_at));
    return first;
  };
  const auto first_copy = [&]() -> Result<std::optional<HBaseName>> {
    if (!entry.stamp.digest) return std::nullopt;
    return first_of(copies_key(*entry.stamp.digest), [&](const HBaseText& text) {
      return !text.holds && text.stamp.digest == entry.stamp.digest;
    });
  };
  const auto first_member = [&] {
    return first_of(members_key(entry.first), [&](const HBaseText& text) {
      return text.holds && !text.stands && text.first == entry.first;
    });
  };
  LEITONG_ASSIGN(const auto successor, successor_of<HBaseName>(entry.place(), first_copy, first_member));
  if (!successor) return true;
  HBaseText with_successor = entry;
  with_successor.successor = {now(), successor->text.id};
  with_successor.successor_was = successor->text.time;
  return change_one(known, with_successor);
}

// Nothing if it can no longer be the successor; otherwise whether it is a copy.
Result<std::optional<bool>> HBaseHome::promote_successor(const HBaseText& leaving) {
  const HBaseName before{leaving.successor_was, leaving.successor.id};
  for (unsigned tries = 0; tries < kRemovalTries; ++tries) {
    LEITONG_TRY(stop().check());
    LEITONG_ASSIGN(HBaseKnown known, read(leaving.successor.id));
    const bool done = known.exists() && known.entry.time == leaving.successor.time;
    if (!done && (!known.is(Stage::settled) || known.entry.time != before.time)) return std::nullopt;
    const bool copy = leaving.stamp.digest && known.entry.stamp.digest == leaving.stamp.digest;
    if (!done) {
      HBaseText entry = known.entry;
      entry.time = leaving.successor.time;
      entry.set_place(place_after(leaving.place(), entry.place(), copy));
      LEITONG_TRY(inherit(known, leaving, copy, entry));
      // It is found under its new name as soon as it has it.
      std::vector<HBaseRow> rows = {{arrival_key(leaving.successor), {{"n", ""}}}};
      if (entry.found()) std::ranges::move(postings(entry), std::back_inserter(rows));
      if (!entry.stands)
        rows.push_back({members_key(entry.first) + bytes_of_name(leaving.successor), {{"n", ""}}});
      LEITONG_TRY(link_->put(rows));
      LEITONG_ASSIGN(const bool promoted, change_one(known, entry));
      if (!promoted) continue;
    }
    std::vector<HBaseRow> rows = {{arrival_key(before), {}},
                                  {members_key(leaving.first) + bytes_of_name(before), {}}};
    HBaseText as_before = known.entry;
    as_before.time = before.time;
    std::ranges::move(postings(as_before), std::back_inserter(rows));
    if (copy)
      rows.push_back({copies_key(*leaving.stamp.digest) + bytes_of_name(before), {}});
    else if (known.entry.stamp.digest)
      LEITONG_TRY(hand_over(content_key(*known.entry.stamp.digest), before, &leaving.successor));
    LEITONG_TRY(link_->remove(rows));
    return copy;
  }
  return no_end(leaving.label.id);
}

// Changes the cell if it names `from` or is missing.
Result<void> HBaseHome::hand_over(const std::string& key, const HBaseName& from, const HBaseName* to) {
  LEITONG_ASSIGN(const auto rows, link_->get({{key, "h"}}));
  const std::string was = rows[0].empty() ? std::string() : rows[0][0].value;
  if ((!was.empty() && was != bytes_of_name(from)) || (was.empty() && to == nullptr)) return {};
  LEITONG_TRY(link_->put_if({{"h", was, {key, {{"h", to == nullptr ? "" : bytes_of_name(*to)}}}}}));
  return {};
}

}  // namespace leitong::online
