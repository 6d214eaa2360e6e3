#include "online/segments.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "base/try.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

// So many segments of one tier become one segment of the next tier, so that each posting is written only a
// logarithmic number of times.
constexpr std::size_t kFanOut = 4;

SegmentContent content_of(std::span<const Posting> postings, const State& state) {
  SegmentContent content{
      .most_postings = postings.size(), .first_text = state.first_record, .records = {state.records}};
  for (std::size_t i = 0; i < postings.size(); ++i)
    content.most_keys += i == 0 || postings[i].key != postings[i - 1].key;
  content.postings = [postings](const auto& take) -> Result<void> {
    for (const Posting& posting : postings) LEITONG_TRY(take(posting));
    return {};
  };
  return content;
}

}  // namespace

void remove_others(const fs::path& folder, std::string_view prefix, const std::vector<fs::path>& known) {
  if (folder.empty()) return;
  std::error_code ignored;
  std::vector<fs::path> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(prefix) &&
        std::ranges::find(known, entry.path()) == known.end())
      others.push_back(entry.path());
  for (const fs::path& path : others) fs::remove_all(path, ignored);
}

Result<void> Segments::load(const std::vector<SegmentName>& names) {
  State& state = core_.state;
  state.sealed.names = names;
  for (const SegmentName& name : names) {
    next_number_ = std::max(next_number_, name.number + 1);
    LEITONG_ASSIGN(auto segment, Segment::open(segment_path(core_.place, name)));
    if (segment->first_text() != state.first_record)
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: is of another index; repair the index by `leitong index repair`",
                              segment_path(core_.place, name).string()));
    state.first_record += static_cast<TextNumber>(segment->records().size());
    state.sealed.segments.push_back(std::move(segment));
  }
  remove_others(state.sealed);
  online::remove_others(core_.place, ".segment-", {});  // of processes that were killed while they wrote them
  return {};
}

Result<void> Segments::seal(SegmentList& list) {
  const PodVector<Posting> postings = core_.state.table.sorted();
  LEITONG_TRY(add(content_of(postings, core_.state), 0, list));
  const auto& [names, segments] = list;
  const auto tier_is_full = [&] {
    return names.size() >= kFanOut && names[names.size() - kFanOut].tier == names.back().tier;
  };
  const auto fits = [&] {
    std::uint64_t sum = 0;
    for (std::size_t i = segments.size() - kFanOut; i < segments.size(); ++i) sum += segments[i]->postings();
    return sum <= Segment::kMostPostings;
  };
  while (tier_is_full() && fits()) LEITONG_TRY(merge_last(kFanOut, false, list, [](const Posting&) {}));
  return {};
}

Result<void> Segments::merge_last(std::size_t count, bool forget, SegmentList& list,
                                  const std::function<void(const Posting&)>& note) {
  auto& [names, segments] = list;
  const std::vector<std::shared_ptr<const Segment>> old(segments.end() - static_cast<std::ptrdiff_t>(count),
                                                        segments.end());
  std::uint32_t tier = 0;
  for (std::size_t i = names.size() - count; i < names.size(); ++i) tier = std::max(tier, names[i].tier + 1);
  const auto alive = [&](TextNumber text) { return !core_.state.removed.contains(text); };
  LEITONG_ASSIGN(SegmentContent content, merged(old, alive));
  if (forget) content.keeps_record = alive;
  content.postings = [&note, all = std::move(content.postings)](const auto& take) {
    return all([&](const Posting& posting) -> Result<void> {
      note(posting);
      return take(posting);
    });
  };
  names.resize(names.size() - count);
  segments.resize(segments.size() - count);
  return add(content, tier, list);
}

Result<void> Segments::add(const SegmentContent& content, std::uint32_t tier, SegmentList& list) {
  const SegmentName name{next_number_++, tier};
  LEITONG_TRY(write_segment(segment_path(core_.place, name), content));
  LEITONG_ASSIGN(auto segment, Segment::open(segment_path(core_.place, name)));
  list.names.push_back(name);
  list.segments.push_back(std::move(segment));
  return {};
}

void Segments::show(SegmentList list) {
  State& state = core_.state;
  const auto writing = core_.gate.write();
  state.sealed = std::move(list);
  state.table.clear();  // it will soon have the same size again
  state.first_record = state.next();
  state.records.clear();
}

Result<void> Segments::flush() {
  State& state = core_.state;
  Store& store = *core_.store;
  SegmentList list = state.sealed;
  Result<void> result = core_.scheme->flush();
  if (result) result = seal(list);
  if (!result) {
    remove_others(state.sealed);  // the new files are useless
    return result;
  }
  // Opening the index reads all rows: together they are not much longer than one row of everything.
  constexpr std::uint64_t kFewEntries = std::uint64_t{1} << 14;
  const std::uint64_t known = state.templates.size();
  const bool joins_templates =
      !state.is_committing() && core_.template_entries > known + known / 2 + kFewEntries;
  // If writing the list failed, the new list may still be in the log, so the files of both lists stay.
  if (!store.is_bulk()) {
    LEITONG_ASSIGN(Change change, store.change());
    change.put_segments(list.names, state.next());
    if (joins_templates) change.put_all_templates(state.templates);
    LEITONG_TRY(store.commit(change));
    if (joins_templates) core_.template_entries = state.templates.size();
    const bool merged = list.names.size() <= state.sealed.names.size();
    if (merged) LEITONG_TRY(store.make_durable());
  }
  show(std::move(list));
  flush_at_ = core_.settings.postings_in_memory;
  remove_others(state.sealed);
  return {};
}

void Segments::flush_if_due() noexcept {
  const auto flushed = [&] {
    try {
      return !must_flush() || flush();
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  if (!flushed()) flush_at_ = unsealed() + core_.settings.postings_in_memory / 4 + 1;
}

void Segments::remove_others(const SegmentList& list) const {
  std::vector<fs::path> known;
  for (const SegmentName& name : list.names) known.push_back(segment_path(core_.place, name));
  online::remove_others(core_.place, "segment-", known);
}

void Segments::avoid_numbers_in_folder() {
  for (const fs::directory_entry& entry : fs::directory_iterator(core_.place)) {
    unsigned number = 0;
    if (std::sscanf(entry.path().filename().c_str(), "segment-%u", &number) == 1)
      next_number_ = std::max(next_number_, number + 1);
  }
}

}  // namespace leitong::online
