// Builds an index of many texts in bulk: the result is that of adding them one by one, but nothing is durable
// before the end, so that no log of writes is kept and derived data are written once.
#include "base/try.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

Result<std::unique_ptr<OnlineIndex>> OnlineIndex::make_at_once(const Context& context,
                                                               const std::filesystem::path& place,
                                                               const Settings& settings) {
  LEITONG_ASSIGN(auto index, open_store(context, place, settings, false, LogOfWrites::none));
  LEITONG_TRY(index->load());
  return index;
}

Result<void> OnlineIndex::finish() {
  if (unsealed() > 0) LEITONG_TRY(flush());
  LEITONG_ASSIGN(Change change, store_->change());
  change.put_all_templates(state_.templates);
  for (const Key key : state_.full) change.put_full(key);
  change.put_counts(state_.counts);
  change.put_segments(state_.names, state_.next());
  return store_->finish(change);
}

}  // namespace leitong::online
