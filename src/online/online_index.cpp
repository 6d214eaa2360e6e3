#include "online/online_index.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/try.hpp"
#include "io/staged.hpp"
#include "io/whole_file.hpp"
#include "online/changes.hpp"
#include "online/repair_mark.hpp"
#include "similarity/passages.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> advised(Error error) {
  if (error.code == ErrorCode::corrupt) error.message += "; `leitong index repair` keeps what can be read";
  return tl::unexpected<Error>(std::move(error));
}

/// Makes or reads the file of the index's random bits. A repair makes new ones if they are lost.
Result<SipKey> secret_of(const fs::path& place, bool create, bool to_repair) {
  const fs::path path = place / "secret";
  SipKey bits = random_secret();
  std::error_code none;
  if (to_repair && fs::file_size(path, none) != sizeof bits) fs::remove(path, none);
  if (const int fd = create || to_repair
                         ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
                         : -1;
      fd >= 0) {
    const bool written = ::write(fd, &bits, sizeof bits) == sizeof bits && ::fsync(fd) == 0;
    const int error = errno;
    ::close(fd);
    if (!written) {
      ::unlink(path.c_str());
      return fail(ErrorCode::io,
                  fmt::format("{}: can't be written: {}", path.string(), std::strerror(error)));
    }
    LEITONG_TRY(sync_folder_of(path));
    return bits;
  }
  if (std::error_code error; !fs::exists(path, error))
    return fail(ErrorCode::corrupt,
                fmt::format("{}: is missing; repair the index by `leitong index repair`", path.string()));
  LEITONG_ASSIGN(const std::string bytes, read_whole_file(path, 1 << 10));
  if (bytes.size() != sizeof bits)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: has {} bytes in place of {}; repair the index by `leitong index repair`",
                            path.string(), bytes.size(), sizeof bits));
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

/// The disk space of the files of a folder, reserved space included.
std::uint64_t disk_bytes(const fs::path& folder) {
  constexpr std::uint64_t kBlock = 512;  // the unit of st_blocks
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    struct stat status {};
    if (::lstat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      bytes += static_cast<std::uint64_t>(status.st_blocks) * kBlock;
  }
  return bytes;
}

/// Makes the folder and those above it, durably.
Result<void> make_folder(const fs::path& place) {
  std::error_code error;
  if (fs::exists(place, error)) return {};
  const fs::path whole = fs::absolute(place, error).lexically_normal();
  if (const fs::path above = whole.parent_path(); above != whole) LEITONG_TRY(make_folder(above));
  fs::create_directory(whole, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", place.string(), error.message()));
  return sync_folder_of(whole);
}

/// Checks that a place without an index is an empty folder or does not exist.
Result<void> check_place(const fs::path& place, bool create) {
  std::error_code error;
  if (!create) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  LEITONG_TRY(make_folder(place));
  for (const fs::directory_entry& entry : fs::directory_iterator(place, error)) {
    const std::string name = entry.path().filename().string();
    if (name != "secret" && name != "texts")
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: is a folder of other files ({}); name one that is empty or isn't there",
                              place.string(), name));
  }
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be read: {}", place.string(), error.message()));
  return {};
}

}  // namespace

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::open(const Context& context, const fs::path& place,
                                                       const Settings& settings) {
  if (settings.postings_in_memory == 0)
    return fail(ErrorCode::invalid_argument, "an index needs room for postings in memory");
  if (const RepairMark mark(place); mark.is_set())
    return fail(
        ErrorCode::corrupt,
        fmt::format("{}: was not repaired to the end; run `leitong index repair` again", place.string()));
  LEITONG_ASSIGN(auto index, open_store(context, place, settings, false));
  LEITONG_TRY(index->load());
  return index;
}

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::open_store(const Context& context, const fs::path& place,
                                                             const Settings& settings, bool to_repair,
                                                             LogOfWrites log) {
  SipKey bits = random_secret();
  if (!place.empty()) {
    bool is_there = to_repair;
    if (!to_repair) {
      auto found = holds_index(place);
      if (!found) return advised(std::move(found).error());
      is_there = *found;
    }
    // If no index can be made with these settings, no folder is made.
    if (!is_there && settings.create) LEITONG_TRY(open_index_scheme(context, settings, {}, {}));
    if (!is_there) LEITONG_TRY(check_place(place, settings.create));
    LEITONG_ASSIGN(bits, secret_of(place, !is_there, to_repair));
  }
  std::unique_ptr<OnlineIndex> index(new OnlineIndex(context, place, settings, bits));
  auto store = Store::open(place, settings, log);
  if (!store && !to_repair) return advised(std::move(store).error());
  bool gave_up = false;
  if (!store && store.error().code == ErrorCode::corrupt) {
    const std::string damage = store.error().message;
    LEITONG_TRY(restore_manifest(place));
    store = Store::open(place, settings, log);
    gave_up = !store;
    if (gave_up) {
      // RocksDB would remove the files that a damaged manifest does not name.
      LEITONG_ASSIGN(const auto remains, Store::open_damaged(place));
      const auto spec = remains->spec();
      if (!spec || !*spec) return fail(ErrorCode::corrupt, damage);
    }
    if (gave_up) store = Store::open(place, settings, LogOfWrites::until_damage);
    if (const LogFn& say = context.settings().log; say && store)
      say(LogLevel::warning,
          damage + (gave_up ? "; what was written after the damage, if anything, is given up"
                            : "; it was restored"));
  }
  LEITONG_ASSIGN(index->store_, std::move(store));
  if (gave_up) {
    // A follower may have seen writes that are discarded.
    LEITONG_ASSIGN(Change change, index->store_->change());
    change.put_history(random_secret().low);
    LEITONG_TRY(index->store_->commit(change));
  }
  LEITONG_ASSIGN(const std::optional<IndexSpec> stored, index->store_->spec());
  if (!stored && !settings.create)
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  LEITONG_ASSIGN(index->scheme_, open_index_scheme(context, settings, place, stored));
  if (!stored) LEITONG_TRY(index->store_->set_spec(index->scheme_->spec(), bits));
  if (stored && !place.empty()) LEITONG_TRY(index->store_->check_secret(bits, to_repair));
  return index;
}

Result<void> OnlineIndex::load() {
  LEITONG_ASSIGN(Beginning beginning, store_->begin());
  state_.templates = std::move(beginning.templates);
  template_entries_ = beginning.template_entries;
  state_.names = beginning.segments;
  for (const SegmentName& name : state_.names) {
    next_segment_ = std::max(next_segment_, name.number + 1);
    LEITONG_ASSIGN(auto segment, Segment::open(segment_path(place_, name)));
    if (segment->first_text() != state_.first_record)
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: is of another index; repair the index by `leitong index repair`",
                              segment_path(place_, name).string()));
    state_.first_record += static_cast<TextNumber>(segment->records().size());
    state_.segments.push_back(std::move(segment));
  }
  remove_other_segments(state_.names);
  remove_others(".segment-", {});  // of processes that were killed while they wrote them
  for (const LogEntry& entry : beginning.log) {
    if (entry.text != state_.next())
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: text {} is missing in the log; repair the index by `leitong index repair`",
                              place_.string(), state_.next()));
    state_.take(entry);
  }
  state_.full.insert(beginning.full.begin(), beginning.full.end());
  for (const TextNumber text : beginning.removed) state_.removed.add(text);
  state_.counts = beginning.counts;
  state_.history = beginning.history;
  state_.first_removal = beginning.first_removal;
  state_.removals = beginning.removals;
  LEITONG_ASSIGN(const Extent stored, store_->extent());
  if (stored.texts > state_.next())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: text {} has no postings; repair the index by `leitong index repair`",
                            place_.string(), state_.next()));
  state_.durable = state_.extent();
  LEITONG_TRY(
      scheme_->load(context_, place_, state_, *store_,
                    store_->is_read_only() ? IndexScheme::Loading::to_read : IndexScheme::Loading::usual));
  flush_at_ = settings_.postings_in_memory;
  LEITONG_TRY(load_aside(beginning));
  loaded_ = true;
  return {};
}

Result<void> OnlineIndex::add_passages(const CheckedText& text, Answer& answer, CheckScratch& scratch) const {
  const auto find = [&](TextNumber number, Match& match) -> Result<void> {
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text({state_}, *store_, number, text.keys.folding, scratch, units));
    if (there) match.passages = shared_passages(text.text, scratch.text, text.keys.folding).passages;
    return {};
  };
  if (answer.match && !answer.known) LEITONG_TRY(find(text.match, *answer.match));
  for (std::size_t i = 0; i < answer.others.size(); ++i)
    LEITONG_TRY(find(text.others[i].text, answer.others[i]));
  return {};
}

Result<std::vector<Answer>> OnlineIndex::check(std::span<const Text> texts, Look look, const Wanted& wanted) {
  LEITONG_TRY(check_wanted(*scheme_, wanted));
  std::vector<Answer> answers(texts.size());
  const std::size_t group = scheme_->group();
  const auto reading = gate_.read();
  LEITONG_TRY(check_in_step());
  const auto check_group = [&](std::size_t g, CheckScratch& scratch) -> Result<void> {
    const std::size_t first = g * group, count = std::min(group, texts.size() - first);
    const Pool<std::vector<CheckedText>>::Lease lease(asked_);
    std::vector<CheckedText>& checked = *lease;
    if (checked.size() < count) checked.resize(count);
    std::vector<CheckedText*> asked;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes += texts[first + i].text.size();
      begin_check(texts[first + i], look, checked[i]);
      checked[i].matches_wanted = wanted.matches;
      prepare(checked[i], false, scratch);
      if (checked[i].verdict != Verdict::refused) asked.push_back(&checked[i]);
    }
    LEITONG_TRY(scheme_->check({state_}, *store_, scratch, asked, nullptr));
    for (const CheckedText* text : asked) checks_.count(text->bounds);
    for (std::size_t i = 0; i < count; ++i) {
      answers[first + i] = answer_of(checked[i]);
      answers[first + i].version = View{state_}.version();
      if (wanted.passages) LEITONG_TRY(add_passages(checked[i], answers[first + i], scratch));
    }
    if (bytes > kKeptBytes) checked = std::vector<CheckedText>();
    return {};
  };
  LEITONG_TRY(for_each((texts.size() + group - 1) / group, check_group));
  return answers;
}

Result<std::optional<Stored>> OnlineIndex::get(std::string_view id) {
  const ScratchPool::Lease scratch(scratches_);
  CheckScratch& space = *scratch;
  const auto reading = gate_.read();
  LEITONG_TRY(check_in_step());
  LEITONG_ASSIGN(const std::optional<TextNumber> text, store_->find(id));
  if (!text || *text >= state_.visible_end) return std::nullopt;
  LEITONG_ASSIGN(const bool there, store_->read(*text, space.row));
  if (!there) return std::nullopt;
  LEITONG_ASSIGN(Stored stored, stored_of(*store_, *text, space.row, {}, space.codec));
  return stored;
}

Result<void> OnlineIndex::for_each_stored(const std::string* source, const EachStored& each) {
  const ScratchPool::Lease scratch(scratches_);
  Moment moment;
  TextNumber end = 0;
  {
    const auto reading = gate_.read();
    LEITONG_ASSIGN(moment, store_->moment());
    end = state_.visible_end;
  }
  const auto pass_on = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(StopToken(context_.state().stop).check());
    if (number >= end) return {};
    LEITONG_ASSIGN(const Stored stored, stored_of(*store_, number, row, moment, (*scratch).codec));
    return each(stored);
  };
  return source == nullptr ? store_->for_each(pass_on, moment)
                           : store_->for_each_of(*source, pass_on, moment);
}

Result<Explanation> OnlineIndex::explain(std::string_view text) {
  const ScratchPool::Lease scratch(scratches_);
  CheckedText checked;
  checked.text = text;
  prepare(checked, false, *scratch);
  Explanation explanation;
  const auto reading = gate_.read();
  if (checked.verdict != Verdict::refused) LEITONG_TRY(check_one({state_}, *scratch, checked, &explanation));
  explanation.units = static_cast<std::uint32_t>(checked.keys.units.size());
  explanation.answer = answer_of(checked);
  explanation.answer.version = View{state_}.version();
  return explanation;
}

Result<void> OnlineIndex::verify() {
  LEITONG_TRY(store_->verify());
  for (const std::string& source : open_sources()) {
    const auto aside = find_aside(source);
    if (!aside) continue;  // ended meanwhile
    const std::shared_lock in_use((*aside)->in_use);
    if (!(*aside)->over) LEITONG_TRY((*aside)->index->verify());
  }
  const auto reading = gate_.read();
  for (const auto& segment : state_.segments) LEITONG_TRY(segment->verify());
  const ScratchPool::Lease scratch(scratches_);
  CheckedText text;
  std::string bytes;
  std::uint64_t texts = 0;
  const auto verify_text = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(StopToken(context_.state().stop).check());
    texts += number < state_.next();
    if (number >= std::min(state_.next(), state_.visible_end)) return {};  // not shown yet
    const auto damaged = [&](std::string_view what) {
      return fail(
          ErrorCode::corrupt,
          fmt::format("{}: the text with the id \"{}\" {}; repair the index by `leitong index repair`",
                      place_.string(), row.id, what));
    };
    if (!(*scratch).codec.unpack(row.packed, row.text_bytes, bytes)) return damaged("is damaged");
    LEITONG_ASSIGN(const std::optional<TextNumber> by_id, store_->find(row.id));
    if (by_id != number) return damaged("isn't found by it");
    LEITONG_ASSIGN(const TextNumber representative, store_->representative(row.content));
    if (representative != number) return {};
    text.text = bytes;
    text.stamp = row.packed.empty() ? row.stamp : std::nullopt;
    scheme_->prepare(secret_, text, *scratch);
    LEITONG_ASSIGN(const TextRecord record, View{state_}.record(number));
    if (!scheme_->is_record_of(record, text, row, number))
      return damaged("isn't what the postings were made of");
    LEITONG_ASSIGN(const bool held, scheme_->holds(record, number));
    const std::uint32_t most = kFull;
    LEITONG_TRY(View{state_}.find_lists({&text.keys.content, 1}, {&most, 1}, (*scratch).lists));
    const bool by_content = (text.stamp && !text.stamp->digest) ||
                            std::ranges::find((*scratch).lists[0], number) != (*scratch).lists[0].end();
    if (!held || !by_content) return damaged("has no postings");
    return {};
  };
  LEITONG_TRY(store_->for_each(verify_text));
  if (texts != state_.counts.texts)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: {} texts are there of {}; repair the index by `leitong index repair`",
                            place_.string(), texts, state_.counts.texts));
  return {};
}

Result<Figures> OnlineIndex::figures() {
  const auto reading = gate_.read();
  Figures figures;
  figures.texts = state_.counts.texts;
  figures.fresh = state_.counts.fresh;
  figures.near = state_.counts.near;
  figures.exact = state_.counts.exact;
  std::uint64_t postings = state_.table.postings(), segment_bytes = 0;
  for (const auto& segment : state_.segments) {
    postings += segment->postings();
    segment_bytes += segment->bytes();
  }
  figures.postings = postings;
  figures.segment_bytes = segment_bytes;
  figures.fingerprints = figures.fingerprint_bytes = 0;
  figures.segments = state_.segments.size();
  figures.full_keys = state_.full.size();
  figures.shared_shingles = state_.templates.size();
  figures.memory_bytes =
      state_.table.bytes() + state_.records.capacity() * sizeof(TextRecord) + state_.templates.bytes();
  figures.store_bytes = place_.empty() ? store_->bytes() : disk_bytes(place_ / "texts");
  figures.version = View{state_}.version();
  figures.scheme = scheme_text(scheme_->spec().scheme);
  figures.distance = scheme_->spec().distance;
  figures.bits = scheme_->spec().bits;
  scheme_->add_figures(figures);
  checks_.add_to(figures);
  figures.checked_twice = checked_twice_;
  return figures;
}

}  // namespace leitong::online
