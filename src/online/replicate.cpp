#include "leitong/replicate.hpp"

#include <fmt/core.h>

#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/read_file.hpp"

namespace leitong::online {
namespace {

using Ids = std::unordered_set<std::string>;

/// Makes changes in their order.
Result<void> make(const ReplicaCalls& copy, std::span<const Changes::One> changes) {
  while (!changes.empty()) {
    if (changes.front().removed) {
      LEITONG_TRY(copy.remove(changes.front().stored.id));
      changes = changes.subspan(1);
      continue;
    }
    std::vector<Text> texts;
    for (const auto& [removed, stored] : changes) {
      if (removed) break;
      if (stored.text.empty() && stored.fingerprint)
        return fail(ErrorCode::unsupported,
                    "the index keeps no texts, so it can't be copied by its changes; a snapshot can");
      texts.push_back({.id = stored.id,
                       .text = stored.text,
                       .source = stored.source,
                       .time = stored.time,
                       .expires = stored.expires});
    }
    LEITONG_ASSIGN(const std::vector<std::string> reasons, copy.add(texts));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (reasons.at(i).empty()) continue;
      // The id stands for an earlier text, whose removal was reported before a cursor that is lost.
      LEITONG_TRY(copy.remove(texts[i].id));
      LEITONG_ASSIGN(const std::vector<std::string> again, copy.add({&texts[i], 1}));
      if (!again.at(0).empty())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the text with the id \"{}\" is refused: {}", texts[i].id, again[0]));
    }
    changes = changes.subspan(texts.size());
  }
  return {};
}

/// The ids that were added since a cursor and are still there.
Result<Ids> ids_of(const ReplicaCalls& copy, std::string_view since) {
  Ids ids;
  std::string cursor(since);
  for (bool more = true; more;) {
    LEITONG_ASSIGN(Changes page, copy.changes(cursor, {.limit = kMostChanges}));
    for (const Changes::One& one : page.changes) {
      if (one.removed)
        ids.erase(one.stored.id);
      else
        ids.insert(one.stored.id);
    }
    cursor = std::move(page.cursor);
    more = page.more;
  }
  return ids;
}

/// The cursor, which is the first line of the file; the names follow it. Empty if there is no file.
Result<std::string> read_cursor(const std::filesystem::path& file, std::string_view names) {
  if (std::error_code error; !std::filesystem::exists(file, error)) return std::string();
  LEITONG_ASSIGN(const std::string content, read_whole_file(file));
  const std::size_t end = content.find('\n');
  if (end != content.npos && std::string_view(content).substr(end + 1) == names)
    return content.substr(0, end);
  return fail(ErrorCode::invalid_argument,
              fmt::format("{}: belongs to another copy; each copy has a file of its own", file.string()));
}

}  // namespace

class Replication::Impl {
 public:
  ChangesFn from;
  ReplicaCalls copy;
  std::filesystem::path file;
  std::string names;
  std::string cursor;
  Ids beyond;  // ids of the copy that the other index has not reported yet

  Result<Changes> read_page() {
    Result<Changes> page = from(cursor, {.texts = true});
    if (!page && page.error().code == ErrorCode::not_found && !cursor.empty())
      page.error().message += fmt::format("; without the file {} all texts are read again", file.string());
    return page;
  }

  Result<Step> step() {
    LEITONG_ASSIGN(const Changes page, read_page());
    LEITONG_TRY(make(copy, page.changes));
    Step done{.more = page.more};
    for (const Changes::One& one : page.changes) {
      ++(one.removed ? done.removed : done.added);
      beyond.erase(one.stored.id);
    }
    if (!page.more) {
      for (const std::string& id : beyond) LEITONG_TRY(copy.remove(id));
      done.removed += beyond.size();
      beyond.clear();
    }
    // The cursor is written only when no such ids are left, so an interrupted run begins again.
    if (beyond.empty() && page.cursor != cursor) {
      LEITONG_ASSIGN(const auto output, OutputFile::create(file, true));
      LEITONG_TRY(output->write(page.cursor + "\n" + names));
      LEITONG_TRY(output->commit());
    }
    cursor = page.cursor;
    return done;
  }
};

Replication::Replication(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Replication::Replication(Replication&&) noexcept = default;
Replication& Replication::operator=(Replication&&) noexcept = default;
Replication::~Replication() = default;

Result<Replication> Replication::open(ChangesFn from, ReplicaCalls copy, std::filesystem::path cursor,
                                      std::string names) {
  auto impl = std::make_unique<Impl>();
  LEITONG_ASSIGN(impl->cursor, read_cursor(cursor, names));
  LEITONG_ASSIGN(impl->beyond, ids_of(copy, impl->cursor.empty() ? std::string_view() : kFromNow));
  impl->from = std::move(from);
  impl->copy = std::move(copy);
  impl->file = std::move(cursor);
  impl->names = std::move(names);
  return Replication(std::move(impl));
}

Result<Replication::Step> Replication::step() { return impl_->step(); }

ReplicaCalls replica_calls(Index& index) {
  return {.changes = [&index](std::string_view since,
                              const ChangesWanted& wanted) { return index.changes(since, wanted); },
          .add = [&index](std::span<const Text> texts) -> Result<std::vector<std::string>> {
            LEITONG_ASSIGN(std::vector<Answer> answers, index.check_and_add(texts));
            std::vector<std::string> reasons;
            for (Answer& answer : answers) reasons.push_back(std::move(answer.reason));
            return reasons;
          },
          .remove = [&index](std::string_view id) -> Result<void> {
            LEITONG_TRY(index.remove(id));
            return {};
          }};
}

}  // namespace leitong::online
