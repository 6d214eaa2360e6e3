#include "online/state.hpp"

#include <algorithm>

namespace leitong::online {

void State::take(const LogEntry& entry) {
  records.push_back(entry.record);
  for (const Key key : entry.keys) table.add(key, entry.text);
}

bool State::unchanged(std::span<const Key> keys, std::uint64_t since) const noexcept {
  if (since == version) return true;
  if (past.empty() || past.front().version > since + 1) return false;
  return std::ranges::all_of(past, [&](const PastChange& change) {
    if (change.version <= since) return true;
    return !change.removal &&
           std::ranges::all_of(keys, [&](Key key) { return change.postings.find(key).empty(); });
  });
}

bool State::learned_any(std::span<const std::uint32_t> shingles, std::uint64_t since) const noexcept {
  std::uint64_t known = templates_version;  // templates up to this version were considered
  for (auto change = past.rbegin(); known != since; ++change) {
    if (change == past.rend() || change->templates_version != known) return true;
    if (change->became_templates.any_template(shingles)) return true;
    known -= change->became_templates.size();
  }
  return false;
}

Result<void> View::find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                              PostingLists& lists) const {
  const PostingTable* const newest = delta != nullptr ? &delta->postings : nullptr;
  if (excerpt != nullptr) return excerpt->find_lists(keys, most, newest, lists);
  return online::find_lists({state.sealed.segments, &state.table, newest, &state.removed, end()}, keys, most,
                            lists);
}

namespace {

/// REQUIRES a text before State::first_record.
const Segment& segment_of(const State& state, TextNumber text) noexcept {
  auto segment = state.sealed.segments.rbegin();
  while ((*segment)->first_text() > text) ++segment;
  return **segment;
}

}  // namespace

Result<TextRecord> View::record(TextNumber text) const {
  if (const NewText* fresh = new_text(text)) return fresh->record;
  if (excerpt != nullptr) return excerpt->record(text);
  if (text >= state.first_record) return state.records[text - state.first_record];
  return segment_of(state, text).record(text);
}

void View::prefetch_records(std::span<const TextNumber> texts) const noexcept {
  if (excerpt != nullptr) return;
  for (const TextNumber text : texts) {
    if (text >= state.next()) continue;  // the text belongs to a batch that is being added
    if (text >= state.first_record)
      __builtin_prefetch(&state.records[text - state.first_record]);
    else
      segment_of(state, text).prefetch_record(text);
  }
}

}  // namespace leitong::online
