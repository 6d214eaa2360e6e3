// Finds the places in a text that another text lacks.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/loss.hpp"
#include "base/pod_vector.hpp"
#include "dedup/template/marks.hpp"
#include "report/evidence.hpp"
#include "similarity/loss.hpp"
#include "text/units.hpp"

namespace leitong {

/// Keeps working space, so each thread needs its own.
class LostPlaces {
 public:
  /// The byte ranges of `text` that `other` lacks or has reworded, in order. Both are valid UTF-8. `loss` is
  /// what the run found for the two; `templates` are the marks of the shingles of `text`, ascending, which
  /// count as they did in the run.
  [[nodiscard]] std::vector<LostRange> find(std::string_view text, std::string_view other, const Loss& loss,
                                            std::span<const ShingleMark> templates,
                                            const Folding& folding = {});

 private:
  PodVector<Unit> units_, other_units_;
  std::vector<ByteRange> places_;
  PodVector<std::uint32_t> shingles_, other_shingles_, template_shingles_;
  PodVector<std::uint8_t> in_template_;
  LossFinder finder_;
};

}  // namespace leitong
