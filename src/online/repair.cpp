#include "online/repair.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/try.hpp"
#include "io/staged.hpp"
#include "online/online_index.hpp"
#include "scheme/scheme.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

Result<void> move_to(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be put in place of {}: {}", from.string(), to.string(),
                                           error.message()));
  return sync_folder_of(to);
}

/// The specification and the contents of a damaged index.
struct Remains {
  std::unique_ptr<Store> store;
  IndexSpec spec;
  Counts counts;
  std::vector<OpenSource> sources;
  TextNumber end = 0;  ///< number after the last text; a source whose commit was interrupted is open again
};

Result<Remains> open_remains(const fs::path& place) {
  Remains remains;
  LEITONG_ASSIGN(remains.store, Store::open_damaged(place));
  LEITONG_ASSIGN(std::optional<IndexSpec> spec, remains.store->spec());
  if (!spec) return fail(ErrorCode::corrupt, "nothing says what it was made with");
  remains.spec = std::move(*spec);
  LEITONG_ASSIGN(remains.counts, remains.store->counts());
  LEITONG_ASSIGN(remains.sources, remains.store->open_sources());
  LEITONG_ASSIGN(remains.end, remains.store->shown_end());
  return remains;
}

/// Continues replace_store() after a process was killed.
Result<void> end_replacing(const fs::path& place) {
  const fs::path draft = place / "anew";
  std::error_code error;
  if (fs::exists(place / "texts", error) || !fs::exists(draft / "texts", error)) return {};
  if (fs::exists(draft / "durable", error)) LEITONG_TRY(move_to(draft / "durable", place / "durable"));
  LEITONG_TRY(move_to(draft / "texts", place / "texts"));
  fs::remove_all(draft, error);
  return {};
}

/// Builds the store of a damaged index again from the texts that can be read.
Result<void> replace_store(const Context& context, const fs::path& place) {
  const fs::path draft = place / "anew";
  std::error_code error;
  fs::remove_all(draft, error);
  auto opened = open_remains(place);
  if (!opened)
    return fail(opened.error().code,
                fmt::format("{}: can't be repaired; put a snapshot of it in its place: {}", place.string(),
                            opened.error().message));
  const Remains& damaged = *opened;
  Committed added;
  // The index keeps its secret.
  fs::create_directory(draft, error);
  fs::copy_file(place / "secret", draft / "secret", error);
  {
    Settings settings;
    settings.durability = Durability::none;
    settings.scheme = damaged.spec.scheme.name;
    settings.params = damaged.spec.given;
    settings.keep_texts = damaged.spec.keeps_texts;
    settings.folding = folding_of(damaged.spec.scheme);
    LEITONG_ASSIGN(const auto index, OnlineIndex::open(context, draft, settings));
    const auto readable = [&](const Store::EachRow& take) {
      return damaged.store->for_each_readable([&](TextNumber number, const Row& row) -> Result<void> {
        LEITONG_TRY(StopToken(context.state().stop).check());
        return number < damaged.end ? take(number, row) : Result<void>{};
      });
    };
    LEITONG_TRY(index->sources().add_rows(readable, added));
    LEITONG_ASSIGN(Change change, index->store().change());
    for (const OpenSource& source : damaged.sources) change.put_open(source.name, source.folder);
    LEITONG_TRY(index->store().commit(change));
    LEITONG_TRY(index->store().make_durable());
  }
  if (const LogFn& say = context.settings().log)
    say(LogLevel::warning,
        fmt::format("{}: {} of {} texts could be read, and are kept; the damaged files are in {}",
                    place.string(), added.texts, damaged.counts.texts, (place / "texts-damaged").string()));
  fs::remove_all(place / "texts-damaged", error);
  LEITONG_TRY(move_to(place / "texts", place / "texts-damaged"));
  return end_replacing(place);
}

/// Opens the index with the texts that can be read.
Result<std::unique_ptr<IndexCore>> open_readable(const Context& context, const fs::path& place,
                                                 const Settings& settings) {
  const auto open_whole = [&]() -> Result<std::unique_ptr<IndexCore>> {
    LEITONG_ASSIGN(auto core, IndexCore::open(context, place, settings, true));
    LEITONG_TRY(core->store->verify());
    return core;
  };
  auto opened = open_whole();
  if (opened || opened.error().code != ErrorCode::corrupt) return opened;
  LEITONG_TRY(replace_store(context, place));
  return open_whole();
}

/// Makes all postings from the texts.
Result<void> rebuild_postings(IndexCore& core, Segments& segments) {
  State& state = core.state;
  Store& store = *core.store;
  const ScratchPool::Lease scratch(core.scratches);
  CheckScratch& space = *scratch;
  CheckedText text;
  std::string bytes;
  Delta none;  // only the full keys of the delta are used
  Counts counts;
  const auto post = [&](TextNumber number, const Row& row) -> Result<void> {
    LEITONG_TRY(core.go_on());
    counts.add(row.verdict);
    // These numbers belong to removed texts.
    while (state.next() < number) state.take({state.next(), {}, {}});
    LEITONG_TRY(space.codec.unpack(row.packed, row.text_bytes, bytes));
    text.text = bytes;
    text.stamp = row.stamp;
    core.scheme->prepare(core.secret, text, space);
    LogEntry entry{number, core.scheme->record(text), {}};
    core.scheme->keep_row(row, number, entry.record);
    LEITONG_ASSIGN(const TextNumber content, store.representative(row.content));
    if (content == number) {
      LEITONG_ASSIGN(const TextNumber family, store.representative(row.family));
      none.first = number;
      const View view{state, &none};
      text.look = Look::copies;
      LEITONG_TRY(core.check_one(view, space, text));
      text.match = family;
      LEITONG_TRY(core.scheme->post(text, family == number || row.other_work, view, none, entry));
      state.full.merge(none.full);
    }
    state.take(entry);
    if (!segments.must_flush()) return {};
    SegmentList list = state.sealed;
    LEITONG_TRY(segments.seal(list));
    segments.show(std::move(list));
    return {};
  };
  LEITONG_TRY(core.scheme->load(core.context, core.place, state, store, IndexScheme::Loading::anew));
  LEITONG_TRY(store.for_each(post));
  // No number is reused, even if the latest texts were removed.
  LEITONG_ASSIGN(const Beginning beginning, store.begin());
  if (beginning.removals > 0) {
    LEITONG_ASSIGN(const auto last, store.removals_from(beginning.removals - 1, 1, {}));
    while (!last.empty() && state.next() < last[0].texts) state.take({state.next(), {}, {}});
  }
  LEITONG_TRY(core.scheme->flush());
  SegmentList list = state.sealed;
  LEITONG_TRY(segments.seal(list));
  LEITONG_ASSIGN(Change change, store.change());
  change.erase_derived();
  for (const Key key : state.full) change.put_full(key);
  change.put_counts(counts);
  change.put_segments(list.names, UINT32_MAX);
  LEITONG_TRY(store.commit(change));
  LEITONG_TRY(store.make_durable());
  segments.remove_others(list);
  return {};
}

/// Rebuilds the sources whose texts are set aside, and forgets those whose folders are gone.
Result<void> rebuild_aside(IndexCore& core) {
  LEITONG_ASSIGN(const Beginning beginning, core.store->begin());
  LEITONG_ASSIGN(Change change, core.store->change());
  for (const OpenSource& open : beginning.open) {
    auto made = repair_index(core.context, folder_aside(core.place, open.folder));
    if (made) continue;
    if (made.error().code != ErrorCode::not_found) return made;
    change.erase_open(open.name);
    if (beginning.committing && beginning.committing->name == open.name) change.erase_committing();
  }
  return core.store->commit(change);
}

}  // namespace

RepairMark::RepairMark(const fs::path& place) : path_(place.empty() ? place : place / "being-repaired") {}
RepairMark::~RepairMark() {
  if (file_ >= 0) ::close(file_);
}

bool RepairMark::is_set() const {
  std::error_code error;
  return !path_.empty() && fs::exists(path_, error);
}

Result<void> RepairMark::set() {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0)
      return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", path_.string(), std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      return fail(ErrorCode::io,
                  fmt::format("{}: another process repairs this index", path_.parent_path().string()));
    // The process that repaired the index may have removed the file between the two calls.
    struct stat status {};
    if (::fstat(file_, &status) == 0 && status.st_nlink > 0) return sync_folder_of(path_);
    ::close(std::exchange(file_, -1));
  }
}

Result<void> RepairMark::clear() {
  std::error_code error;
  fs::remove(path_, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be removed: {}", path_.string(), error.message()));
  return sync_folder_of(path_);
}

Result<void> repair_index(const Context& context, const fs::path& place) {
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
  const std::unique_ptr<IndexCore> core = std::move(*opened);
  Segments segments(*core);
  segments.avoid_numbers_in_folder();
  LEITONG_TRY(rebuild_postings(*core, segments));
  LEITONG_TRY(rebuild_aside(*core));
  return mark.clear();
}

}  // namespace leitong::online
