#include "spread/shingle_filter.hpp"

#include <algorithm>
#include <bit>

#include "base/try.hpp"

namespace leitong::spread {

std::uint32_t filter_bits(std::uint64_t units) noexcept {
  constexpr std::uint32_t kLeast = 20, kMost = 29;
  return std::clamp(static_cast<std::uint32_t>(std::bit_width(16 * std::max<std::uint64_t>(units, 1))),
                    kLeast, kMost);
}

Result<std::vector<std::uint32_t>> filter_of(const PartRun& run, std::span<const TextNumber> texts,
                                             std::uint32_t bits, Contents& contents) {
  constexpr std::size_t kAtOnce = 4096;
  std::vector<std::uint32_t> distances;
  if (texts.empty()) return distances;
  std::vector<std::uint8_t> filter((std::size_t{1} << bits) / 8);
  for (std::size_t begin = 0; begin < texts.size(); begin += kAtOnce) {
    LEITONG_ASSIGN(const TextBlock block,
                   contents.read(texts.subspan(begin, std::min(kAtOnce, texts.size() - begin))));
    LEITONG_TRY(add_to_filter(run.context, block.texts, filter, run.steps.folding()));
  }
  std::uint32_t last = 0;
  for (std::uint32_t byte = 0; byte < filter.size(); ++byte)
    for (std::uint32_t left = filter[byte]; left != 0; left &= left - 1) {
      const std::uint32_t bit = 8 * byte + static_cast<std::uint32_t>(std::countr_zero(left));
      distances.push_back(bit - last);
      last = bit;
    }
  return distances;
}

Result<std::vector<std::uint8_t>> read_filter(const Plan& plan, std::uint32_t bits) {
  std::vector<std::uint8_t> filter;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file("complete", part)));
    PodVector<std::uint32_t> distances;
    LEITONG_TRY(file.append_unpacked<std::uint32_t>("filter", 0, distances));
    if (distances.empty()) continue;
    filter.resize((std::size_t{1} << bits) / 8);
    std::uint32_t bit = 0;
    for (const std::uint32_t distance : distances) {
      bit += distance;
      if (bit / 8 >= filter.size()) return fail(ErrorCode::corrupt, "a filter of shingles is damaged");
      filter[bit / 8] |= static_cast<std::uint8_t>(1U << bit % 8);
    }
  }
  return filter;
}

}  // namespace leitong::spread
