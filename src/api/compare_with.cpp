#include <fmt/core.h>

#include <iterator>

#include "api/text_batches.hpp"
#include "base/try.hpp"
#include "report/render_compare.hpp"
#include "similarity/overlap.hpp"

namespace leitong {

Result<std::vector<Overlap>> compare_with(const Context& context, std::string_view text,
                                          std::span<const std::string_view> others, const Folding& folding) {
  struct Space {
    ComparedFeatures features;
    PodVector<std::uint32_t> scratch;
  };
  LEITONG_TRY(check_compared("the text", text));
  Space own;
  own.features.take(text, folding, own.scratch);
  LEITONG_ASSIGN(
      const std::vector<std::vector<Overlap>> parts,
      for_chunks<std::vector<Overlap>>(
          context, others, [] { return Space(); },
          [&](const TextChunk& chunk, Space& space, std::vector<Overlap>& out) -> Result<void> {
            for (std::size_t i = 0; i < chunk.texts.size(); ++i) {
              if (chunk.texts[i].size() > kMaxComparedBytes)
                LEITONG_TRY(check_compared(fmt::format("text {}", chunk.first + i), chunk.texts[i]));
              space.features.take(chunk.texts[i], folding, space.scratch);
              out.push_back(overlap_of(own.features, space.features));
            }
            return {};
          }));
  std::vector<Overlap> all;
  all.reserve(others.size());
  for (const std::vector<Overlap>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::string to_json(const CompareResult& result, const CompareOptions& options) {
  return render_compare_json(result, {options.name_a, {}}, {options.name_b, {}});
}

}  // namespace leitong
