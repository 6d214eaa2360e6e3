// Frees the space of removed texts, and copies an index.
#include <fmt/core.h>

#include <unordered_map>

#include "base/try.hpp"
#include "io/output_folder.hpp"
#include "io/staged.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

namespace fs = std::filesystem;

Result<void> OnlineIndex::compact() {
  State& state = core_->state;
  Store& store = *core_->store;
  {
    const Committer::Turn turn(committer_.turns());
    LEITONG_TRY(store.make_writable());
    LEITONG_TRY(sources_.complete_commit());
    // For each full key the number of texts that are left.
    std::unordered_map<Key, std::uint32_t> left;
    for (const Key key : state.full) left.emplace(key, 0);
    const auto note = [&](const Posting& posting) {
      if (const auto full = left.find(posting.key); full != left.end()) ++full->second;
    };
    SegmentList list = state.sealed;
    PostingTable table;
    const auto alive = [&](TextNumber text) { return !state.removed.contains(text); };
    if (core_->place.empty()) {
      for (const Posting& posting : state.table.sorted())
        if (alive(posting.text)) {
          table.add(posting.key, posting.text);
          note(posting);
        }
    } else {
      LEITONG_TRY(core_->scheme->flush());
      LEITONG_TRY(segments_.seal(list));
      LEITONG_TRY(segments_.merge_last(list.segments.size(), true, list, note));
    }
    LEITONG_TRY(core_->scheme->compact(state));
    LEITONG_ASSIGN(Change change, store.change());
    change.erase_removed();
    change.put_all_templates(state.templates);
    std::erase_if(left, [](const auto& key) { return key.second >= kFull / 2; });
    for (const auto& [key, texts] : left) change.erase_full(key);
    if (!core_->place.empty()) change.put_segments(list.names, state.next());
    LEITONG_TRY(store.commit(change));
    core_->template_entries = state.templates.size();
    LEITONG_TRY(store.make_durable());
    if (!core_->place.empty()) segments_.show(std::move(list));
    {
      const auto writing = core_->gate.write();
      if (core_->place.empty()) {
        state.table = std::move(table);
        for (TextNumber text = state.first_record; text < state.next(); ++text)
          if (!alive(text)) state.records[text - state.first_record] = {};
      }
      state.removed = TextSet();
      for (const auto& [key, texts] : left) state.full.erase(key);
      ++state.version;
      state.past.clear();
    }
    segments_.remove_others(state.sealed);
  }
  return store.compact();
}

Result<void> OnlineIndex::snapshot(const fs::path& given) {
  const fs::path folder = without_slash(given);
  if (core_->place.empty())
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
    const Committer::Turn turn(committer_.turns());
    LEITONG_TRY(core_->store->make_writable());  // RocksDB copies only a writable database
    LEITONG_TRY(sources_.complete_commit());
    LEITONG_TRY(core_->store->copy_to(folder));
    for (const SegmentName& name : core_->state.sealed.names) {
      fs::create_hard_link(segment_path(core_->place, name), segment_path(folder, name), error);
      if (error) fs::copy_file(segment_path(core_->place, name), segment_path(folder, name), error);
      if (error) return failed(segment_path(core_->place, name));
    }
  }
  fs::copy_file(core_->place / "secret", folder / "secret", error);
  if (error) return failed(core_->place / "secret");
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

}  // namespace leitong::online
