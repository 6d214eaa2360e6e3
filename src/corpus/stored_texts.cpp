#include "corpus/stored_texts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20;

}  // namespace

struct StoredTexts::Slice final : RecordBatch {
  std::uint64_t begin = 0, end = 0;
  std::optional<Error> failure;  // of the spool, found while parsing
};

struct StoredTexts::Scratch final : ReadScratch {
  SpoolCache cache;
  std::string text;
};

StoredTexts::StoredTexts(WorkFolder work, std::uint64_t memory) : memory_(memory), spool_(std::move(work)) {}

char* StoredTexts::room_for(std::size_t size) {
  if (room_ < size) {
    room_ = std::max(kBlockBytes, size);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
    free_ = blocks_.back().get();
    memory_ -= room_;
  }
  char* const begin = free_;
  free_ += size;
  room_ -= size;
  return begin;
}

Result<void> StoredTexts::append(std::string_view text) {
  // After the first text without room, all go to the spool, so that a place needs no mark of its kind.
  const bool fits = text.size() <= room_ || std::max(kBlockBytes, text.size()) <= memory_;
  if (first_spooled_ == UINT64_MAX && !fits) first_spooled_ = stored();
  if (first_spooled_ == UINT64_MAX) {
    char* const place = room_for(text.size());
    std::memcpy(place, text.data(), text.size());
    places_.push_back(std::bit_cast<std::uintptr_t>(place));
  } else {
    places_.push_back(spool_.size());
    LEITONG_TRY(spool_.append(text));
  }
  lengths_.push_back(static_cast<std::uint32_t>(text.size()));
  bytes_ += text.size();
  return {};
}

Result<std::string_view> StoredTexts::text(std::uint64_t number, ReadScratch& scratch) const {
  const std::size_t size = lengths_[number];
  if (number < first_spooled_)
    return std::string_view(std::bit_cast<const char*>(static_cast<std::uintptr_t>(places_[number])), size);
  auto& space = static_cast<Scratch&>(scratch);
  space.text.resize(size);
  LEITONG_TRY(spool_.read(places_[number], space.text.data(), size, space.cache));
  return std::string_view(space.text);
}

std::unique_ptr<ReadScratch> StoredTexts::new_scratch() const { return std::make_unique<Scratch>(); }

Result<std::unique_ptr<RecordBatch>> StoredTexts::next_batch() {
  if (next_ == stored()) return nullptr;
  auto slice = std::make_unique<Slice>();
  slice->begin = next_;
  for (std::size_t bytes = 0; next_ < stored() && bytes < kBlockBytes; ++next_) bytes += lengths_[next_];
  slice->end = next_;
  return slice;
}

void StoredTexts::parse(RecordBatch& batch, ReadScratch& scratch, const EachDocument& each) const {
  auto& slice = static_cast<Slice&>(batch);
  for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
    auto read = text(i, scratch);
    if (!read) {
      slice.failure = std::move(read).error();
      return;
    }
    each({{}, *read});
  }
}

Result<void> StoredTexts::commit(RecordBatch& batch) {
  const auto& slice = static_cast<const Slice&>(batch);
  if (slice.failure) return tl::unexpected<Error>(*slice.failure);
  for (std::uint64_t i = slice.begin; i < slice.end; ++i) bytes_read_ += lengths_[i];
  committed_ = slice.end;
  return {};
}

Result<DocumentText> StoredTexts::read(DocId document, ReadScratch& scratch) const {
  LEITONG_ASSIGN(const std::string_view found, text(document, scratch));
  return DocumentText{{}, found};
}

}  // namespace leitong
