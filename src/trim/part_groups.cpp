#include "trim/part_groups.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

using Words = std::array<std::uint64_t, 3>;
constexpr std::string_view kKind = "groups of parts";
constexpr std::uint32_t kVersion = 1;

/// A thread's buffers for one partition.
struct Sorted {
  PodVector<std::uint64_t> words;
  PodVector<Words> parts, scratch;

  void load() {
    static_assert(sizeof(Words) == 3 * sizeof(std::uint64_t));
    parts.resize_for_overwrite(words.size() / 3);
    std::memcpy(parts.data(), words.data(), words.size() * sizeof(std::uint64_t));
  }
  /// Sorts by hash, then place. One digit of the hash leaves few parts to compare.
  void sort_by_hash() {
    constexpr unsigned kLow = 64 - Partitions::kBits - 11;
    const auto digit = [](const Words& part) { return part[0] >> kLow; };
    radix_sort(parts, scratch, kLow, 64 - Partitions::kBits, [](const Words& part) { return part[0]; });
    for (auto begin = parts.begin(); begin != parts.end();) {
      const auto end =
          std::find_if(begin, parts.end(), [&](const Words& part) { return digit(part) != digit(*begin); });
      std::sort(begin, end);
      begin = end;
    }
  }
  void sort_by_place() {
    std::uint64_t most = 0;
    for (const Words& part : parts) most = std::max(most, part[0]);
    radix_sort(parts, scratch, 0, static_cast<unsigned>(std::bit_width(most)),
               [](const Words& part) { return part[0]; });
  }
  /// What it takes for a partition of so many words.
  static constexpr std::uint64_t bytes_for(std::size_t words) { return 3 * words * sizeof(std::uint64_t); }
};

/// Documents of places that are sorted.
std::uint64_t count_documents(std::span<const Words> equal) {
  std::uint64_t documents = 0, last = UINT64_MAX;
  for (const Words& part : equal) {
    const std::uint64_t document = part[2] >> 32;
    documents += document != last ? 1 : 0;
    last = document;
  }
  return documents;
}

}  // namespace

PartHash hash_of_units(const std::uint32_t* units, std::size_t count) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(units, count * sizeof(std::uint32_t));
  return {hash.high64, hash.low64};
}

Result<void> PartGroups::group(std::uint64_t least_documents, std::uint64_t documents) {
  set_documents(documents);
  PerThread<Members> writers([this] { return Members(*this); });
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Sorted(); },
      [&](std::size_t number, Sorted& sorted) -> Result<void> {
        Members& writer = writers.local();
        LEITONG_TRY(hashes_.take(static_cast<unsigned>(number), sorted.words));
        const HeldMemory held(run_.memory, Sorted::bytes_for(sorted.words.size()));
        sorted.load();
        sorted.sort_by_hash();
        const std::span<const Words> parts = sorted.parts;
        for (auto begin = parts.begin(); begin != parts.end();) {
          const auto end = std::find_if(begin, parts.end(), [&](const Words& part) {
            return part[0] != (*begin)[0] || part[1] != (*begin)[1];
          });
          const std::span<const Words> equal(begin, end);
          begin = end;
          if (equal.size() < 2) continue;
          const std::uint64_t holders = count_documents(equal);
          if (holders < least_documents) continue;
          const std::uint64_t group = new_groups(1);
          for (const Words& part : equal)
            LEITONG_TRY(writer.add({.document = static_cast<DocId>(part[2] >> 32),
                                    .at = static_cast<std::uint32_t>(part[2]),
                                    .group = group,
                                    .documents = holders,
                                    .first = &part == equal.data()}));
        }
        return {};
      }));
  return writers.for_each([](Members& writer) { return writer.flush(); });
}

Result<void> PartGroups::save(const ArtifactFolder& folder, std::string_view stage) const {
  return folder.write(stage, kKind, kVersion, [this](SectionWriter& writer) -> Result<void> {
    LEITONG_TRY(writer.begin("parts"));
    PodVector<std::uint64_t> words;
    for (unsigned block = 0; block < blocks(); ++block) {
      LEITONG_TRY(repeated_.load(block, words));
      LEITONG_TRY(
          writer.append({reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)}));
    }
    const std::uint64_t groups = groups_;
    return writer.section("groups", std::span(&groups, 1));
  });
}

Result<void> PartGroups::load(const ArtifactFolder& folder, std::string_view stage, std::uint64_t documents) {
  LEITONG_ASSIGN(const SectionFile file, folder.read(stage, kKind, kVersion));
  LEITONG_ASSIGN(const auto parts, file.section<Words>("parts"));
  LEITONG_ASSIGN(const auto groups, file.section<std::uint64_t>("groups"));
  const auto damaged = [&] {
    return fail(ErrorCode::corrupt, file.path().string() + ": the stage is of other documents");
  };
  if (groups.size() != 1) return damaged();
  set_documents(documents);
  groups_ = groups.front();
  Partitions::Writer writer(repeated_);
  for (const Words& part : parts) {
    const auto document = static_cast<DocId>(part[0] >> 32);
    const std::uint64_t group = part[1] >> kCountBits, count = part[1] & ((1u << kCountBits) - 1);
    if (document >= documents || group + count > groups_) return damaged();
    LEITONG_TRY(writer.append(block_of(document), part));
  }
  return writer.flush();
}

Result<void> PartGroups::take(unsigned block, std::vector<RepeatedPart>& parts) {
  parts.clear();
  Sorted sorted;
  LEITONG_TRY(repeated_.take(block, sorted.words));
  sorted.load();
  sorted.sort_by_place();
  parts.reserve(sorted.parts.size());
  for (const Words& part : sorted.parts)
    parts.push_back({static_cast<DocId>(part[0] >> 32), static_cast<std::uint32_t>(part[0]),
                     static_cast<std::uint32_t>(part[1] & ((1u << kCountBits) - 1)), part[1] >> kCountBits,
                     part[2] / 2, part[2] % 2 == 1});
  return {};
}

}  // namespace leitong
