#include "online/hbase/commits.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "base/siphash.hpp"
#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {
namespace {

using std::chrono::milliseconds;

// If a writer does not carry out its commit in this time, another one does it.
constexpr milliseconds kPatience{1000};
// So many commits are kept for slower writers; of older ones only a mark is left.
constexpr std::uint64_t kKept = 16;
const std::string kSign = "-";
// A commit begins with a mark of its writer.
constexpr std::size_t kMarkBytes = sizeof(SipKey);
const std::string kChange = "c", kState = "state";

std::string bytes_of_moment(const HBaseMoment& moment) {
  std::string bytes = key_of(moment.commit).append(key_of(moment.next));
  for (const std::uint64_t count : moment.counts) append_key(count, bytes);
  return bytes;
}
bool take_moment(std::string_view& bytes, HBaseMoment& moment) {
  constexpr std::size_t kNumber = sizeof moment.next;
  const auto take = [&](std::uint64_t& number) {
    number = number_in_key(bytes.substr(0, kNumber));
    bytes.remove_prefix(kNumber);
  };
  if (bytes.size() < (2 + moment.counts.size()) * kNumber) return false;
  take(moment.commit);
  take(moment.next);
  for (std::uint64_t& count : moment.counts) take(count);
  return true;
}

Result<HBaseMoment> moment_in(const HBaseLink& link, const std::vector<HBaseCell>& cells) {
  HBaseMoment moment;
  std::string_view bytes = cells.empty() ? std::string_view() : cells[0].value;
  if (!cells.empty() && (!take_moment(bytes, moment) || !bytes.empty()))
    return link.not_understood("its state");
  return moment;
}

}  // namespace

void HBaseChange::tell(const HBaseNews& news) {
  told_ += static_cast<char>(news.left);
  append_text(bytes_of_name(news.name), told_);
}

bool read_told(std::string_view bytes, HBaseTold& told) {
  SipKey mark;
  if (!take_value(bytes, mark)) return false;
  told = {mark.low, {}};
  std::string name;
  while (!bytes.empty()) {
    std::uint8_t left = 0;
    HBaseNews& news = told.news.emplace_back();
    if (!take_value(bytes, left) || !take_text(bytes, name) || !read_name(name, news.name)) return false;
    news.left = left != 0;
  }
  return true;
}

std::string HBaseChange::bytes() const {
  std::string bytes = bytes_of_moment(after);
  bytes.append(value_bytes(static_cast<std::uint32_t>(told_.size()))).append(told_);
  for (const auto& [cell, value] : cells_) {
    append_text(cell.first, bytes);
    append_text(cell.second, bytes);
    bytes += static_cast<char>(value.has_value());
    if (value) bytes.append(value_bytes(static_cast<std::uint32_t>(value->size()))).append(*value);
  }
  return bytes;
}

void HBaseChange::move_to(const HBaseMoment& before) {
  after.commit = before.commit + 1;
  after.next = std::max(after.next, before.next);
  for (std::size_t i = 0; i < after.counts.size(); ++i)
    after.counts[i] += before.counts[i] - before_.counts[i];
  before_ = before;
}

std::optional<HBaseChange> HBaseChange::read(std::string_view bytes) {
  HBaseChange change({});
  std::uint32_t told = 0;
  if (!take_moment(bytes, change.after) || !take_value(bytes, told) || bytes.size() < told)
    return std::nullopt;
  change.told_ = bytes.substr(0, told);
  bytes.remove_prefix(told);
  while (!bytes.empty()) {
    std::string key, column;
    std::uint8_t has_value = 0;
    std::uint32_t size = 0;
    if (!take_text(bytes, key) || !take_text(bytes, column) || !take_value(bytes, has_value))
      return std::nullopt;
    std::optional<std::string>& value = change.cells_[{std::move(key), std::move(column)}];
    if (has_value == 0) continue;
    if (!take_value(bytes, size) || bytes.size() < size) return std::nullopt;
    value = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  return change;
}

Result<HBaseMoment> present_moment(HBaseLink& link) {
  LEITONG_ASSIGN(const auto rows, link.get({{meta_key(), kState}}));
  return moment_in(link, rows[0]);
}

Result<HBaseMoment> HBaseCommits::follow() {
  milliseconds waited{0}, pause{2};  // pause before the next try
  for (;;) {
    LEITONG_ASSIGN(const auto rows, link_.get({{meta_key(), kState}, {commit_key(known_ + 1), kChange}}));
    LEITONG_ASSIGN(const HBaseMoment moment, moment_in(link_, rows[0]));
    if (moment.commit < known_) return link_.not_understood("its state");
    if (moment.commit == known_ && rows[1].empty()) return moment;
    if (moment.commit > known_) {
      known_ = moment.commit;
      waited = milliseconds(0);
      continue;
    }
    if (waited < kPatience) {
      std::this_thread::sleep_for(pause);
      waited += pause;
      pause = std::min(2 * pause, milliseconds(50));
      continue;
    }
    const std::string_view bytes = rows[1][0].value;
    const std::string_view mark = bytes.substr(0, kMarkBytes);
    const auto change = HBaseChange::read(bytes.substr(mark.size()));
    if (!change || change->after.commit != known_ + 1) return link_.not_understood("a commit");
    LEITONG_TRY(carry_out(*change, mark));
  }
}

Result<void> HBaseCommits::carry_out(const HBaseChange& change, std::string_view mark) {
  const std::uint64_t commit = change.after.commit;
  std::vector<HBaseRow> put = {{told_key(commit), {{kChange, std::string(mark) + change.told_}}}}, removed;
  for (const auto& [cell, value] : change.cells_) {
    std::vector<HBaseRow>& rows = value ? put : removed;
    if (rows.empty() || rows.back().key != cell.first) rows.push_back({cell.first, {}});
    rows.back().cells.push_back({cell.second, value.value_or("")});
  }
  LEITONG_TRY(link_.put(put, commit));
  LEITONG_TRY(link_.remove(removed, commit));
  std::vector<HBaseRow> state = {{meta_key(), {{kState, bytes_of_moment(change.after)}}}};
  if (commit > kKept) state.push_back({commit_key(commit - kKept), {{kChange, kSign}}});
  LEITONG_TRY(link_.put(state, commit));
  known_ = commit;
  return {};
}

Result<bool> HBaseCommits::commit(HBaseChange& change, const HBaseLink::Reads& reads) {
  const std::string mark(value_bytes(random_secret()));
  for (;;) {
    const std::uint64_t commit = change.after.commit;
    const HBaseRow row{commit_key(commit), {{kChange, mark + change.bytes()}}};
    LEITONG_ASSIGN(bool done, link_.put_if({kChange, "", row, commit}));
    if (!done) {
      // The put may have succeeded even if its answer was lost.
      LEITONG_ASSIGN(const auto rows, link_.get({{row.key, kChange}}));
      done = !rows[0].empty() && rows[0][0].value.starts_with(mark);
    }
    if (done) {
      LEITONG_TRY(carry_out(change, mark));
      return true;
    }
    LEITONG_ASSIGN(const bool stays, follow_others(change, reads));
    if (!stays) return false;
  }
}

Result<bool> HBaseCommits::follow_others(HBaseChange& change, const HBaseLink::Reads& reads) {
  LEITONG_ASSIGN(const HBaseMoment now, follow());
  std::vector<HBaseGet> gets;
  for (std::uint64_t commit = change.after.commit; commit <= now.commit; ++commit) {
    if (gets.size() == kKept) return false;
    gets.push_back({commit_key(commit), kChange});
  }
  LEITONG_ASSIGN(const auto rows, link_.get(gets));
  for (const auto& row : rows) {
    const std::string_view bytes = row.empty() ? std::string_view() : row[0].value;
    const auto other = HBaseChange::read(bytes.substr(std::min(bytes.size(), kMarkBytes)));
    if (!other ||
        std::ranges::any_of(other->cells_, [&](const auto& cell) { return reads.has(cell.first.first); }))
      return false;
  }
  change.move_to(now);
  return true;
}

}  // namespace leitong::online
