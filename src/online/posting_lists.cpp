#include "online/posting_lists.hpp"

#include "base/try.hpp"
namespace leitong::online {

Result<void> find_lists(const PostingSources& sources, std::span<const Key> keys,
                        std::span<const std::uint32_t> most, PostingLists& lists) {
  lists.texts.clear();
  lists.ends.clear();
  lists.held.assign(keys.size(), 0);
  for (const Key key : keys) sources.table->prefetch(key);
  for (std::size_t s = 0; s < sources.segments.size(); ++s) {
    const Segment& segment = *sources.segments[s];
    for (const Key key : keys) segment.prefetch(key);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      LEITONG_ASSIGN(const bool held, segment.may_hold(keys[k]));
      lists.held[k] |= std::uint64_t{held} << s;
      if (held) segment.prefetch_bounds(keys[k]);
    }
  }
  for (std::size_t k = 0; k < keys.size(); ++k)
    for (std::uint64_t held = lists.held[k]; held != 0; held &= held - 1)
      sources.segments[static_cast<std::size_t>(__builtin_ctzll(held))]->prefetch_bucket(keys[k]);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t begin = lists.texts.size();
    const auto take = [&](TextNumber text) {
      if (lists.texts.size() - begin < most[k] && text < sources.end && !sources.removed->contains(text))
        lists.texts.push_back(text);
    };
    for (std::uint64_t held = lists.held[k]; held != 0; held &= held - 1)
      LEITONG_TRY(sources.segments[static_cast<std::size_t>(__builtin_ctzll(held))]->for_each(keys[k], take));
    for (const TextNumber text : sources.table->find(keys[k])) take(text);
    if (sources.newest != nullptr)
      for (const TextNumber text : sources.newest->find(keys[k])) take(text);
    lists.ends.push_back(lists.texts.size());
  }
  return {};
}

}  // namespace leitong::online
