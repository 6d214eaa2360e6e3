// Builds the store of a damaged index again from the texts that can be read.
#include <fmt/core.h>

#include "base/try.hpp"
#include "io/run_context.hpp"
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
  TextNumber end = 0;  ///< a source whose commit was interrupted is open again
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

}  // namespace

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::open_readable(const Context& context, const fs::path& place,
                                                                const Settings& settings) {
  const auto open_whole = [&]() -> Result<std::unique_ptr<OnlineIndex>> {
    LEITONG_ASSIGN(auto index, open_store(context, place, settings, true));
    LEITONG_TRY(index->store_->verify());
    return index;
  };
  auto opened = open_whole();
  if (opened || opened.error().code != ErrorCode::corrupt) return opened;
  LEITONG_TRY(replace_store(context, place));
  return open_whole();
}

Result<void> OnlineIndex::replace_store(const Context& context, const fs::path& place) {
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
    LEITONG_ASSIGN(const auto index, open(context, draft, settings));
    const auto readable = [&](const Store::EachRow& take) {
      return damaged.store->for_each_readable([&](TextNumber number, const Row& row) -> Result<void> {
        LEITONG_TRY(StopToken(context.state().stop).check());
        return number < damaged.end ? take(number, row) : Result<void>{};
      });
    };
    LEITONG_TRY(index->add_rows(readable, added));
    LEITONG_ASSIGN(Change change, index->store_->change());
    for (const OpenSource& source : damaged.sources) change.put_open(source.name, source.folder);
    LEITONG_TRY(index->store_->commit(change));
    LEITONG_TRY(index->store_->make_durable());
  }
  if (const LogFn& say = context.settings().log)
    say(LogLevel::warning,
        fmt::format("{}: {} of {} texts could be read, and are kept; the damaged files are in {}",
                    place.string(), added.texts, damaged.counts.texts, (place / "texts-damaged").string()));
  fs::remove_all(place / "texts-damaged", error);
  LEITONG_TRY(move_to(place / "texts", place / "texts-damaged"));
  return end_replacing(place);
}

Result<void> OnlineIndex::end_replacing(const fs::path& place) {
  const fs::path draft = place / "anew";
  std::error_code error;
  if (fs::exists(place / "texts", error) || !fs::exists(draft / "texts", error)) return {};
  if (fs::exists(draft / "durable", error)) LEITONG_TRY(move_to(draft / "durable", place / "durable"));
  LEITONG_TRY(move_to(draft / "texts", place / "texts"));
  fs::remove_all(draft, error);
  return {};
}

}  // namespace leitong::online
