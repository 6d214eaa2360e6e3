#include "online/shingle_counts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/section_file.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kKind = "shingle-counts";
constexpr std::uint32_t kVersion = 1;
constexpr unsigned kMost = TemplateRule::kFamilies;
static_assert(kMost <= 8);
// Lines of the next shingles are loaded while those before are looked at.
constexpr std::size_t kAhead = 16;
// The values that are written at once.
constexpr std::size_t kBlock = std::size_t{1} << 15;

constexpr std::uint64_t kEach = 0x0001000100010001, kTagBits = 0xFFF8 * kEach;

/// The lowest bit of the slot of a word that has this tag; 64 if there is none.
unsigned slot_of(std::uint64_t word, std::uint64_t tags) noexcept {
  const std::uint64_t other = (word ^ tags) & kTagBits;
  // The first slot without a difference borrows (Mycroft's test for zero bytes).
  const std::uint64_t equal = (other - kEach) & ~other & 0x8000 * kEach;
  return equal == 0 ? 64 : static_cast<unsigned>(std::countr_zero(equal)) - 15;
}

}  // namespace

/// Where a shingle is looked for.
struct ShingleCounts::Place {
  std::size_t line;
  std::uint64_t tags;  // its tag, which is never 0, in each slot

  Place(std::uint64_t hash, const Layer& layer) {
    line = hash >> (64 - layer.bits);
    tags = (1 + ((hash & UINT32_MAX) * 8191 >> 32)) * (8 * kEach);
  }
  /// The n-th of the words in which it may be. Each shingle begins at one of its own, and takes the first
  /// slot that is free.
  [[nodiscard]] std::size_t word(std::size_t n) const noexcept { return ((tags >> 3) + n) % kLineWords; }
};

void ShingleCounts::add_layer() {
  const std::size_t used = used_.load(std::memory_order_relaxed);
  Layer& layer = layers_[used];
  layer.bits = kFirstBits + static_cast<unsigned>(used) * kMoreBits;
  layer.lines = std::make_unique<Line[]>(std::size_t{1} << layer.bits);
  used_.store(used + 1, std::memory_order_release);
}

void ShingleCounts::add(std::span<const std::uint32_t> distinct) {
  const auto is_full = [](const Layer& layer) { return layer.shingles >= kShinglesPerLine << layer.bits; };
  const std::size_t used = used_.load(std::memory_order_relaxed);
  if (used == 0 || (is_full(layers_[used - 1]) && used < kMostLayers)) add_layer();
  Layer& layer = layers_[used_.load(std::memory_order_relaxed) - 1];
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (i + kAhead < distinct.size())
      __builtin_prefetch(&layer.lines[Place(mix64(distinct[i + kAhead]), layer).line], 1);
    const Place place(mix64(distinct[i]), layer);
    for (std::size_t n = 0; n < kLineWords; ++n) {
      auto& counted = layer.lines[place.line].words[place.word(n)];
      const std::uint64_t word = counted.load(std::memory_order_relaxed);
      unsigned slot = slot_of(word, place.tags);
      const bool is_new = slot == 64;
      if (is_new) slot = (static_cast<unsigned>(std::bit_width(word)) + 15) / 16 * 16;
      if (slot == 64) continue;  // the word is full
      layer.shingles += is_new;
      if (is_new)
        counted.store(word | (place.tags & 0xFFFF) << slot, std::memory_order_relaxed);
      else if ((word >> slot & 7) + 1 < kMost)
        counted.store(word + (std::uint64_t{1} << slot), std::memory_order_relaxed);
      break;
    }
  }
}

void ShingleCounts::held_by(std::span<const std::uint32_t> shingles, unsigned works,
                            PodVector<std::uint32_t>& held) const {
  std::vector<unsigned> counts(shingles.size());
  std::vector<std::uint64_t> hashes(shingles.size());
  std::ranges::transform(shingles, hashes.begin(), [](std::uint32_t shingle) { return mix64(shingle); });
  const std::size_t used = used_.load(std::memory_order_acquire);
  for (std::size_t l = 0; l < used; ++l) {
    const Layer& layer = layers_[l];
    for (std::size_t i = 0; i < shingles.size(); ++i) {
      if (i + kAhead < hashes.size()) __builtin_prefetch(&layer.lines[Place(hashes[i + kAhead], layer).line]);
      const Place place(hashes[i], layer);
      for (std::size_t n = 0; n < kLineWords; ++n) {
        const std::uint64_t word =
            layer.lines[place.line].words[place.word(n)].load(std::memory_order_relaxed);
        const unsigned slot = slot_of(word, place.tags);
        if (slot < 64) counts[i] += (word >> slot & 7) + 1;
        if (slot < 64 || word >> 48 == 0) break;
      }
    }
  }
  held.clear();
  for (std::size_t i = 0; i < shingles.size(); ++i)
    if (counts[i] >= works) held.push_back(shingles[i]);
}

std::uint64_t ShingleCounts::bytes() const noexcept {
  std::uint64_t bytes = 0;
  const std::size_t used = used_.load(std::memory_order_acquire);
  for (std::size_t l = 0; l < used; ++l) bytes += sizeof(Line) << layers_[l].bits;
  return bytes;
}

Result<void> ShingleCounts::write(const std::filesystem::path& path) const {
  LEITONG_ASSIGN(const auto file, OutputFile::create(path, true));
  LEITONG_ASSIGN(
      SectionWriter sections,
      SectionWriter::create([&](std::string_view bytes) { return file->write(bytes); }, kKind, kVersion));
  const std::size_t used = used_.load(std::memory_order_relaxed);
  const std::vector<std::uint64_t> about = {texts, used};
  LEITONG_TRY(sections.section("about", std::span<const std::uint64_t>(about)));
  std::vector<std::uint16_t> block;
  for (std::size_t l = 0; l < used; ++l) {
    // Of each line the number of slots that are taken, and these.
    LEITONG_TRY(sections.begin(fmt::format("layer {}", l)));
    const std::size_t lines = std::size_t{1} << layers_[l].bits;
    for (std::size_t i = 0; i < lines; ++i) {
      const std::size_t at = block.size();
      block.push_back(0);
      for (const auto& counted : layers_[l].lines[i].words)
        for (std::uint64_t word = counted.load(std::memory_order_relaxed); word != 0; word >>= 16)
          block.push_back(static_cast<std::uint16_t>(word));
      block[at] = static_cast<std::uint16_t>(block.size() - at - 1);
      if (i + 1 < lines && block.size() < kBlock) continue;
      LEITONG_TRY(sections.append(
          {reinterpret_cast<const char*>(block.data()), block.size() * sizeof(std::uint16_t)}));
      block.clear();
    }
  }
  LEITONG_TRY(sections.finish());
  return file->commit();
}

Result<void> ShingleCounts::read(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const SectionFile file, SectionFile::open(path, kKind, kVersion));
  LEITONG_TRY(file.verify());
  LEITONG_ASSIGN(const auto about, file.section<std::uint64_t>("about"));
  const auto damaged = [&] {
    return fail(ErrorCode::corrupt, fmt::format("{}: holds no counts of shingles", path.string()));
  };
  if (about.size() != 2 || about[1] > kMostLayers) return damaged();
  for (std::size_t l = 0; l < about[1]; ++l) {
    LEITONG_ASSIGN(const auto values, file.section<std::uint16_t>(fmt::format("layer {}", l)));
    add_layer();
    Layer& layer = layers_[l];
    std::size_t at = 0;
    for (std::size_t i = 0; i < std::size_t{1} << layer.bits; ++i) {
      if (at == values.size()) return damaged();
      const std::size_t taken = values[at++];
      if (taken > 4 * kLineWords || taken > values.size() - at) return damaged();
      for (const std::uint16_t slot : values.subspan(at, taken)) {
        // The first word with a free slot from its own on, as when it was added.
        std::size_t word = slot >> 3;
        while (layer.lines[i].words[word % kLineWords] >> 48 != 0) ++word;
        auto& held = layer.lines[i].words[word % kLineWords];
        held |= std::uint64_t{slot} << (static_cast<unsigned>(std::bit_width(held.load())) + 15) / 16 * 16;
      }
      at += taken;
      layer.shingles += taken;
    }
  }
  texts = static_cast<TextNumber>(about[0]);
  return {};
}

}  // namespace leitong::online
