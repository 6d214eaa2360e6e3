#include "online/hbase/learned.hpp"

#include <string_view>

#include "base/try.hpp"
#include "online/bytes.hpp"
#include "online/hbase/keys.hpp"

namespace leitong::online {
namespace {

// Rows that are read at once.
constexpr std::uint32_t kLearnedPage = 16;

}  // namespace

Result<void> HBaseKnowledge::follow(HBaseLink& link) {
  const std::scoped_lock turn(turn_);
  const std::size_t before = learned_part().size();
  for (;;) {
    LEITONG_ASSIGN(const auto pages,
                   link.scan({{learned_key(known_ + 1), end_of(learned_part()), kLearnedPage}}));
    const std::unique_lock lock(mutex);
    for (const HBaseRow& row : pages[0]) {
      const std::uint64_t commit = number_in_key(std::string_view(row.key).substr(before));
      if (row.key != learned_key(commit) || row.cells.empty() ||
          !state.templates.take(row.cells[0].value, state.templates_version))
        return link.not_understood("what is known of templates");
      known_ = commit;
    }
    if (pages[0].size() < kLearnedPage) return {};
  }
}

}  // namespace leitong::online
