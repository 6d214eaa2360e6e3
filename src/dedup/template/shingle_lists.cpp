#include "dedup/template/shingle_lists.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"

namespace leitong {

bool ShingleLists::take_room(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (held_.bytes() + bytes > room_) return false;
  held_.set(held_.bytes() + bytes);
  return true;
}

Result<void> ShingleLists::Writer::add(DocId document, std::span<const std::uint32_t> shingles) {
  const bool is_full =
      documents_.size() == kBlockDocuments || waiting_.size() + shingles.size() > kBlockShingles;
  if (is_full && !documents_.empty()) LEITONG_TRY(pass_on());
  documents_.push_back(document);
  waiting_.append(shingles);
  ends_.push_back(waiting_.size());
  return {};
}

Result<void> ShingleLists::Writer::flush() {
  LEITONG_TRY(pass_on());
  return overflow_ ? overflow_->flush() : Result<void>{};
}

Result<void> ShingleLists::Writer::pass_on() {
  LEITONG_TRY(lists_.run_.stop.check());
  const auto each_document = [&](auto each) -> Result<void> {
    std::size_t at = 0;
    for (std::size_t place = 0; place < documents_.size(); ++place)
      for (; at < ends_[place]; ++at) LEITONG_TRY(each(place, waiting_[at]));
    return {};
  };
  if (lists_.take_room(sizeof(Block) + sizeof(std::uint32_t) * waiting_.size())) {
    auto block = std::make_unique<Block>();
    std::copy(documents_.begin(), documents_.end(), block->documents.begin());
    auto& begin = block->begin;
    for (const std::uint32_t shingle : waiting_) ++begin[(shingle >> kRestBits) + 1];
    for (unsigned range = 0; range < kRanges; ++range) begin[range + 1] += begin[range];
    block->entries.reserve(waiting_.size());
    block->entries.resize_for_overwrite(waiting_.size());
    std::array<std::uint32_t, kRanges + 1> next = begin;
    LEITONG_TRY(each_document([&](std::size_t place, std::uint32_t shingle) -> Result<void> {
      block->entries[next[shingle >> kRestBits]++] =
          shingle << kPlaceBits | static_cast<std::uint32_t>(place);
      return {};
    }));
    const std::scoped_lock lock(lists_.mutex_);
    lists_.in_blocks_ += block->entries.size();
    lists_.blocks_.push_back(std::move(block));
  } else {
    if (!overflow_) overflow_.emplace(lists_.overflow_);
    constexpr unsigned kShift = 24;
    static_assert(UINT32_MAX >> kShift == Partitions::kCount - 1);
    LEITONG_TRY(each_document([&](std::size_t place, std::uint32_t shingle) {
      return overflow_->append(shingle >> kShift, join_halves(shingle, documents_[place]));
    }));
  }
  documents_.clear();
  ends_.clear();
  waiting_.clear();
  return {};
}

}  // namespace leitong
