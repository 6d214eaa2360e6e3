#include "leitong/bloom.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "io/section_file.hpp"

namespace leitong {
namespace {

using Block = std::array<std::uint64_t, 8>;
constexpr std::uint32_t kBloomVersion = 1;
constexpr std::string_view kBits = "bloom", kCounters = "counting-bloom";
constexpr double kLeast = 4, kMost = 64;
constexpr std::uint64_t kFull = 15;

/// The block of a key, by the upper half of a hash, and the bits in it, by another hash.
struct Places {
  std::size_t block;
  std::uint64_t bits;
};
Places places_of(std::uint64_t key, std::size_t blocks) {
  const std::uint64_t hash = mix64(key ^ 0x2545f4914f6cdd1dULL);
  return {static_cast<std::size_t>((hash >> 32) * blocks >> 32), mix64(hash)};
}

Result<std::vector<Block>> new_blocks(std::uint64_t keys, double each, double places, std::string_view what) {
  if (!(each >= kLeast && each <= kMost))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} {} a key: choose from {} to {}", each, what, kLeast, kMost));
  const double blocks = std::ceil(std::max(1.0, static_cast<double>(keys) * each / places));
  if (blocks > 4e9)
    return fail(ErrorCode::limit, fmt::format("a filter of {:.0f} GB; at most 256 GB are possible",
                                              blocks * sizeof(Block) / 1e9));
  return std::vector<Block>(static_cast<std::size_t>(blocks));
}

Result<std::vector<Block>> load_blocks(const std::filesystem::path& path, std::string_view kind) {
  LEITONG_ASSIGN(const SectionFile file, SectionFile::open(path, kind, kBloomVersion));
  LEITONG_TRY(file.verify());
  LEITONG_ASSIGN(const auto blocks, file.section<Block>("blocks"));
  if (blocks.empty())
    return fail(ErrorCode::corrupt, fmt::format("{}: the filter has no blocks", path.string()));
  return std::vector<Block>(blocks.begin(), blocks.end());
}

Result<void> save_blocks(const std::vector<Block>& blocks, std::string_view kind, const ByteSink& sink) {
  LEITONG_ASSIGN(SectionWriter writer, SectionWriter::create(sink, kind, kBloomVersion));
  LEITONG_TRY(writer.section<Block>("blocks", blocks));
  return writer.finish();
}

}  // namespace

Result<BloomFilter> BloomFilter::create(std::uint64_t keys, double bits_per_key) {
  BloomFilter filter;
  LEITONG_ASSIGN(filter.blocks_, new_blocks(keys, bits_per_key, 512, "bits"));
  return filter;
}

Result<BloomFilter> BloomFilter::load(const std::filesystem::path& path) {
  BloomFilter filter;
  LEITONG_ASSIGN(filter.blocks_, load_blocks(path, kBits));
  return filter;
}

Result<void> BloomFilter::save(const ByteSink& sink) const { return save_blocks(blocks_, kBits, sink); }

bool BloomFilter::insert(std::uint64_t key) noexcept {
  const Places places = places_of(key, blocks_.size());
  Block& block = blocks_[places.block];
  std::uint64_t missing = 0;
  for (unsigned word = 0; word < 8; ++word) {
    const std::uint64_t bit = std::uint64_t{1} << (places.bits >> 6 * word & 63);
    missing |= bit & ~block[word];
    block[word] |= bit;
  }
  return missing == 0;
}

bool BloomFilter::contains(std::uint64_t key) const noexcept {
  const Places places = places_of(key, blocks_.size());
  const Block& block = blocks_[places.block];
  std::uint64_t missing = 0;
  for (unsigned word = 0; word < 8; ++word)
    missing |= ~block[word] & std::uint64_t{1} << (places.bits >> 6 * word & 63);
  return missing == 0;
}

Result<CountingBloomFilter> CountingBloomFilter::create(std::uint64_t keys, double counters_per_key) {
  CountingBloomFilter filter;
  LEITONG_ASSIGN(filter.blocks_, new_blocks(keys, counters_per_key, 128, "counters"));
  return filter;
}

Result<CountingBloomFilter> CountingBloomFilter::load(const std::filesystem::path& path) {
  CountingBloomFilter filter;
  LEITONG_ASSIGN(filter.blocks_, load_blocks(path, kCounters));
  return filter;
}

Result<void> CountingBloomFilter::save(const ByteSink& sink) const {
  return save_blocks(blocks_, kCounters, sink);
}

void CountingBloomFilter::insert(std::uint64_t key) noexcept {
  const Places places = places_of(key, blocks_.size());
  Block& block = blocks_[places.block];
  for (unsigned word = 0; word < 8; ++word) {
    const unsigned shift = 4 * (places.bits >> 4 * word & 15);
    const std::uint64_t room = (block[word] >> shift & kFull) != kFull ? 1 : 0;
    block[word] += room << shift;
  }
}

bool CountingBloomFilter::erase(std::uint64_t key) noexcept {
  if (!contains(key)) return false;
  const Places places = places_of(key, blocks_.size());
  Block& block = blocks_[places.block];
  for (unsigned word = 0; word < 8; ++word) {
    const unsigned shift = 4 * (places.bits >> 4 * word & 15);
    const std::uint64_t counted = (block[word] >> shift & kFull) != kFull ? 1 : 0;
    block[word] -= counted << shift;
  }
  return true;
}

unsigned CountingBloomFilter::count(std::uint64_t key) const noexcept {
  const Places places = places_of(key, blocks_.size());
  const Block& block = blocks_[places.block];
  std::uint64_t least = kFull;
  for (unsigned word = 0; word < 8; ++word)
    least = std::min(least, block[word] >> 4 * (places.bits >> 4 * word & 15) & kFull);
  return static_cast<unsigned>(least);
}

bool CountingBloomFilter::contains(std::uint64_t key) const noexcept { return count(key) > 0; }

std::uint64_t CountingBloomFilter::saturated() const noexcept {
  std::uint64_t full = 0;
  for (const Block& block : blocks_)
    for (std::uint64_t word : block)
      for (; word != 0; word >>= 4) full += (word & kFull) == kFull ? 1 : 0;
  return full;
}

}  // namespace leitong
