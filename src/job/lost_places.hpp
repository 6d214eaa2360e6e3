// Where in a text stands what another one lacks of it?
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

/// Holds working space. One for each thread.
class LostPlaces {
 public:
  /// The bytes of `text` that `other` lacks or has reworded, in order. Both are valid UTF-8. `loss`: what was
  /// found of the two in the run; `templates`: marks of the shingles of `text`, ascending, which count as the
  /// run let them count.
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
