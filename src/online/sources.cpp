#include "online/sources.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "online/online_index.hpp"
#include "online/segments.hpp"
#include "scheme/scheme.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

// Texts, or bytes of texts, that a commit adds in one write.
constexpr std::size_t kTextsInWrite = 1024, kBytesInWrite = std::size_t{16} << 20;

Result<void> check_name(std::string_view source) {
  if (!source.empty() && source.size() <= kMostIdBytes) return {};
  return fail(ErrorCode::invalid_argument, fmt::format("the name of a source has {} bytes; it needs 1 to {}",
                                                       source.size(), kMostIdBytes));
}

}  // namespace

fs::path folder_aside(const fs::path& place, std::uint32_t number) {
  return place.empty() ? fs::path() : place / fmt::format("aside-{:06}", number);
}

tl::unexpected<Error> Sources::not_open(std::string_view source) const {
  return fail(ErrorCode::not_found,
              fmt::format("{}: the source \"{}\" is not open; begin it first", core_.name(), source));
}

Result<std::shared_ptr<Sources::Aside>> Sources::find(std::string_view source) {
  const std::scoped_lock lock(mutex_);
  const auto found = asides_.find(source);
  if (found == asides_.end()) return not_open(source);
  return found->second;
}

std::vector<std::string> Sources::names() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, aside] : asides_) names.push_back(name);
  return names;
}

Result<void> Sources::verify() {
  for (const std::string& source : names()) {
    const auto aside = find(source);
    if (!aside) continue;  // ended meanwhile
    const std::shared_lock in_use((*aside)->in_use);
    if (!(*aside)->over) LEITONG_TRY((*aside)->index->verify());
  }
  return {};
}

Result<void> Sources::load(const Beginning& beginning) {
  std::vector<fs::path> known;
  Settings settings = core_.settings;
  settings.create = false;
  for (const OpenSource& open : beginning.open) {
    auto aside = std::make_shared<Aside>();
    aside->source = open.name;
    aside->folder = folder_aside(core_.place, open.folder);
    next_folder_ = std::max(next_folder_, open.folder + 1);
    known.push_back(aside->folder);
    auto index = OnlineIndex::open(core_.context, aside->folder, settings);
    if (!index && index.error().code == ErrorCode::not_found)
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: is missing, with what was set aside of the source \"{}\"; "
                              "repair the index by `leitong index repair` to go on without",
                              aside->folder.string(), open.name));
    if (!index) return tl::unexpected<Error>(std::move(index).error());
    aside->index = std::move(*index);
    if (beginning.committing && beginning.committing->name == open.name)
      committing_ = std::move(aside);
    else
      asides_.emplace(open.name, std::move(aside));
  }
  remove_others(core_.place, "aside-", known);
  if (!beginning.committing) return {};
  if (!committing_)
    return core_.damaged(
        fmt::format("what was set aside of the source \"{}\" is missing", beginning.committing->name));
  core_.state.visible_end = beginning.committing->first;
  // If the commit cannot be completed now (a full disk, a stop), the next change tries again. Checks do not
  // need it.
  const auto ended = commit_rest();
  if (!ended && ended.error().code == ErrorCode::corrupt) return tl::unexpected<Error>(ended.error());
  return {};
}

Result<bool> Sources::begin(std::string_view source) {
  LEITONG_TRY(check_name(source));
  const Committer::Turn turn(committer_.turns());
  LEITONG_TRY(complete_commit());
  if (find(source)) return false;
  auto aside = std::make_shared<Aside>();
  aside->source = source;
  const std::uint32_t number = next_folder_++;
  aside->folder = folder_aside(core_.place, number);
  Settings settings = core_.settings;
  settings.create = true;
  settings.scheme = core_.scheme->spec().scheme.name;
  settings.params = core_.scheme->spec().given;
  settings.dictionaries = core_.scheme->spec().dictionaries;
  settings.keep_texts = core_.scheme->spec().keeps_texts;
  settings.folding = folding_of(core_.scheme->spec().scheme);
  LEITONG_ASSIGN(aside->index, OnlineIndex::open(core_.context, aside->folder, settings));
  LEITONG_ASSIGN(Change change, core_.store->change());
  change.put_open(source, number);
  LEITONG_TRY(core_.store->commit(change));
  const std::scoped_lock lock(mutex_);
  asides_.emplace(source, std::move(aside));
  return true;
}

Result<std::vector<Answer>> Sources::add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                         ExpectedVersion expected) {
  // The texts of each source, in the order of their first texts. Null: texts that are shown at once.
  std::vector<std::pair<std::shared_ptr<Aside>, std::vector<std::size_t>>> parts;
  {
    const std::scoped_lock lock(mutex_);
    if (!asides_.empty())
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto found = asides_.find(texts[i].source);
        const std::shared_ptr<Aside> aside = found == asides_.end() ? nullptr : found->second;
        auto part = std::ranges::find(parts, aside, [](const auto& p) { return p.first; });
        if (part == parts.end()) part = parts.insert(part, {aside, {}});
        part->second.push_back(i);
      }
  }
  if (parts.empty() || (parts.size() == 1 && parts.front().first == nullptr))
    return committer_.add(texts, look, wanted, expected);
  if (expected)
    return fail(
        ErrorCode::invalid_argument,
        "texts of an open source are set aside and change no version; add them without an expected one");
  std::vector<Answer> answers(texts.size());
  for (const auto& [aside, places] : parts) {
    std::vector<Text> part;
    for (const std::size_t i : places) part.push_back(texts[i]);
    LEITONG_ASSIGN(std::vector<Answer> got, aside == nullptr ? committer_.add(part, look, wanted, {})
                                                             : set_aside(*aside, part, look, wanted));
    for (std::size_t i = 0; i < places.size(); ++i) answers[places[i]] = std::move(got[i]);
  }
  return answers;
}

Result<std::vector<Answer>> Sources::set_aside(Aside& aside, std::span<const Text> texts, Look look,
                                               const Wanted& wanted) {
  const std::shared_lock in_use(aside.in_use);
  if (aside.over) return committer_.add(texts, look, wanted, {});  // the source was ended meanwhile
  LEITONG_ASSIGN(std::vector<Answer> seen, index_.check(texts, look, wanted));
  LEITONG_ASSIGN(std::vector<Answer> answers, aside.index->add(texts, look, wanted, {}));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    answers[i].version = seen[i].version;
    if (answers[i].verdict == Verdict::refused) continue;
    const bool holds_parts = seen[i].verdict == Verdict::parts && !answers[i].match;
    if (!seen[i].match && !holds_parts) continue;
    seen[i].known = answers[i].known;
    answers[i] = std::move(seen[i]);
  }
  return answers;
}

void Sources::end(Aside& aside) {
  aside.over = true;
  const std::scoped_lock lock(mutex_);
  asides_.erase(aside.source);
}

void Sources::discard(Aside& aside) {
  aside.index->forget();
  aside.index.reset();
  std::error_code ignored;  // the rest is deleted when the index is opened
  if (!aside.folder.empty()) fs::remove_all(aside.folder, ignored);
}

Result<void> Sources::rollback(std::string_view source) {
  LEITONG_ASSIGN(const std::shared_ptr<Aside> aside, find(source));
  const std::unique_lock alone(aside->in_use);
  if (aside->over) return not_open(source);
  const Committer::Turn turn(committer_.turns());
  LEITONG_ASSIGN(Change change, core_.store->change());
  change.erase_open(source);
  LEITONG_TRY(core_.store->commit(change));
  end(*aside);
  discard(*aside);
  return {};
}

Result<Committed> Sources::commit(std::string_view source) {
  LEITONG_ASSIGN(const std::shared_ptr<Aside> aside, find(source));
  const std::unique_lock alone(aside->in_use);
  if (aside->over) return not_open(source);
  const Committer::Turn turn(committer_.turns());
  LEITONG_TRY(complete_commit());
  LEITONG_ASSIGN(Change change, core_.store->change());
  change.put_committing(source, core_.state.next());
  LEITONG_TRY(core_.store->commit(change));
  // From here on the commit will be completed, now or later.
  end(*aside);
  committing_ = aside;
  {
    const auto writing = core_.gate.write();
    core_.state.visible_end = core_.state.next();
  }
  return commit_rest();
}

Result<void> Sources::complete_commit() {
  if (committing_ == nullptr) return {};
  LEITONG_TRY(commit_rest());
  return {};
}

Result<void> Sources::add_rows(const std::function<Result<void>(const Store::EachRow&)>& for_each,
                               Committed& committed) {
  const ScratchPool::Lease scratch(core_.scratches);
  std::vector<Row> rows;
  std::vector<std::string> bytes;
  std::size_t size = 0;
  const auto add_part = [&]() -> Result<void> {
    std::vector<CheckedText> texts;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      texts.push_back(checked_of({rows[i].id, bytes[i], rows[i].source, rows[i].time, rows[i].expires},
                                 rows[i].unchecked ? Look::copies : Look::near));
      texts.back().stamp = rows[i].stamp;
      texts.back().reason.clear();  // an index keeps texts that it has accepted
    }
    LEITONG_TRY(commit_part(texts, committed));
    rows.clear();
    bytes.clear();
    size = 0;
    return {};
  };
  const auto take = [&](TextNumber, const Row& row) -> Result<void> {
    rows.push_back(row);
    LEITONG_TRY((*scratch).codec.unpack(row.packed, row.text_bytes, bytes.emplace_back()));
    size += row.text_bytes;
    return rows.size() == kTextsInWrite || size >= kBytesInWrite ? add_part() : Result<void>{};
  };
  LEITONG_TRY(for_each(take));
  return add_part();
}

// Texts that were added before a failure are known and stay as they are.
Result<Committed> Sources::commit_rest() {
  Committed committed;
  LEITONG_TRY(add_rows([&](const Store::EachRow& take) { return committing_->index->store().for_each(take); },
                       committed));
  LEITONG_ASSIGN(Change change, core_.store->change());
  change.erase_committing();
  change.erase_open(committing_->source);
  LEITONG_TRY(core_.store->commit(change));
  const std::shared_ptr<Aside> ended = std::move(committing_);
  {
    State& state = core_.state;
    const auto writing = core_.gate.write();
    state.visible_end = UINT32_MAX;
    state.durable = state.extent();
    state.full.merge(state.hidden_full);
    state.hidden_full.clear();
    state.templates.set_all(state.hidden_templates);
    state.hidden_templates = {};
    ++state.templates_version;
    // Texts that were checked meanwhile were not compared with these, so they are checked again before they
    // are added.
    ++state.version;
    state.past.clear();
  }
  LEITONG_TRY(core_.store->make_durable());
  discard(*ended);
  return committed;
}

Result<void> Sources::commit_part(std::span<CheckedText> texts, Committed& committed) {
  LEITONG_ASSIGN(const std::vector<Answer> answers, committer_.add_of_source(texts));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Answer& answer = answers[i];
    const bool known = answer.known && texts[i].known && *texts[i].known < core_.state.visible_end;
    ++committed.texts;
    ++(answer.verdict == Verdict::refused ? committed.refused
       : known                            ? committed.known
       : answer.verdict == Verdict::near  ? committed.near
       : answer.verdict == Verdict::exact ? committed.exact
                                          : committed.fresh);
  }
  return {};
}

}  // namespace leitong::online
