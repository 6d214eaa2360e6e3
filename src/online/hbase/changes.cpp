// What followers of an index on HBase receive. Each commit leaves a row with the texts that it added and
// removed. The numbers of texts are no positions, since commits that touch different rows may use the same
// numbers. So a cursor has the number of texts that were reported, as if each commit had kTextsInCommit of
// them, and the number of commits whose removals were reported. Its history is the mark of the last of these
// commits.
#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/hbase/home.hpp"

namespace leitong::online {
namespace {

// Rows, and texts, that are read at once.
constexpr std::uint32_t kCommitsAtOnce = 64;
constexpr std::size_t kToldAtOnce = 64;

}  // namespace

Result<HBaseTold> HBaseHome::told_of(std::uint64_t commit) {
  HBaseTold told;
  if (commit == 0) return told;
  LEITONG_ASSIGN(const auto rows, link_->get({{told_key(commit), "c"}}));
  if (rows[0].empty() || !read_told(rows[0][0].value, told)) return link_->not_understood("a commit");
  return told;
}

Result<Extent> HBaseHome::seen_since(std::string_view since, std::uint64_t commits) {
  HBaseTold told;
  if (const auto cursor = parse_cursor(since); cursor && cursor->seen.removals <= commits) {
    LEITONG_ASSIGN(told, told_of(cursor->seen.removals));
  }
  return seen_by(since, told.mark, {commits * kTextsInCommit, commits});
}

Result<void> HBaseHome::tell_commit(std::uint64_t commit, const HBaseTold& told, const ChangesWanted& wanted,
                                    Extent& seen, Changes& changes, std::size_t& bytes) {
  std::span<const HBaseNews> news = told.news;
  if (!news.empty() && news[0].left) {
    if (seen.removals < commit)
      changes.changes.push_back({.removed = true, .stored = {.id = news[0].name.id, .text = {}}});
    news = news.subspan(1);
  }
  seen.removals = std::max(seen.removals, commit);
  news = news.subspan(std::min<std::size_t>(seen.texts - (commit - 1) * kTextsInCommit, news.size()));
  while (!news.empty() && changes.changes.size() < wanted.limit && bytes < kMostChangedBytes) {
    std::vector<HBaseName> names;
    for (const HBaseNews& one :
         news.first(std::min({news.size(), kToldAtOnce, wanted.limit - changes.changes.size()})))
      names.push_back(one.name);
    LEITONG_ASSIGN(auto known, read(names));
    std::vector<HBaseText> there;
    std::size_t looked_at = 0;
    for (; looked_at < names.size() && bytes < kMostChangedBytes; ++looked_at) {
      if (!is_named(known[looked_at], names[looked_at])) continue;  // it was removed, or has a new name
      if (wanted.texts) bytes += known[looked_at]->text_bytes;
      there.push_back(*std::move(known[looked_at]));
    }
    LEITONG_ASSIGN(auto texts, stored(there));
    for (std::optional<Stored>& text : texts) {
      if (!text) continue;
      if (!wanted.texts) text->text.clear();
      changes.changes.push_back({.removed = false, .stored = *std::move(text)});
    }
    seen.texts += looked_at;
    news = news.subspan(looked_at);
  }
  if (news.empty()) seen.texts = commit * kTextsInCommit;
  return {};
}

Result<Changes> HBaseHome::changes(std::string_view since, const ChangesWanted& wanted) {
  LEITONG_TRY(online::check_wanted(wanted));
  LEITONG_ASSIGN(const HBaseMoment now, present_moment(*link_));
  LEITONG_ASSIGN(Extent seen, seen_since(since, now.commit));
  Changes changes;
  std::size_t bytes = 0;
  const auto goes_on = [&] {
    return seen.texts < now.commit * kTextsInCommit && changes.changes.size() < wanted.limit &&
           bytes < kMostChangedBytes;
  };
  while (goes_on()) {
    LEITONG_TRY(stop().check());
    std::uint64_t commit = seen.texts / kTextsInCommit;
    LEITONG_ASSIGN(const auto pages,
                   link_->scan({{told_key(commit + 1), end_of(told_part()), kCommitsAtOnce}}));
    if (pages[0].empty()) return link_->not_understood("its commits");
    for (const HBaseRow& row : pages[0]) {
      if (!goes_on()) break;
      HBaseTold told;
      if (row.key != told_key(++commit) || row.cells.empty() || !read_told(row.cells[0].value, told))
        return link_->not_understood("a commit");
      LEITONG_TRY(tell_commit(commit, told, wanted, seen, changes, bytes));
    }
  }
  LEITONG_ASSIGN(const HBaseTold last, told_of(seen.removals));
  changes.cursor = cursor_of(last.mark, seen);
  changes.more = seen.texts < now.commit * kTextsInCommit;
  return changes;
}

}  // namespace leitong::online
