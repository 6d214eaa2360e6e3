#include "online/online_index.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/try.hpp"
#include "online/answer.hpp"
#include "online/changes.hpp"
#include "online/repair.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::open(const Context& context, const fs::path& place,
                                                       const Settings& settings) {
  if (settings.postings_in_memory == 0)
    return fail(ErrorCode::invalid_argument, "an index needs room for postings in memory");
  if (const RepairMark mark(place); mark.is_set())
    return fail(
        ErrorCode::corrupt,
        fmt::format("{}: was not repaired to the end; run `leitong index repair` again", place.string()));
  LEITONG_ASSIGN(auto core, IndexCore::open(context, place, settings, false));
  return load(std::move(core));
}

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::make_at_once(const Context& context, const fs::path& place,
                                                               const Settings& settings) {
  LEITONG_ASSIGN(auto core, IndexCore::open(context, place, settings, false, LogOfWrites::none));
  return load(std::move(core));
}

Result<void> OnlineIndex::finish() {
  if (segments_.unsealed() > 0) LEITONG_TRY(segments_.flush());
  const State& state = core_->state;
  LEITONG_ASSIGN(Change change, core_->store->change());
  change.put_all_templates(state.templates);
  for (const Key key : state.full) change.put_full(key);
  change.put_counts(state.counts);
  change.put_segments(state.sealed.names, state.next());
  return core_->store->finish(change);
}

OnlineIndex::~OnlineIndex() {
  constexpr std::uint64_t kLong = std::uint64_t{1} << 17;
  // A failure loses nothing: the log has everything.
  if (loaded_ && !core_->place.empty() && !store().is_bulk() && !store().is_read_only() &&
      segments_.unsealed() >= kLong)
    static_cast<void>(segments_.flush());
}

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::load(std::unique_ptr<IndexCore> core) {
  std::unique_ptr<OnlineIndex> index(new OnlineIndex(std::move(core)));
  IndexCore& of = *index->core_;
  State& state = of.state;
  Store& store = *of.store;
  LEITONG_ASSIGN(Beginning beginning, store.begin());
  state.templates = std::move(beginning.templates);
  of.template_entries = beginning.template_entries;
  LEITONG_TRY(index->segments_.load(beginning.segments));
  for (const LogEntry& entry : beginning.log) {
    if (entry.text != state.next())
      return of.damaged(fmt::format("text {} is missing in the log", state.next()));
    state.take(entry);
  }
  state.full.insert(beginning.full.begin(), beginning.full.end());
  for (const TextNumber text : beginning.removed) state.removed.add(text);
  state.counts = beginning.counts;
  state.history = beginning.history;
  state.first_removal = beginning.first_removal;
  state.removals = beginning.removals;
  LEITONG_ASSIGN(const Extent stored, store.extent());
  if (stored.texts > state.next()) return of.damaged(fmt::format("text {} has no postings", state.next()));
  state.durable = state.extent();
  LEITONG_TRY(
      of.scheme->load(of.context, of.place, state, store,
                      store.is_read_only() ? IndexScheme::Loading::to_read : IndexScheme::Loading::usual));
  LEITONG_TRY(index->sources_.load(beginning));
  index->loaded_ = true;
  return index;
}

Result<std::vector<Answer>> OnlineIndex::check(std::span<const Text> texts, Look look, const Wanted& wanted) {
  LEITONG_TRY(check_wanted(*core_->scheme, wanted));
  std::vector<Answer> answers(texts.size());
  const std::size_t group = core_->scheme->group();
  const auto reading = core_->gate.read();
  LEITONG_TRY(core_->check_in_step());
  const auto check_group = [&](std::size_t g, CheckScratch& scratch) -> Result<void> {
    const std::size_t first = g * group, count = std::min(group, texts.size() - first);
    const CheckedTexts::Lease lease(asked_);
    std::vector<CheckedText>& checked = *lease;
    if (checked.size() < count) checked.resize(count);
    std::vector<CheckedText*> asked;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes += texts[first + i].text.size();
      begin_check(texts[first + i], look, checked[i]);
      checked[i].matches_wanted = wanted.matches;
      core_->prepare(checked[i], false, scratch);
      if (checked[i].verdict != Verdict::refused) asked.push_back(&checked[i]);
    }
    LEITONG_TRY(core_->scheme->check({core_->state}, *core_->store, scratch, asked, nullptr));
    for (const CheckedText* text : asked) checks_.count(text->bounds);
    for (std::size_t i = 0; i < count; ++i) {
      answers[first + i] = answer_of(checked[i]);
      answers[first + i].version = View{core_->state}.version();
      if (wanted.passages) LEITONG_TRY(core_->add_passages(checked[i], answers[first + i], scratch));
    }
    if (bytes > kKeptBytes) checked = std::vector<CheckedText>();
    return {};
  };
  LEITONG_TRY(core_->for_each((texts.size() + group - 1) / group, check_group));
  return answers;
}

Result<std::optional<Stored>> OnlineIndex::get(std::string_view id) {
  const ScratchPool::Lease scratch(core_->scratches);
  CheckScratch& space = *scratch;
  const auto reading = core_->gate.read();
  LEITONG_TRY(core_->check_in_step());
  LEITONG_ASSIGN(const std::optional<TextNumber> text, core_->store->find(id));
  if (!text || *text >= core_->state.visible_end) return std::nullopt;
  LEITONG_ASSIGN(const bool there, core_->store->read(*text, space.row));
  if (!there) return std::nullopt;
  LEITONG_ASSIGN(Stored stored, stored_of(*core_->store, *text, space.row, {}, space.codec));
  return stored;
}

Result<void> OnlineIndex::for_each_stored(const std::string* source, const EachStored& each) {
  const ScratchPool::Lease scratch(core_->scratches);
  Moment moment;
  TextNumber end = 0;
  {
    const auto reading = core_->gate.read();
    LEITONG_ASSIGN(moment, core_->store->moment());
    end = core_->state.visible_end;
  }
  const auto pass_on = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(core_->go_on());
    if (number >= end) return {};
    LEITONG_ASSIGN(const Stored stored, stored_of(*core_->store, number, row, moment, (*scratch).codec));
    return each(stored);
  };
  return source == nullptr ? core_->store->for_each(pass_on, moment)
                           : core_->store->for_each_of(*source, pass_on, moment);
}

Result<Changes> OnlineIndex::changes(std::string_view since, const ChangesWanted& wanted) {
  LEITONG_TRY(online::check_wanted(wanted));
  const State& state = core_->state;
  const Store& store = *core_->store;
  Moment moment;
  Extent end;
  {
    const auto reading = core_->gate.read();
    LEITONG_ASSIGN(moment, store.moment());
    end = {std::min<std::uint64_t>(state.durable.texts, state.visible_end), state.durable.removals};
  }
  const ScratchPool::Lease scratch(core_->scratches);
  return changes_of(store, state.history, end, moment, since, wanted, (*scratch).codec);
}

Result<Explanation> OnlineIndex::explain(std::string_view text) {
  const ScratchPool::Lease scratch(core_->scratches);
  CheckedText checked;
  checked.text = text;
  core_->prepare(checked, false, *scratch);
  Explanation explanation;
  const auto reading = core_->gate.read();
  if (checked.verdict != Verdict::refused)
    LEITONG_TRY(core_->check_one({core_->state}, *scratch, checked, &explanation));
  explanation.units = static_cast<std::uint32_t>(checked.keys.units.size());
  explanation.answer = answer_of(checked);
  explanation.answer.version = View{core_->state}.version();
  return explanation;
}

Result<void> OnlineIndex::verify() {
  const State& state = core_->state;
  const Store& store = *core_->store;
  LEITONG_TRY(store.verify());
  LEITONG_TRY(sources_.verify());
  const auto reading = core_->gate.read();
  for (const auto& segment : state.sealed.segments) LEITONG_TRY(segment->verify());
  const ScratchPool::Lease scratch(core_->scratches);
  CheckedText text;
  std::string bytes;
  std::uint64_t texts = 0;
  const auto verify_text = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(core_->go_on());
    texts += number < state.next();
    if (number >= std::min(state.next(), state.visible_end)) return {};  // not shown yet
    const auto damaged = [&](std::string_view what) {
      return core_->damaged(fmt::format("the text with the id \"{}\" {}", row.id, what));
    };
    if (!(*scratch).codec.unpack(row.packed, row.text_bytes, bytes)) return damaged("is damaged");
    LEITONG_ASSIGN(const std::optional<TextNumber> by_id, store.find(row.id));
    if (by_id != number) return damaged("isn't found by it");
    LEITONG_ASSIGN(const TextNumber representative, store.representative(row.content));
    if (representative != number) return {};
    text.text = bytes;
    text.stamp = row.packed.empty() ? row.stamp : std::nullopt;
    core_->scheme->prepare(core_->secret, text, *scratch);
    LEITONG_ASSIGN(const TextRecord record, View{state}.record(number));
    if (!core_->scheme->is_record_of(record, text, row, number))
      return damaged("isn't what the postings were made of");
    LEITONG_ASSIGN(const bool held, core_->scheme->holds(record, number));
    const std::uint32_t most = kFull;
    LEITONG_TRY(View{state}.find_lists({&text.keys.content, 1}, {&most, 1}, (*scratch).lists));
    const bool by_content = (text.stamp && !text.stamp->digest) ||
                            std::ranges::find((*scratch).lists[0], number) != (*scratch).lists[0].end();
    if (!held || !by_content) return damaged("has no postings");
    return {};
  };
  LEITONG_TRY(store.for_each(verify_text));
  if (texts != state.counts.texts)
    return core_->damaged(fmt::format("{} texts are there of {}", texts, state.counts.texts));
  return {};
}

Result<Figures> OnlineIndex::figures() {
  const State& state = core_->state;
  const Store& store = *core_->store;
  const auto reading = core_->gate.read();
  const Counts& counts = state.counts;
  Figures figures = figures_of(core_->scheme->spec(), counts.fresh, counts.near, counts.exact);
  std::uint64_t postings = state.table.postings(), segment_bytes = 0;
  for (const auto& segment : state.sealed.segments) {
    postings += segment->postings();
    segment_bytes += segment->bytes();
  }
  figures.postings = postings;
  figures.segment_bytes = segment_bytes;
  figures.fingerprints = figures.fingerprint_bytes = 0;
  figures.segments = state.sealed.segments.size();
  figures.full_keys = state.full.size();
  figures.shared_shingles = state.templates.size();
  figures.memory_bytes =
      state.table.bytes() + state.records.capacity() * sizeof(TextRecord) + state.templates.bytes();
  figures.store_bytes = core_->place.empty() ? store.bytes() : disk_bytes(core_->place / "texts");
  figures.version = View{state}.version();
  core_->scheme->add_figures(figures);
  figures.checked_twice = committer_.checked_twice();
  return figures;
}

}  // namespace leitong::online
