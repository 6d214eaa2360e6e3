#include "corpus/spool.hpp"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::size_t kSpoolBlockBytes = std::size_t{64} << 10;
constexpr int kLevel = 1;

}  // namespace

struct Spool::Encoder {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::string out = std::string(ZSTD_compressBound(kSpoolBlockBytes), '\0');
  ~Encoder() { ZSTD_freeCCtx(context); }
};

struct SpoolCache::Decoder {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ~Decoder() { ZSTD_freeDCtx(context); }
};

SpoolCache::SpoolCache() = default;
SpoolCache::~SpoolCache() = default;

Spool::Spool(WorkFolder folder) : folder_(std::move(folder)) {}
Spool::~Spool() = default;

std::uint64_t Spool::size() const {
  const std::lock_guard lock(mutex_);
  return ends_.size() * kSpoolBlockBytes + open_.size();
}

Result<void> Spool::append(std::string_view bytes) {
  // Only this thread changes open_ and ends_; the lock is for readers.
  while (!bytes.empty()) {
    if (open_.empty() && bytes.size() >= kSpoolBlockBytes) {
      LEITONG_TRY(write_block(bytes.substr(0, kSpoolBlockBytes)));
      bytes.remove_prefix(kSpoolBlockBytes);
      continue;
    }
    const std::size_t part = std::min(bytes.size(), kSpoolBlockBytes - open_.size());
    {
      const std::lock_guard lock(mutex_);
      open_ += bytes.substr(0, part);
    }
    bytes.remove_prefix(part);
    if (open_.size() == kSpoolBlockBytes) LEITONG_TRY(write_block(open_));
  }
  return {};
}

Result<void> Spool::write_block(std::string_view block) {
  if (!file_) {
    LEITONG_ASSIGN(TempFile file, folder_.new_file());
    file_ = std::make_unique<TempFile>(std::move(file));
    encoder_ = std::make_unique<Encoder>();
  }
  const std::size_t size = ZSTD_compressCCtx(encoder_->context, encoder_->out.data(), encoder_->out.size(),
                                             block.data(), block.size(), kLevel);
  if (ZSTD_isError(size))
    return fail(ErrorCode::io, fmt::format("zstd can't compress: {}", ZSTD_getErrorName(size)));
  LEITONG_ASSIGN(const std::uint64_t begin, file_->append(encoder_->out.data(), size));
  const std::lock_guard lock(mutex_);
  ends_.push_back(begin + size);
  open_.clear();
  return {};
}

Result<std::string_view> Spool::block(std::uint64_t number, SpoolCache& cache) const {
  SpoolCache::Slot& slot = cache.slots_[number % SpoolCache::kBlocks];
  if (slot.block == number) return std::string_view(slot.bytes);
  slot.block = UINT64_MAX;
  Span span{};
  {
    const std::lock_guard lock(mutex_);
    if (number >= ends_.size()) {  // still growing, so it is not cached
      slot.bytes = open_;
      return std::string_view(slot.bytes);
    }
    const std::uint64_t begin = number == 0 ? 0 : ends_[number - 1];
    span = {begin, static_cast<std::size_t>(ends_[number] - begin)};
  }
  cache.compressed_.resize(span.size);
  LEITONG_TRY(file_->read(span.begin, cache.compressed_.data(), span.size));
  if (!cache.decoder_) cache.decoder_ = std::make_unique<SpoolCache::Decoder>();
  slot.bytes.resize(kSpoolBlockBytes);
  const std::size_t size = ZSTD_decompressDCtx(cache.decoder_->context, slot.bytes.data(), kSpoolBlockBytes,
                                               cache.compressed_.data(), span.size);
  if (size != kSpoolBlockBytes)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: a work file was changed by somebody else", folder_.path().string()));
  slot.block = number;
  return std::string_view(slot.bytes);
}

Result<void> Spool::read(std::uint64_t offset, char* out, std::size_t size, SpoolCache& cache) const {
  while (size > 0) {
    LEITONG_ASSIGN(const std::string_view bytes, block(offset / kSpoolBlockBytes, cache));
    const std::size_t skipped = offset % kSpoolBlockBytes;
    if (skipped >= bytes.size()) return fail(ErrorCode::corrupt, "a read past the end of the spool");
    const std::size_t part = std::min(size, bytes.size() - skipped);
    std::memcpy(out, bytes.data() + skipped, part);
    out += part;
    offset += part;
    size -= part;
  }
  return {};
}

}  // namespace leitong
