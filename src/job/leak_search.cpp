#include "job/leak_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/try.hpp"
#include "dedup/stream_batches.hpp"
#include "leitong/settings.hpp"

namespace leitong {
namespace {

/// A batch of documents on its way; documents of its hits count from the first of the batch.
struct LeakBatch {
  std::unique_ptr<RecordBatch> batch;
  std::vector<LeakHit> hits;
};

/// A thread's buffers.
struct LeakSpace {
  std::unique_ptr<ReadScratch> read;
  std::unique_ptr<ItemFinder::Workspace> finder;
  std::vector<FoundItem> found;
};

}  // namespace

Result<void> check_leak_settings(const LeakSettings& settings) {
  LEITONG_TRY(check_settings(settings));
  if (settings.share && *settings.share <= 0)
    return fail(ErrorCode::invalid_argument, "a share of 0 would find every item everywhere", "share");
  return {};
}

Result<void> LeakSearch::find(DocumentSource& source) {
  const auto look = [&](LeakBatch& batch, LeakSpace& space) {
    DocId number = 0;
    source.parse(*batch.batch, *space.read, [&](const DocumentText& document) {
      benchmark_.finder->find(document.text, *space.finder, space.found);
      for (const FoundItem& found : space.found)
        for (const std::uint32_t item : benchmark_.numbered[found.item]) {
          const Answers& answers = benchmark_.items[item].answers;
          batch.hits.push_back({number, item, found.share, found.equal,
                                answers.empty() || answers.stand_near(document.text, found.place),
                                found.place});
        }
      ++number;
    });
  };
  const auto take = [&](LeakBatch& batch) -> Result<void> {
    const auto first = static_cast<DocId>(source.size());
    LEITONG_TRY(source.commit(*batch.batch));
    std::ranges::sort(batch.hits, {}, [](const LeakHit& hit) { return std::pair(hit.document, hit.item); });
    for (LeakHit& hit : batch.hits) {
      hit.document += first;
      hits_.push_back(hit);
    }
    run_.report("looking for items", source.bytes_read(), source.total_bytes(), "bytes");
    return {};
  };
  LEITONG_TRY(stream_batches<LeakBatch>(
      source, run_.stop,
      [&] {
        return LeakSpace{source.new_scratch(), benchmark_.finder->new_workspace(), {}};
      },
      look, take));
  documents_of_.assign(benchmark_.items.size(), 0);
  for (const LeakHit& hit : hits_) ++documents_of_[hit.item];
  return {};
}

std::string LeakSearch::why_doubtful(const LeakHit& hit) const {
  if (documents_of_[hit.item] > common_) return fmt::format("{} documents hold it", documents_of_[hit.item]);
  return hit.answered ? "" : "no answer stands near";
}

}  // namespace leitong
