// What would be lost if the text that was asked about left for one that the index has?
#pragma once

#include <string_view>

#include "base/loss.hpp"
#include "base/pod_vector.hpp"
#include "online/decide_pair.hpp"
#include "online/state.hpp"
#include "similarity/loss.hpp"

namespace leitong::online {

/// A text whose shingles are asked for, and its bytes.
struct WrittenText {
  Shingled& shingled;
  std::string_view bytes;
};

/// As the batch command finds it (dedup/losses.hpp), by the templates that the index knows. Holds working
/// space.
class LossOfText {
 public:
  [[nodiscard]] Loss find(const View& view, const Folding& folding, const WrittenText& text,
                          const WrittenText& match);

 private:
  LossFinder finder_;
  PodVector<std::uint8_t> in_template_;
};

}  // namespace leitong::online
