#include "recycling_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace leitong {
namespace {

constexpr std::int64_t kMostKept = std::int64_t{64} << 20;
constexpr std::int64_t kAlignment = arrow::kDefaultBufferAlignment;
constexpr int kSmallest = 16, kLargest = 24;  // powers of two

std::int64_t bytes_of(std::size_t kind) { return std::int64_t{1} << (kSmallest + static_cast<int>(kind)); }

/// The class of a buffer by its size; kNone for buffers that the base pool manages.
constexpr std::size_t kNone = SIZE_MAX;
std::size_t kind_of(std::int64_t size, std::int64_t alignment) {
  if (alignment > kAlignment || size <= bytes_of(0) / 2 || size > std::int64_t{1} << kLargest) return kNone;
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size) - 1) - kSmallest);
}

}  // namespace

arrow::Status RecyclingPool::Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) {
  const std::size_t kind = kind_of(size, alignment);
  if (kind != kNone) {
    const std::lock_guard lock(mutex_);
    if (!freed_[kind].empty()) {
      *out = freed_[kind].back();
      freed_[kind].pop_back();
      kept_ -= bytes_of(kind);
      return arrow::Status::OK();
    }
    size = bytes_of(kind);
    alignment = kAlignment;
  }
  arrow::Status status = base_->Allocate(size, alignment, out);
  if (status.ok() || kept_ == 0) return status;
  ReleaseUnused();
  return base_->Allocate(size, alignment, out);
}

arrow::Status RecyclingPool::Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                                        std::uint8_t** buffer) {
  const std::size_t old_kind = kind_of(old_size, alignment), new_kind = kind_of(new_size, alignment);
  if (old_kind == kNone && new_kind == kNone) return base_->Reallocate(old_size, new_size, alignment, buffer);
  if (old_kind == new_kind) return arrow::Status::OK();
  std::uint8_t* moved = nullptr;
  ARROW_RETURN_NOT_OK(Allocate(new_size, alignment, &moved));
  std::memcpy(moved, *buffer, static_cast<std::size_t>(std::min(old_size, new_size)));
  Free(*buffer, old_size, alignment);
  *buffer = moved;
  return arrow::Status::OK();
}

void RecyclingPool::Free(std::uint8_t* buffer, std::int64_t size, std::int64_t alignment) {
  const std::size_t kind = kind_of(size, alignment);
  if (kind == kNone) return base_->Free(buffer, size, alignment);
  const std::lock_guard lock(mutex_);
  if (kept_ + bytes_of(kind) > kMostKept) return base_->Free(buffer, bytes_of(kind), kAlignment);
  freed_[kind].push_back(buffer);
  kept_ += bytes_of(kind);
}

void RecyclingPool::ReleaseUnused() {
  const std::lock_guard lock(mutex_);
  for (std::size_t kind = 0; kind < freed_.size(); ++kind) {
    for (std::uint8_t* const buffer : freed_[kind]) base_->Free(buffer, bytes_of(kind), kAlignment);
    freed_[kind].clear();
  }
  kept_ = 0;
}

}  // namespace leitong
