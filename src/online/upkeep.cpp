// Segments: postings move from memory to files, files are merged, and all of them can be built again.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "base/stop.hpp"
#include "base/try.hpp"
#include "io/output_folder.hpp"
#include "io/run_context.hpp"
#include "io/staged.hpp"
#include "online/online_index.hpp"
#include "online/repair_mark.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

// So many segments of one tier become one of the next: each posting is written once for each factor of this
// in the number of segments.
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

Result<void> OnlineIndex::seal(std::vector<SegmentName>& names,
                               std::vector<std::shared_ptr<const Segment>>& segments) {
  const PodVector<Posting> postings = state_.table.sorted();
  LEITONG_TRY(add_segment(content_of(postings, state_), 0, names, segments));
  const auto tier_is_full = [&] {
    return names.size() >= kFanOut && names[names.size() - kFanOut].tier == names.back().tier;
  };
  const auto fits = [&] {
    std::uint64_t sum = 0;
    for (std::size_t i = segments.size() - kFanOut; i < segments.size(); ++i) sum += segments[i]->postings();
    return sum <= Segment::kMostPostings;
  };
  while (tier_is_full() && fits())
    LEITONG_TRY(merge_last(kFanOut, false, names, segments, [](const Posting&) {}));
  return {};
}

Result<void> OnlineIndex::merge_last(std::size_t count, bool forget, std::vector<SegmentName>& names,
                                     std::vector<std::shared_ptr<const Segment>>& segments,
                                     const std::function<void(const Posting&)>& note) {
  const auto old_count = static_cast<std::ptrdiff_t>(count);
  const std::vector<std::shared_ptr<const Segment>> old(segments.end() - old_count, segments.end());
  std::uint32_t tier = 0;
  for (std::size_t i = names.size() - count; i < names.size(); ++i) tier = std::max(tier, names[i].tier + 1);
  const auto alive = [&](TextNumber text) { return !state_.removed.contains(text); };
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
  return add_segment(content, tier, names, segments);
}

Result<void> OnlineIndex::add_segment(const SegmentContent& content, std::uint32_t tier,
                                      std::vector<SegmentName>& names,
                                      std::vector<std::shared_ptr<const Segment>>& segments) {
  const SegmentName name{next_segment_++, tier};
  LEITONG_TRY(write_segment(segment_path(place_, name), content));
  LEITONG_ASSIGN(auto segment, Segment::open(segment_path(place_, name)));
  names.push_back(name);
  segments.push_back(std::move(segment));
  return {};
}

void OnlineIndex::show_sealed(std::vector<SegmentName> names,
                              std::vector<std::shared_ptr<const Segment>> segments) {
  const auto writing = gate_.write();
  state_.names = std::move(names);
  state_.segments = std::move(segments);
  state_.table.clear();  // it will soon have the same size again
  state_.first_record = state_.next();
  state_.records.clear();
}

OnlineIndex::~OnlineIndex() {
  constexpr std::uint64_t kLong = std::uint64_t{1} << 17;
  // A failure loses nothing: the log has everything.
  if (loaded_ && !place_.empty() && !store_->is_bulk() && !store_->is_read_only() && unsealed() >= kLong)
    static_cast<void>(flush());
}

Result<void> OnlineIndex::flush() {
  std::vector<SegmentName> names = state_.names;
  std::vector<std::shared_ptr<const Segment>> segments = state_.segments;
  Result<void> result = scheme_->flush();
  if (result) result = seal(names, segments);
  // Opening the index reads all rows: together they are not much longer than one row of everything.
  constexpr std::uint64_t kFewEntries = std::uint64_t{1} << 14;
  const std::uint64_t known = state_.templates.size();
  const bool joins_templates = !committing_ && template_entries_ > known + known / 2 + kFewEntries;
  const auto commit_names = [&]() -> Result<void> {
    LEITONG_ASSIGN(Change change, store_->change());
    change.put_segments(names, state_.next());
    if (joins_templates) change.put_all_templates(state_.templates);
    return store_->commit(change);
  };
  if (!result) {
    remove_other_segments(state_.names);  // the new ones are useless
    return result;
  }
  // A list whose writing failed may still be read from the log, so the files of both stay.
  if (!store_->is_bulk()) {
    LEITONG_TRY(commit_names());
    if (joins_templates) template_entries_ = state_.templates.size();
    const bool merged = names.size() <= state_.names.size();
    if (merged) LEITONG_TRY(store_->make_durable());
  }
  show_sealed(std::move(names), std::move(segments));
  flush_at_ = settings_.postings_in_memory;
  // Readers keep merged segments mapped while they read.
  remove_other_segments(state_.names);
  return {};
}

void OnlineIndex::remove_other_segments(const std::vector<SegmentName>& names) const {
  std::vector<fs::path> known;
  for (const SegmentName& name : names) known.push_back(segment_path(place_, name));
  remove_others("segment-", known);
}

void OnlineIndex::remove_others(std::string_view prefix, const std::vector<fs::path>& known) const {
  if (place_.empty()) return;
  std::error_code ignored;
  std::vector<fs::path> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(place_, ignored))
    if (entry.path().filename().string().starts_with(prefix) &&
        std::ranges::find(known, entry.path()) == known.end())
      others.push_back(entry.path());
  for (const fs::path& path : others) fs::remove_all(path, ignored);
}

Result<void> OnlineIndex::compact() {
  {
    const Turn turn(*this);
    LEITONG_TRY(store_->make_writable());
    LEITONG_TRY(go_on_committing());
    // For full keys: the number of texts that are left.
    std::unordered_map<Key, std::uint32_t> left;
    for (const Key key : state_.full) left.emplace(key, 0);
    const auto note = [&](const Posting& posting) {
      if (const auto full = left.find(posting.key); full != left.end()) ++full->second;
    };
    std::vector<SegmentName> names = state_.names;
    std::vector<std::shared_ptr<const Segment>> segments = state_.segments;
    PostingTable table;
    const auto alive = [&](TextNumber text) { return !state_.removed.contains(text); };
    if (place_.empty()) {
      for (const Posting& posting : state_.table.sorted())
        if (alive(posting.text)) {
          table.add(posting.key, posting.text);
          note(posting);
        }
    } else {
      LEITONG_TRY(scheme_->flush());
      LEITONG_TRY(seal(names, segments));
      LEITONG_TRY(merge_last(segments.size(), true, names, segments, note));
    }
    LEITONG_TRY(scheme_->compact(state_));
    LEITONG_ASSIGN(Change change, store_->change());
    change.erase_removed();
    change.put_all_templates(state_.templates);
    std::erase_if(left, [](const auto& key) { return key.second >= kFull / 2; });
    for (const auto& [key, texts] : left) change.erase_full(key);
    if (!place_.empty()) change.put_segments(names, state_.next());
    LEITONG_TRY(store_->commit(change));
    template_entries_ = state_.templates.size();
    LEITONG_TRY(store_->make_durable());
    if (!place_.empty()) show_sealed(std::move(names), std::move(segments));
    {
      const auto writing = gate_.write();
      if (place_.empty()) {
        state_.table = std::move(table);
        for (TextNumber text = state_.first_record; text < state_.next(); ++text)
          if (!alive(text)) state_.records[text - state_.first_record] = {};
      }
      state_.removed = TextSet();
      for (const auto& [key, texts] : left) state_.full.erase(key);
      ++state_.version;
      state_.past.clear();
    }
    remove_other_segments(state_.names);
  }
  return store_->compact();
}

Result<void> OnlineIndex::snapshot(const fs::path& given) {
  const fs::path folder = without_slash(given);
  if (place_.empty())
    return fail(ErrorCode::invalid_argument, "an index in memory has no files to copy; export its texts");
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: is there already; name a folder that isn't", folder.string()));
  int attempt = 0;
  while (fs::exists(temporary_name(folder, attempt), error)) ++attempt;
  const fs::path draft = temporary_name(folder, attempt);
  Result<void> result = copy_to(draft);
  if (result) {
    fs::rename(draft, folder, error);
    if (error)
      result = fail(ErrorCode::io, fmt::format("{}: can't be made: {}", folder.string(), error.message()));
  }
  if (!result) {
    fs::remove_all(draft, error);
    return result;
  }
  return sync_folder_of(folder);
}

Result<void> OnlineIndex::copy_to(const fs::path& folder) {
  std::error_code error;
  const auto failed = [&](const fs::path& path) {
    return fail(ErrorCode::io, fmt::format("{}: can't be copied: {}", path.string(), error.message()));
  };
  fs::create_directories(folder, error);
  if (error) return failed(folder);
  {
    const Turn turn(*this);
    LEITONG_TRY(store_->make_writable());  // RocksDB copies only a writable database
    LEITONG_TRY(go_on_committing());
    LEITONG_TRY(store_->copy_to(folder));
    for (const SegmentName& name : state_.names) {
      fs::create_hard_link(segment_path(place_, name), segment_path(folder, name), error);
      if (error) fs::copy_file(segment_path(place_, name), segment_path(folder, name), error);
      if (error) return failed(segment_path(place_, name));
    }
  }
  fs::copy_file(place_ / "secret", folder / "secret", error);
  if (error) return failed(place_ / "secret");
  // Texts that are set aside are not copied.
  Settings settings;
  settings.create = false;
  LEITONG_ASSIGN(const auto copy, Store::open(folder, settings));
  LEITONG_ASSIGN(const Beginning beginning, copy->begin());
  LEITONG_ASSIGN(Change change, copy->change());
  for (const OpenSource& source : beginning.open) change.erase_open(source.name);
  // From here on the two differ: a follower of one cannot continue with the other.
  change.put_history(random_secret().low);
  LEITONG_TRY(copy->commit(change));
  return sync_folder_of(folder / "secret");
}

Result<void> OnlineIndex::rebuild_postings() {
  const ScratchPool::Lease scratch(scratches_);
  CheckScratch& space = *scratch;
  CheckedText text;
  std::string bytes;
  Delta none;  // only its full keys are used
  Counts counts;
  const auto post = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(StopToken(context_.state().stop).check());
    counts.add(row.verdict);
    // These numbers belong to removed texts.
    while (state_.next() < number) state_.take({state_.next(), {}, {}});
    LEITONG_TRY(space.codec.unpack(row.packed, row.text_bytes, bytes));
    text.text = bytes;
    text.stamp = row.stamp;
    scheme_->prepare(secret_, text, space);
    LogEntry entry{number, scheme_->record(text), {}};
    scheme_->keep_row(row, number, entry.record);
    LEITONG_ASSIGN(const TextNumber content, store_->representative(row.content));
    if (content == number) {
      LEITONG_ASSIGN(const TextNumber family, store_->representative(row.family));
      none.first = number;
      const View view{state_, &none};
      text.look = Look::copies;
      LEITONG_TRY(check_one(view, space, text));
      text.match = family;
      LEITONG_TRY(scheme_->post(text, family == number || row.other_work, view, none, entry));
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
  LEITONG_TRY(scheme_->load(context_, place_, state_, *store_, IndexScheme::Loading::anew));
  LEITONG_TRY(store_->for_each(post));
  // No number is reused, even if the latest texts were removed.
  LEITONG_ASSIGN(const Beginning beginning, store_->begin());
  if (beginning.removals > 0) {
    LEITONG_ASSIGN(const auto last, store_->removals_from(beginning.removals - 1, 1, {}));
    while (!last.empty() && state_.next() < last[0].texts) state_.take({state_.next(), {}, {}});
  }
  LEITONG_TRY(scheme_->flush());
  std::vector<SegmentName> names = state_.names;
  std::vector<std::shared_ptr<const Segment>> segments = state_.segments;
  LEITONG_TRY(seal(names, segments));
  LEITONG_ASSIGN(Change change, store_->change());
  change.erase_derived();
  for (const Key key : state_.full) change.put_full(key);
  change.put_counts(counts);
  change.put_segments(names, UINT32_MAX);
  LEITONG_TRY(store_->commit(change));
  LEITONG_TRY(store_->make_durable());
  remove_other_segments(names);
  return {};
}

Result<void> OnlineIndex::rebuild(const Context& context, const fs::path& place) {
  const Settings settings{.create = false};
  if (const auto there = holds_index(place); there && !*there && !RepairMark(place).is_set())
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here to repair", place.string()));
  RepairMark mark(place);
  const bool was_interrupted = mark.is_set(), had_secret = fs::exists(place / "secret");
  LEITONG_TRY(mark.set());
  LEITONG_TRY(end_replacing(place));
  auto opened = open_readable(context, place, settings);
  if (!opened) {
    // The folder is unchanged: a mark would suggest that another repair helps.
    if (std::error_code ignored; !was_interrupted && !had_secret) fs::remove(place / "secret", ignored);
    if (!was_interrupted) LEITONG_TRY(mark.clear());
    return tl::unexpected<Error>(std::move(opened.error()));
  }
  const std::unique_ptr<OnlineIndex> index = std::move(*opened);
  for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
    // The store's list still names the old files, which stay until the new list is written.
    unsigned number = 0;
    if (std::sscanf(entry.path().filename().c_str(), "segment-%u", &number) == 1)
      index->next_segment_ = std::max(index->next_segment_, number + 1);
  }
  index->flush_at_ = settings.postings_in_memory;
  LEITONG_TRY(index->rebuild_postings());
  LEITONG_TRY(index->rebuild_aside());
  return mark.clear();
}

}  // namespace leitong::online
