// How records of a source are processed: read in order, worked on in parallel, committed in order.
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "base/stop.hpp"
#include "corpus/documents.hpp"
#include "io/arena.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Streams `source` to its end. An `Item` passes through all steps: its member `batch` holds the raw records,
/// and the rest is what is made of them. A member `number`, if there is one, is set to the batch's place in
/// input order. `work(item, space)` runs in parallel, with one `make_space()` for each thread. `commit(item)`
/// returns Result<void> and is called in input order, one at a time; it has to commit the batch. The first
/// failure ends the stream and is returned; after a stop that is ErrorCode::cancelled, whatever failed
/// because of it.
template <class Item, class MakeSpace, class Work, class Commit>
Result<void> stream_batches(DocumentSource& source, StopToken stop, MakeSpace make_space, Work work,
                            Commit commit) {
  std::optional<Error> error;  // written by the serial stages only, which TBB never runs at the same time
  std::atomic<bool> failed{false};
  const auto give_up = [&](Error e) {
    if (!failed.exchange(true)) error = stop.stop_requested() ? stop.check().error() : std::move(e);
  };
  tbb::enumerable_thread_specific<decltype(make_space())> spaces(make_space);

  std::size_t read = 0;  // the number of batches
  using ItemPtr = std::shared_ptr<Item>;
  const auto read_stage = [&](tbb::flow_control& control) -> ItemPtr {
    if (const auto go_on = stop.check(); !failed && !go_on) give_up(go_on.error());
    if (!failed) {
      auto batch = source.next_batch();
      if (!batch) {
        give_up(std::move(batch).error());
      } else if (*batch != nullptr) {
        auto item = std::make_shared<Item>();
        item->batch = std::move(*batch);
        if constexpr (requires { item->number; }) item->number = read++;
        return item;
      }
    }
    control.stop();
    return nullptr;
  };
  const auto work_stage = [&](ItemPtr item) {
    if (!failed) work(*item, spaces.local());
    return item;
  };
  const auto commit_stage = [&](const ItemPtr& item) {
    if (failed) return;
    if (Result<void> result = commit(*item); !result) give_up(std::move(result).error());
  };
  const auto tokens = 2 * threads_here();
  tbb::parallel_pipeline(
      tokens, tbb::make_filter<void, ItemPtr>(tbb::filter_mode::serial_in_order, read_stage) &
                  tbb::make_filter<ItemPtr, ItemPtr>(tbb::filter_mode::parallel, work_stage) &
                  tbb::make_filter<ItemPtr, void>(tbb::filter_mode::serial_in_order, commit_stage));
  if (error) return tl::unexpected<Error>(std::move(*error));
  return {};
}

}  // namespace leitong
