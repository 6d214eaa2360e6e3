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
// From each list the ids that count are read, and one more, because the searching text may be among them.
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
    if (!lists_.contains(key) && !representatives_.contains(key)) wanted_keys_.insert(key);
}
void HBaseExcerpt::add_representative(Key content, const HBaseName& name) {
  std::vector<HBaseName>& names = representatives_[content];
  if (name.id.empty() || std::ranges::find(names, name) != names.end()) return;
  names.push_back(name);
  wanted_texts_.insert(name.id);
  numbered_ = false;
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
  const std::size_t parts = (keys.size() + kListsInCall - 1) / kListsInCall;
  LEITONG_TRY(on_threads(context_, [&] {
    return parallel_for_each(StopToken(context_.state().stop), parts, [&](std::size_t p) {
      const std::size_t first = p * kListsInCall, count = std::min(kListsInCall, keys.size() - first);
      return fetch_some(std::span(keys).subspan(first, count), std::span(lists).subspan(first, count));
    });
  }));
  for (std::size_t k = 0; k < keys.size(); ++k) lists_.insert_or_assign(keys[k], std::move(lists[k]));
  return {};
}

// Reads the earliest postings of each list, which are in the order of their names.
Result<void> HBaseExcerpt::fetch_some(std::span<const Key> keys, std::span<List> lists) {
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
        if (!take_posting(cell.column, cell.value, lists[k])) return link_.not_understood("a posting");
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
          !take_posting(std::string_view(row.key).substr(front), row.cells[0].value, lists[k]))
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
        if (!read_entry(cell.value, 0, text.entry.emplace()) || text.entry->label.id != id)
          return link_.not_understood("what is known of a text");
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
  for (const auto& [key, names] : representatives_)
    for (const HBaseName& name : names) representatives.push_back({name, {}});
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
  for (auto& [key, list] : lists_) {
    list.numbers.clear();
    for (const Posted& posted : list.posted) list.numbers.push_back(number_of(posted.name));
  }
}

TextNumber HBaseExcerpt::number_of(const HBaseName& name) const {
  return static_cast<TextNumber>(std::ranges::lower_bound(names_, name) - names_.begin());
}

std::vector<Key> HBaseExcerpt::newly_full() {
  std::vector<Key> full;
  for (auto& [key, list] : lists_)
    if (!std::exchange(list.looked_at, true) && list.posted.size() >= kFull) full.push_back(key);
  return full;
}

Result<void> HBaseExcerpt::Asking::find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                                              const PostingTable* newest, PostingLists& lists) const {
  lists.texts.clear();
  lists.ends.clear();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = lists.texts.size();
    const auto take = [&](TextNumber text) {
      if (lists.texts.size() - begin < most[k]) lists.texts.push_back(text);
    };
    if (const auto content = excerpt_.representatives_.find(keys[k]);
        content != excerpt_.representatives_.end()) {
      for (const HBaseName& name : content->second) take(excerpt_.number_of(name));
    } else if (const auto found = excerpt_.lists_.find(keys[k]); found != excerpt_.lists_.end()) {
      for (const TextNumber text : found->second.numbers) take(text);
    } else {
      keys_.push_back(keys[k]);
    }
    if (newest != nullptr)
      for (const TextNumber text : newest->find(keys[k])) take(text);
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
  const auto& [entry, packed] = found->second;
  // The text may have been removed meanwhile.
  if (!is_named(entry, name) || packed.size() != entry->packed_bytes) return false;
  const auto [family, is_new] = excerpt_.family_numbers_.try_emplace(
      bytes_of_name(entry->first), static_cast<TextNumber>(excerpt_.families_.size()));
  if (is_new) excerpt_.families_.push_back(entry->first);
  row = entry->row();
  row.family = family->second;
  row.content = text;
  row.packed = packed;
  return true;
}

}  // namespace leitong::online
