// Sources: texts that are set aside, and later shown together or discarded.
#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "online/online_index.hpp"
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

tl::unexpected<Error> not_open(const fs::path& place, std::string_view source) {
  return fail(ErrorCode::not_found, fmt::format("{}: the source \"{}\" is not open; begin it first",
                                                place.empty() ? "the index" : place.string(), source));
}

}  // namespace

fs::path OnlineIndex::folder_aside(std::uint32_t number) const {
  return place_.empty() ? fs::path() : place_ / fmt::format("aside-{:06}", number);
}

Result<std::shared_ptr<OnlineIndex::Aside>> OnlineIndex::find_aside(std::string_view source) {
  const std::scoped_lock lock(aside_mutex_);
  const auto found = aside_.find(source);
  if (found == aside_.end()) return not_open(place_, source);
  return found->second;
}

std::vector<std::string> OnlineIndex::open_sources() {
  const std::scoped_lock lock(aside_mutex_);
  std::vector<std::string> names;
  for (const auto& [name, aside] : aside_) names.push_back(name);
  return names;
}

Result<void> OnlineIndex::load_aside(const Beginning& beginning) {
  std::vector<fs::path> known;
  Settings settings = settings_;
  settings.create = false;
  for (const OpenSource& open : beginning.open) {
    auto aside = std::make_shared<Aside>();
    aside->source = open.name;
    aside->folder = folder_aside(open.folder);
    next_aside_ = std::max(next_aside_, open.folder + 1);
    known.push_back(aside->folder);
    auto index = OnlineIndex::open(context_, aside->folder, settings);
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
      aside_.emplace(open.name, std::move(aside));
  }
  remove_others("aside-", known);
  if (!beginning.committing) return {};
  if (!committing_)
    return fail(ErrorCode::corrupt, fmt::format("{}: what was set aside of the source \"{}\" is missing; "
                                                "repair the index by `leitong index repair`",
                                                place_.string(), beginning.committing->name));
  committing_first_ = state_.visible_end = beginning.committing->first;
  // If the commit cannot be completed now (a full disk, a stop), the next change tries again. Checks do not
  // need it.
  const auto ended = commit_rest();
  if (!ended && ended.error().code == ErrorCode::corrupt) return tl::unexpected<Error>(ended.error());
  return {};
}

Result<void> OnlineIndex::rebuild_aside() {
  LEITONG_ASSIGN(const Beginning beginning, store_->begin());
  LEITONG_ASSIGN(Change change, store_->change());
  for (const OpenSource& open : beginning.open) {
    const auto made = rebuild(context_, folder_aside(open.folder));
    if (made) continue;
    if (made.error().code != ErrorCode::not_found) return made;
    change.erase_open(open.name);
    if (beginning.committing && beginning.committing->name == open.name) change.erase_committing();
  }
  return store_->commit(change);
}

Result<bool> OnlineIndex::begin(std::string_view source) {
  LEITONG_TRY(check_name(source));
  const Turn turn(*this);
  LEITONG_TRY(go_on_committing());
  if (find_aside(source)) return false;
  auto aside = std::make_shared<Aside>();
  aside->source = source;
  const std::uint32_t number = next_aside_++;
  aside->folder = folder_aside(number);
  Settings settings = settings_;
  settings.create = true;
  settings.scheme = scheme_->spec().scheme.name;
  settings.params = scheme_->spec().given;
  settings.dictionaries = scheme_->spec().dictionaries;
  settings.keep_texts = scheme_->spec().keeps_texts;
  settings.folding = folding_of(scheme_->spec().scheme);
  LEITONG_ASSIGN(aside->index, OnlineIndex::open(context_, aside->folder, settings));
  LEITONG_ASSIGN(Change change, store_->change());
  change.put_open(source, number);
  LEITONG_TRY(store_->commit(change));
  const std::scoped_lock lock(aside_mutex_);
  aside_.emplace(source, std::move(aside));
  return true;
}

Result<std::vector<Answer>> OnlineIndex::add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                             ExpectedVersion expected) {
  // Null: texts that are shown at once. In the order of their first texts.
  std::vector<std::pair<std::shared_ptr<Aside>, std::vector<std::size_t>>> parts;
  {
    const std::scoped_lock lock(aside_mutex_);
    if (!aside_.empty())
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto found = aside_.find(texts[i].source);
        const std::shared_ptr<Aside> aside = found == aside_.end() ? nullptr : found->second;
        auto part = std::ranges::find(parts, aside, [](const auto& p) { return p.first; });
        if (part == parts.end()) part = parts.insert(part, {aside, {}});
        part->second.push_back(i);
      }
  }
  if (parts.empty() || (parts.size() == 1 && parts.front().first == nullptr))
    return add_shown(texts, look, wanted, expected);
  if (expected)
    return fail(
        ErrorCode::invalid_argument,
        "texts of an open source are set aside and change no version; add them without an expected one");
  std::vector<Answer> answers(texts.size());
  for (const auto& [aside, places] : parts) {
    std::vector<Text> part;
    for (const std::size_t i : places) part.push_back(texts[i]);
    LEITONG_ASSIGN(std::vector<Answer> got, aside == nullptr ? add_shown(part, look, wanted, {})
                                                             : set_aside(*aside, part, look, wanted));
    for (std::size_t i = 0; i < places.size(); ++i) answers[places[i]] = std::move(got[i]);
  }
  return answers;
}

Result<std::vector<Answer>> OnlineIndex::set_aside(Aside& aside, std::span<const Text> texts, Look look,
                                                   const Wanted& wanted) {
  const std::shared_lock in_use(aside.in_use);
  if (aside.over) return add_shown(texts, look, wanted, {});  // the source was ended meanwhile
  LEITONG_ASSIGN(std::vector<Answer> seen, check(texts, look, wanted));
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

Result<void> OnlineIndex::rollback(std::string_view source) {
  LEITONG_ASSIGN(const std::shared_ptr<Aside> aside, find_aside(source));
  const std::unique_lock alone(aside->in_use);
  if (aside->over) return not_open(place_, source);
  const Turn turn(*this);
  LEITONG_ASSIGN(Change change, store_->change());
  change.erase_open(source);
  LEITONG_TRY(store_->commit(change));
  aside->over = true;
  {
    const std::scoped_lock lock(aside_mutex_);
    aside_.erase(aside->source);
  }
  aside->index->loaded_ = false;  // it will not be opened again
  aside->index.reset();
  std::error_code ignored;  // the rest is deleted when the index is opened
  if (!aside->folder.empty()) fs::remove_all(aside->folder, ignored);
  return {};
}

Result<Committed> OnlineIndex::commit(std::string_view source) {
  LEITONG_ASSIGN(const std::shared_ptr<Aside> aside, find_aside(source));
  const std::unique_lock alone(aside->in_use);
  if (aside->over) return not_open(place_, source);
  const Turn turn(*this);
  LEITONG_TRY(go_on_committing());
  LEITONG_ASSIGN(Change change, store_->change());
  change.put_committing(source, state_.next());
  LEITONG_TRY(store_->commit(change));
  // From here on the commit will be completed, now or later.
  aside->over = true;
  {
    const std::scoped_lock lock(aside_mutex_);
    aside_.erase(aside->source);
  }
  committing_ = aside;
  committing_first_ = state_.next();
  {
    const auto writing = gate_.write();
    state_.visible_end = committing_first_;
  }
  return commit_rest();
}

Result<void> OnlineIndex::go_on_committing() {
  if (committing_ == nullptr) return {};
  LEITONG_TRY(commit_rest());
  return {};
}

Result<void> OnlineIndex::add_rows(const std::function<Result<void>(const Store::EachRow&)>& for_each,
                                   Committed& committed) {
  const ScratchPool::Lease scratch(scratches_);
  std::vector<Row> rows;
  std::vector<std::string> bytes;
  std::size_t size = 0;
  const auto add_part = [&]() -> Result<void> {
    std::vector<CheckedText> texts;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      texts.push_back(checked_of({rows[i].id, bytes[i], rows[i].source, rows[i].time, rows[i].expires},
                                 rows[i].unchecked ? Look::copies : Look::near));
      texts.back().stamp = rows[i].stamp;
      texts.back().reason.clear();  // an index keeps what it once accepted
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
Result<Committed> OnlineIndex::commit_rest() {
  Committed committed;
  LEITONG_TRY(add_rows([&](const Store::EachRow& take) { return committing_->index->store_->for_each(take); },
                       committed));
  LEITONG_ASSIGN(Change change, store_->change());
  change.erase_committing();
  change.erase_open(committing_->source);
  LEITONG_TRY(store_->commit(change));
  const std::shared_ptr<Aside> ended = std::move(committing_);
  {
    const auto writing = gate_.write();
    state_.visible_end = UINT32_MAX;
    state_.durable = state_.extent();
    state_.full.merge(state_.hidden_full);
    state_.hidden_full.clear();
    state_.templates.set_all(state_.hidden_templates);
    state_.hidden_templates = {};
    ++state_.templates_version;
    // Texts that were checked meanwhile did not see these, so they are checked again before they are added.
    ++state_.version;
    state_.past.clear();
  }
  LEITONG_TRY(store_->make_durable());
  ended->index->loaded_ = false;  // it will not be opened again
  ended->index.reset();
  std::error_code ignored;  // the rest is deleted when the index is opened
  if (!ended->folder.empty()) fs::remove_all(ended->folder, ignored);
  return committed;
}

Result<void> OnlineIndex::commit_part(std::span<CheckedText> texts, Committed& committed) {
  Delta delta;
  delta.first = state_.next();
  delta.counts = state_.counts;
  const View view{state_, &delta};
  const ScratchPool::Lease scratch(scratches_);
  Batch batch{*scheme_, view, *store_, *scratch, delta};
  Request request{texts, {}, {}, {}};
  Delta nothing;  // of this part; a view with a delta sees the hidden texts before it
  nothing.first = delta.first;
  const auto check = [&](std::size_t i, CheckScratch& space) -> Result<void> {
    prepare(texts[i], true, space);
    return check_before_adding({state_, &nothing}, space, texts[i]);
  };
  LEITONG_TRY(add_as_checked(request, check, batch));
  checked_twice_ += batch.checked_twice;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Answer& answer = request.answers[i];
    const bool known = answer.known && texts[i].known && *texts[i].known < committing_first_;
    ++committed.texts;
    ++(answer.verdict == Verdict::refused ? committed.refused
       : known                            ? committed.known
       : answer.verdict == Verdict::near  ? committed.near
       : answer.verdict == Verdict::exact ? committed.exact
                                          : committed.fresh);
  }
  if (delta.texts.empty()) return {};
  LEITONG_ASSIGN(Change change, store_->change());
  change.put_texts(delta);
  // The last write of the commit waits for all of them.
  LEITONG_TRY(commit(change, delta, false));
  return must_flush() ? flush() : Result<void>{};
}

}  // namespace leitong::online
