// Values of texts by their ranges, and the columns that a stage writes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "spread/part_file.hpp"
#include "spread/rows.hpp"
#include "spread/steps.hpp"

namespace leitong::spread {

/// The values of texts by their ranges, 0 to `ranges` - 1, which `range_of` says. O(n + ranges).
template <class Value, class RangeOf>
ByRange<Value> by_range(const Lists<Value>& lists, std::size_t ranges, RangeOf range_of) {
  ByRange<Value> made;
  made.value_begins.resize(ranges + 1);
  for (const Value value : lists.values) ++made.value_begins[range_of(value) + 1];
  for (std::size_t range = 0; range < ranges; ++range)
    made.value_begins[range + 1] += made.value_begins[range];
  made.values.resize(lists.values.size());
  PodVector<std::uint32_t> texts;  // of each value
  texts.resize_for_overwrite(lists.values.size());
  std::vector<std::size_t> next(made.value_begins.begin(), made.value_begins.end() - 1);
  for (std::size_t text = 0; text < lists.size(); ++text)
    for (const Value value : lists[text]) {
      const std::size_t at = next[range_of(value)]++;
      made.values[at] = value;
      texts[at] = static_cast<std::uint32_t>(text);
    }
  for (std::size_t range = 0; range < ranges; ++range) {
    made.text_begins.push_back(made.texts.size());
    for (std::size_t begin = made.value_begins[range], i = begin; i < made.value_begins[range + 1]; ++i) {
      if (i == begin || texts[i] != texts[i - 1]) {
        made.texts.push_back(texts[i]);
        made.counts.push_back(0);
      }
      ++made.counts.back();
    }
  }
  made.text_begins.push_back(made.texts.size());
  return made;
}

/// Columns of texts with their values, by ranges. `counts` of more than `most` values of a text are divided.
template <class Value>
struct TextColumns {
  Ranged<TextNumber> texts;
  Ranged<std::uint8_t> counts;  // in the form that `head` gives them
  Ranged<Value> values;

  explicit TextColumns(std::size_t ranges) : texts(ranges), counts(ranges), values(ranges) {}

  /// `content`: of each text; `head(text, count)`: what stands for the count of a text.
  template <class Head>
  void add(const ByRange<Value>& of, std::span<const std::uint64_t> content, std::uint32_t most, Head head) {
    for (std::size_t range = 0; range < texts.size(); ++range) {
      for (std::size_t i = of.text_begins[range]; i < of.text_begins[range + 1]; ++i)
        for (std::uint32_t left = of.counts[i]; left > 0;) {
          const std::uint32_t some = std::min(left, most);
          texts[range].push_back(number_of(content[of.texts[i]]));
          counts[range].push_back(head(of.texts[i], some));
          left -= some;
        }
      const auto found = std::span(of.values).subspan(of.value_begins[range],
                                                      of.value_begins[range + 1] - of.value_begins[range]);
      values[range].insert(values[range].end(), found.begin(), found.end());
    }
  }

  /// `name`: of the values.
  Result<void> put(PartWriter& file, const std::string& name) const {
    LEITONG_TRY(file.put("texts", texts));
    LEITONG_TRY(file.put("counts", counts));
    return file.put(name, values);
  }
};

}  // namespace leitong::spread
