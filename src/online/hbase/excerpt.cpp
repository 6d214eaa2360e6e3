#include "online/hbase/excerpt.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "online/bytes.hpp"

namespace leitong::online {
namespace {

// The most lists, and the most texts, of one call.
constexpr std::size_t kListsInCall = 256, kTextsInCall = 64;
// From each list the ids that count are read, and one more for the text that searches.
constexpr std::uint32_t kMostInList = kFull + 1;
// The column of a posting in the tall layout.
const std::string kRecord = "r";

}  // namespace

HBaseRow posting_cell(Key key, bool wide, const HBaseName& name, const TextRecord& record) {
  HBaseRow row{posting_row(key), {{kRecord, std::string(value_bytes(record))}}};
  if (wide)
    row.cells[0].column = bytes_of_name(name);
  else
    row.key += bytes_of_name(name);
  return row;
}

void HBaseExcerpt::want(std::span<const Key> keys) {
  for (const Key key : keys)
    if (!lists_.contains(key)) wanted_keys_.insert(key);
}
void HBaseExcerpt::set_representative(Key content, const HBaseName& name) {
  representatives_.insert_or_assign(content, name);
  wanted_texts_.insert(name.id);
  numbered_ = false;
}
void HBaseExcerpt::set_whole(Whole text) {
  std::string id = text.known.entry.label.id;
  texts_.insert_or_assign(std::move(id), std::move(text));
}
void HBaseExcerpt::set_family(const std::string& id, const HBaseName& first) {
  texts_.at(id).known.entry.first = first;
}
void HBaseExcerpt::forget(std::span<const Key> keys) {
  for (const Key key : keys) lists_.erase(key);
}

Result<bool> HBaseExcerpt::fetch() {
  if (wanted_keys_.empty() && wanted_texts_.empty()) return false;
  const std::vector<Key> keys(wanted_keys_.begin(), wanted_keys_.end());
  std::vector<std::string> ids(wanted_texts_.begin(), wanted_texts_.end());
  wanted_keys_.clear();
  wanted_texts_.clear();
  LEITONG_TRY(fetch_lists(keys));
  std::erase_if(ids, [&](const std::string& id) { return texts_.contains(id); });
  LEITONG_TRY(fetch_texts(ids));
  if (!keys.empty()) numbered_ = false;
  if (!std::exchange(numbered_, true)) number_all();
  return true;
}

Result<void> HBaseExcerpt::fetch_lists(const std::vector<Key>& keys) {
  std::vector<List> lists(keys.size());
  std::vector<List*> to;
  to.reserve(lists.size());
  for (List& list : lists) to.push_back(&list);
  const std::size_t parts = (keys.size() + kListsInCall - 1) / kListsInCall;
  LEITONG_TRY(on_threads(context_, [&] {
    return parallel_for_each(StopToken(context_.state().stop), parts, [&](std::size_t p) {
      const std::size_t first = p * kListsInCall, count = std::min(kListsInCall, keys.size() - first);
      return fetch_some(std::span(keys).subspan(first, count), std::span(to).subspan(first, count));
    });
  }));
  for (std::size_t k = 0; k < keys.size(); ++k) lists_.insert_or_assign(keys[k], std::move(lists[k]));
  return {};
}

// The earliest of each list: they are in the order of their names.
Result<void> HBaseExcerpt::fetch_some(std::span<const Key> keys, std::span<List*> lists) {
  const auto take_posting = [](std::string_view name, std::string_view record, List& list) {
    Posted& posted = list.posted.emplace_back();
    return read_name(name, posted.name) && take_value(record, posted.record) && record.empty();
  };
  if (wide_) {
    std::vector<HBaseGet> gets;
    for (const Key key : keys) gets.push_back({posting_row(key), "", kMostInList});
    LEITONG_ASSIGN(const auto rows, link_.get(gets));
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const HBaseCell& cell : rows[k])
        if (!take_posting(cell.column, cell.value, *lists[k])) return link_.not_understood("a posting");
    return {};
  }
  std::vector<HBaseScan> scans;
  for (const Key key : keys) {
    std::string row = posting_row(key);
    scans.push_back({row, end_of(row), kMostInList});
  }
  LEITONG_ASSIGN(const auto rows, link_.scan(scans));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t front = scans[k].begin.size();
    for (const HBaseRow& row : rows[k])
      if (row.key.size() <= front || row.cells.size() != 1 ||
          !take_posting(std::string_view(row.key).substr(front), row.cells[0].value, *lists[k]))
        return link_.not_understood("a posting");
  }
  return {};
}

Result<void> HBaseExcerpt::fetch_texts(const std::vector<std::string>& ids) {
  for (std::size_t first = 0; first < ids.size(); first += kTextsInCall) {
    std::vector<HBaseGet> gets;
    for (std::size_t i = first; i < std::min(ids.size(), first + kTextsInCall); ++i)
      gets.push_back({.key = text_key(ids[i])});
    LEITONG_ASSIGN(auto rows, link_.get(gets));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::string& id = ids[first + r];
      Whole& text = texts_[id];
      for (HBaseCell& cell : rows[r]) {
        if (cell.column == "t") text.packed = std::move(cell.value);
        if (cell.column != "s") continue;
        if (!read_entry(cell.value, 0, text.known.entry) || text.known.entry.label.id != id)
          return link_.not_understood("what is known of a text");
        text.known.bytes = std::move(cell.value);
      }
    }
  }
  return {};
}

void HBaseExcerpt::number_all() {
  std::vector<const Posted*> all;
  for (const auto& [key, list] : lists_)
    for (const Posted& posted : list.posted) all.push_back(&posted);
  std::vector<Posted> representatives;
  for (const auto& [key, name] : representatives_) representatives.push_back({name, {}});
  for (const Posted& representative : representatives) all.push_back(&representative);
  // A posting of a list comes first, because it has a record.
  std::ranges::stable_sort(all, [](const Posted* a, const Posted* b) { return a->name < b->name; });
  names_.clear();
  records_.clear();
  for (const Posted* posted : all) {
    if (!names_.empty() && names_.back() == posted->name) continue;
    names_.push_back(posted->name);
    records_.push_back(posted->record);
  }
  const auto number = [&](const HBaseName& name) {
    return static_cast<TextNumber>(std::ranges::lower_bound(names_, name) - names_.begin());
  };
  for (auto& [key, list] : lists_) {
    list.numbers.clear();
    for (const Posted& posted : list.posted) list.numbers.push_back(number(posted.name));
  }
}

// Texts that are near or removed may still be in a list, and pending ones too, so the entries are read.
Result<std::vector<Key>> HBaseExcerpt::newly_full() {
  std::vector<Key> full;
  std::vector<std::string> ids;
  for (auto& [key, list] : lists_)
    if (!list.looked_at && list.posted.size() >= kFull)
      for (const Posted& posted : list.posted)
        if (!texts_.contains(posted.name.id)) ids.push_back(posted.name.id);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::unordered_map<std::string, HBaseKnown> read;
  for (std::size_t first = 0; first < ids.size(); first += kListsInCall) {
    std::vector<HBaseGet> gets;
    for (std::size_t i = first; i < std::min(ids.size(), first + kListsInCall); ++i)
      gets.push_back({text_key(ids[i]), "s"});
    LEITONG_ASSIGN(auto rows, link_.get(gets));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      HBaseKnown& known = read[ids[first + r]];
      for (HBaseCell& cell : rows[r]) {
        if (!read_entry(cell.value, 0, known.entry)) return link_.not_understood("what is known of a text");
        known.bytes = std::move(cell.value);
      }
    }
  }
  for (auto& [key, list] : lists_) {
    if (std::exchange(list.looked_at, true) || list.posted.size() < kFull) continue;
    const auto counts = std::ranges::count_if(list.posted, [&](const Posted& posted) {
      const auto whole = texts_.find(posted.name.id);
      const HBaseKnown& known = whole != texts_.end() ? whole->second.known : read.at(posted.name.id);
      return known.seen_as(posted.name) && known.entry.found();
    });
    if (counts >= static_cast<std::ptrdiff_t>(kFull)) full.push_back(key);
  }
  return full;
}

Result<void> HBaseExcerpt::Asking::find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                                              const PostingTable*, PostingLists& lists) const {
  lists.texts.clear();
  lists.ends.clear();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = lists.texts.size();
    const auto take_one = [&](TextNumber text) {
      if (lists.texts.size() - begin < most[k] && !hidden_.contains(text) &&
          sees_.named(excerpt_.names_[text]) == Sight::counts)
        lists.texts.push_back(text);
    };
    if (const auto representative = excerpt_.representatives_.find(keys[k]);
        representative != excerpt_.representatives_.end()) {
      take_one(static_cast<TextNumber>(std::ranges::lower_bound(excerpt_.names_, representative->second) -
                                       excerpt_.names_.begin()));
    } else if (const auto found = excerpt_.lists_.find(keys[k]); found != excerpt_.lists_.end()) {
      for (const TextNumber text : found->second.numbers) take_one(text);
    } else if (keys[k] != content_) {
      keys_.push_back(keys[k]);
    }
    lists.ends.push_back(lists.texts.size());
  }
  return {};
}

Result<TextRecord> HBaseExcerpt::Asking::record(TextNumber text) const { return excerpt_.records_[text]; }

Result<bool> HBaseExcerpt::Asking::read(TextNumber text, Row& row) const {
  const HBaseName& name = excerpt_.names_[text];
  const auto found = excerpt_.texts_.find(name.id);
  if (found == excerpt_.texts_.end()) {
    texts_.push_back(name.id);
    return false;
  }
  const auto& [known, packed] = found->second;
  const HBaseText& entry = known.entry;
  // The text was removed, or came back as another one, or is being removed.
  if (!known.exists() || entry.time != name.time || packed.size() != entry.packed_bytes ||
      sees_.read(name, known) == Sight::hidden) {
    hidden_.insert(text);
    hid_ = true;
    return false;
  }
  const auto families = static_cast<TextNumber>(excerpt_.families_.size());
  row = Row{.family = excerpt_.families_.try_emplace(bytes_of_name(entry.first), families).first->second,
            .content = text};
  row.verdict = entry.verdict;
  row.id = entry.label.id;
  row.source = entry.label.source;
  row.time = entry.label.time;
  row.expires = entry.label.expires;
  row.text_bytes = entry.text_bytes;
  row.packed = packed;
  return true;
}

}  // namespace leitong::online
