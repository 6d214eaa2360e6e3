// Values of texts by their ranges, in packets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {

/// The values of texts by their ranges, 0 to `ranges` - 1, which `range_of` says, in packets of at most
/// `most`. `offsets`: where the values of each text begin, and where the last ones end. O(n + ranges).
template <class Value, class RangeOf>
Packets<Value> packed(std::span<const Value> values, std::span<const std::int64_t> offsets,
                      std::size_t ranges, std::size_t most, RangeOf range_of) {
  std::vector<std::size_t> begins(ranges + 1);
  for (const Value value : values) ++begins[range_of(value) + 1];
  for (std::size_t range = 0; range < ranges; ++range) begins[range + 1] += begins[range];
  Packets<Value> made;
  made.values.resize(values.size());
  PodVector<std::uint32_t> texts;  // of each value
  texts.resize_for_overwrite(values.size());
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t text = 0; text + 1 < offsets.size(); ++text)
    for (std::int64_t i = offsets[text]; i < offsets[text + 1]; ++i) {
      const Value value = values[static_cast<std::size_t>(i)];
      const std::size_t at = next[range_of(value)]++;
      made.values[at] = value;
      texts[at] = static_cast<std::uint32_t>(text);
    }
  for (std::size_t range = 0; range < ranges; ++range)
    for (std::size_t begin = begins[range], end; begin < begins[range + 1]; begin = end) {
      end = begin + std::min(begins[range + 1] - begin, most);
      for (std::size_t i = begin; i < end; ++i) {
        if (i == begin || texts[i] != texts[i - 1]) {
          made.texts.push_back(texts[i]);
          made.counts.push_back(0);
        }
        ++made.counts.back();
      }
      made.ranges.push_back(static_cast<std::uint32_t>(range));
      made.text_offsets.push_back(static_cast<std::int64_t>(made.texts.size()));
      made.value_offsets.push_back(static_cast<std::int64_t>(end));
    }
  return made;
}

}  // namespace leitong::spread
