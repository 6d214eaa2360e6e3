// Segments: postings go from memory to files, files become fewer, and all of them can be made anew.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "base/stop.hpp"
#include "base/try.hpp"
#include "io/run_context.hpp"
#include "online/online_index.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

// Segments of one tier that become one of the next: each posting is written again once for each factor of
// this in their number.
constexpr std::size_t kFanOut = 4;

/// What a table holds, as a segment.
SegmentContent content_of(const std::vector<Posting>& postings, const State& state) {
  SegmentContent content{
      .most_postings = postings.size(), .first_text = state.first_record, .records = {state.records}};
  for (std::size_t i = 0; i < postings.size(); ++i)
    content.most_keys += i == 0 || postings[i].key != postings[i - 1].key;
  content.postings = [&](const auto& take) -> Result<void> {
    for (const Posting& posting : postings) LEITONG_TRY(take(posting));
    return {};
  };
  return content;
}

}  // namespace

Result<void> OnlineIndex::seal(std::vector<SegmentName>& names,
                               std::vector<std::shared_ptr<const Segment>>& segments) {
  const auto add = [&](const SegmentContent& content, std::uint32_t tier) -> Result<void> {
    const SegmentName name{next_segment_++, tier};
    LEITONG_TRY(write_segment(segment_path(place_, name), content));
    LEITONG_ASSIGN(auto segment, Segment::open(segment_path(place_, name)));
    names.push_back(name);
    segments.push_back(std::move(segment));
    return {};
  };
  const std::vector<Posting> postings = state_.table.sorted();
  LEITONG_TRY(add(content_of(postings, state_), 0));
  const auto tier_is_full = [&] {
    return names.size() >= kFanOut && names[names.size() - kFanOut].tier == names.back().tier;
  };
  while (tier_is_full()) {
    const std::uint32_t tier = names.back().tier + 1;
    const std::vector<std::shared_ptr<const Segment>> old(segments.end() - kFanOut, segments.end());
    LEITONG_ASSIGN(const SegmentContent content,
                   merged(old, [&](TextNumber text) { return !state_.removed.contains(text); }));
    names.resize(names.size() - kFanOut);
    segments.resize(segments.size() - kFanOut);
    LEITONG_TRY(add(content, tier));
  }
  return {};
}

void OnlineIndex::show_sealed(std::vector<SegmentName> names,
                              std::vector<std::shared_ptr<const Segment>> segments) {
  const auto writing = gate_.write();
  state_.names = std::move(names);
  state_.segments = std::move(segments);
  state_.table = PostingTable();
  state_.first_record = state_.next();
  state_.records.clear();
}

Result<void> OnlineIndex::flush() {
  std::vector<SegmentName> names = state_.names;
  std::vector<std::shared_ptr<const Segment>> segments = state_.segments;
  Result<void> result = seal(names, segments);
  if (result) {
    Change change = store_->change();
    change.put_segments(names, state_.next());
    result = store_->commit(change);
  }
  if (result) {
    show_sealed(std::move(names), std::move(segments));
    flush_at_ = settings_.postings_in_memory;
  }
  // Those that were merged, or are in vain. Readers keep them mapped as long as they read.
  remove_other_segments(state_.names);
  return result;
}

void OnlineIndex::remove_other_segments(const std::vector<SegmentName>& names) const {
  if (place_.empty()) return;
  std::error_code ignored;
  std::vector<fs::path> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(place_, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool known = std::ranges::any_of(
        names, [&](const SegmentName& n) { return segment_path(place_, n).filename() == name; });
    if (name.starts_with("segment-") && !known) others.push_back(entry.path());
  }
  for (const fs::path& path : others) fs::remove(path, ignored);
}

Result<void> OnlineIndex::rebuild_postings() {
  const ScratchLease scratch(*this);
  CheckScratch& space = *scratch;
  CheckedText text;
  std::string bytes;
  Delta none;  // of which nothing but the full keys is used
  const auto post = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(StopToken(context_.state().stop).check());
    // Numbers of texts that were removed.
    while (state_.next() < number) state_.take({state_.next(), {}, {}});
    LEITONG_TRY(space.codec.unpack(row.packed, row.text_bytes, bytes));
    text.text = bytes;
    make_keys(bytes, secret_, space.keys, text.keys);
    LogEntry entry{number, {static_cast<std::uint32_t>(text.keys.units.size()), text.keys.sketch}, {}};
    LEITONG_ASSIGN(const TextNumber content, store_->holder(row.content));
    if (content == number) {
      LEITONG_ASSIGN(const TextNumber family, store_->holder(row.family));
      none.first = number;
      const View view{state_, &none};
      LEITONG_TRY(check_text(view, *store_, Look::copies, space, text));
      post_keys(text, family == number, view, none, entry);
      state_.full.merge(none.full);
    }
    state_.take(entry);
    if (!must_flush()) return {};
    std::vector<SegmentName> names = state_.names;
    std::vector<std::shared_ptr<const Segment>> segments = state_.segments;
    LEITONG_TRY(seal(names, segments));
    show_sealed(std::move(names), std::move(segments));
    return {};
  };
  LEITONG_TRY(store_->for_each(post));
  std::vector<SegmentName> names = state_.names;
  std::vector<std::shared_ptr<const Segment>> segments = state_.segments;
  LEITONG_TRY(seal(names, segments));
  Change change = store_->change();
  change.erase_derived();
  for (const Key key : state_.full) change.put_full(key);
  change.put_segments(names, UINT32_MAX);
  LEITONG_TRY(store_->commit(change));
  remove_other_segments(names);
  return {};
}

Result<void> OnlineIndex::rebuild(const Context& context, const fs::path& place) {
  const Settings settings{.create = false};
  LEITONG_ASSIGN(auto index, open_store(context, place, settings, true));
  for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
    // The store's list still names the old files, which stay until the new list is written.
    unsigned number = 0;
    if (std::sscanf(entry.path().filename().c_str(), "segment-%u", &number) == 1)
      index->next_segment_ = std::max(index->next_segment_, number + 1);
  }
  index->flush_at_ = settings.postings_in_memory;
  return index->rebuild_postings();
}

}  // namespace leitong::online
