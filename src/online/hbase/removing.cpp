// Removals from an index on HBase, each of which is a commit.
#include <utility>

#include "base/try.hpp"
#include "online/hbase/home.hpp"
#include "online/succession.hpp"

namespace leitong::online {

Result<std::uint64_t> HBaseHome::remove(const Which& which, ExpectedVersion expected) {
  LEITONG_TRY(expects_none(expected));
  if (which.by == Which::By::id) {
    LEITONG_ASSIGN(const bool left,
                   remove_if(std::string(which.name), [](const HBaseText&) { return true; }));
    return left ? 1 : 0;
  }
  if (which.by == Which::By::source) {
    const std::string begin = source_key(which.name);
    return remove_listed(begin, end_of(begin), begin.size(),
                         [&](const HBaseText& text) { return text.label.source == which.name; });
  }
  std::uint64_t removed = 0;
  const std::string moment = expiry_key(which.before, "").substr(kPartBytes);
  for (unsigned p = 0; p < kParts; ++p) {
    const std::string begin = expiries_part(p);
    LEITONG_ASSIGN(
        const std::uint64_t of_part,
        remove_listed(begin, begin + moment, begin.size() + sizeof which.before, [&](const HBaseText& text) {
          return text.label.expires && *text.label.expires < which.before;
        }));
    removed += of_part;
  }
  return removed;
}

Result<std::uint64_t> HBaseHome::remove_listed(const std::string& begin, const std::string& end,
                                               std::size_t behind,
                                               const std::function<bool(const HBaseText&)>& wanted) {
  std::uint64_t removed = 0;
  LEITONG_TRY(each_of(begin, end, behind, [&](const std::vector<std::string>& ids) -> Result<void> {
    for (const std::string& id : ids) {
      LEITONG_ASSIGN(const bool left, remove_if(id, wanted));
      removed += left;
    }
    return {};
  }));
  return removed;
}

Result<bool> HBaseHome::remove_if(const std::string& id,
                                  const std::function<bool(const HBaseText&)>& wanted) {
  bool removed = false;
  const auto remove_it = [&](HBaseChange& change) -> Result<bool> {
    LEITONG_ASSIGN(const auto known, read({&id, 1}));
    removed = known[0] && wanted(*known[0]);
    if (removed) LEITONG_TRY(remove_one(*known[0], change));
    return removed;
  };
  const Turns<Request>::Turn turn(turns_);
  LEITONG_TRY(change_index(remove_it));
  return removed;
}

Result<void> HBaseHome::remove_one(const HBaseText& leaving, HBaseChange& change) {
  const auto first_copy = [&]() -> Result<std::optional<HBaseText>> {
    if (!leaving.stamp.digest) return std::nullopt;
    return first_of(copies_key(*leaving.stamp.digest));
  };
  const auto first_member = [&] { return first_of(members_key(leaving.first)); };
  LEITONG_ASSIGN(auto successor, successor_of<HBaseText>(leaving.place(), first_copy, first_member));
  change.remove({text_key(leaving.label.id), {{"s", ""}, {"t", ""}}});
  change.tell({true, leaving.name()});
  for (const HBaseRow& row : rows_of(leaving)) change.remove(row);
  --change.after.counts.at(static_cast<std::size_t>(leaving.verdict));
  if (leaving.stands) change.remove({family_key(leaving.first), {{"h", ""}}});
  if (!successor) return {};
  HBaseText& text = successor->text;
  const bool was_found = text.found();
  for (const HBaseRow& row : rows_of(text)) change.remove(row);
  text.number = change.after.next++;
  text.set_place(place_after(leaving.place(), text.place(), successor->copy));
  if (successor->copy)
    text.posted = leaving.posted;
  else if (!was_found)
    LEITONG_TRY(post_anew(text));
  change.put({text_key(text.label.id), {{"s", bytes_of_entry(text, width_)}}});
  change.tell({false, text.name()});
  for (const HBaseRow& row : rows_of(text)) change.put(row);
  if (leaving.stands) change.put({family_key(text.first), {{"h", bytes_of_name(text.name())}}});
  return {};
}

Result<std::optional<HBaseText>> HBaseHome::first_of(const std::string& list) {
  LEITONG_ASSIGN(const auto rows, link_->scan({{list, end_of(list), 1}}));
  if (rows[0].empty()) return std::nullopt;
  HBaseName name;
  if (!read_name(std::string_view(rows[0][0].key).substr(list.size()), name))
    return link_->not_understood("a list");
  LEITONG_ASSIGN(auto text, read({&name, 1}));
  if (!is_named(text[0], name)) return std::nullopt;  // another client was faster
  return std::move(text[0]);
}

}  // namespace leitong::online
