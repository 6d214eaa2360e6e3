#include "online/hbase/learned.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/siphash.hpp"
#include "base/try.hpp"
#include "online/batch.hpp"
#include "online/bytes.hpp"
#include "online/hbase/keys.hpp"

namespace leitong::online {
namespace {

// Rows that are read at once, and the most shingles of a row, whose cell then has half a megabyte.
constexpr std::uint32_t kLearnedPage = 16;
constexpr std::size_t kInRow = 100'000;
// How often other clients may be faster.
constexpr unsigned kLearnedTries = 50;
// Each row begins with a mark of its writer.
constexpr std::size_t kMarkBytes = sizeof(SipKey);

}  // namespace

Result<void> HBaseKnowledge::follow(HBaseLink& link) {
  const std::scoped_lock turn(turn_);
  return follow_in_turn(link);
}

Result<void> HBaseKnowledge::follow_in_turn(HBaseLink& link) {
  for (;;) {
    LEITONG_ASSIGN(const auto pages,
                   link.scan({{learned_key(known_ + 1), end_of(learned_part()), kLearnedPage}}));
    const std::unique_lock lock(mutex);
    for (const HBaseRow& row : pages[0]) {
      const std::string_view bytes = row.cells.empty() ? std::string_view() : row.cells[0].value;
      if (row.key != learned_key(known_ + 1) || bytes.size() < kMarkBytes ||
          !state.templates.take(bytes.substr(kMarkBytes), state.templates_version))
        return link.not_understood("what is known of templates");
      ++known_;
    }
    if (pages[0].size() < kLearnedPage) return {};
  }
}

// False if another client was faster.
Result<bool> HBaseKnowledge::append(HBaseLink& link, const std::vector<std::uint32_t>& shared) {
  Delta delta;
  delta.first = UINT32_MAX;
  learn_templates(shared, {state, &delta}, delta);
  if (delta.templates.size() == 0) return true;
  const SipKey mark = random_secret();
  const std::string cell = std::string(value_bytes(mark)).append(delta.templates.bytes_of_all());
  const std::string key = learned_key(known_ + 1);
  LEITONG_ASSIGN(const std::vector<bool> done, link.put_if({{"l", "", {key, {{"l", cell}}}}}));
  if (done.at(0)) return true;
  // It may have been written, and the answer lost.
  LEITONG_ASSIGN(const auto rows, link.get({{key, "l"}}));
  return !rows[0].empty() && rows[0][0].value == cell;
}

Result<void> HBaseKnowledge::learn(HBaseLink& link, const std::vector<std::vector<std::uint32_t>>& shared,
                                   StopToken stop) {
  const std::scoped_lock turn(turn_);
  std::vector<std::uint32_t> row;
  // A shingle that two texts share with others is learned twice.
  const auto append_row = [&]() -> Result<void> {
    bool done = row.empty();
    for (unsigned tries = 0; !done && tries < kLearnedTries; ++tries) {
      LEITONG_TRY(stop.check());
      LEITONG_TRY(follow_in_turn(link));
      LEITONG_ASSIGN(done, append(link, row));
    }
    row.clear();
    return done ? follow_in_turn(link) : Result<void>{};
  };
  for (std::span<const std::uint32_t> left : shared)
    while (!left.empty()) {
      const auto part = left.first(std::min(left.size(), kInRow - row.size()));
      row.insert(row.end(), part.begin(), part.end());
      left = left.subspan(part.size());
      if (row.size() == kInRow) LEITONG_TRY(append_row());
    }
  return append_row();
}

}  // namespace leitong::online
