// What would be lost if the queried text left for one of the index.
#pragma once

#include <string_view>

#include "base/loss.hpp"
#include "base/pod_vector.hpp"
#include "online/decide_pair.hpp"
#include "online/state.hpp"
#include "similarity/loss.hpp"

namespace leitong::online {

/// A text with its shingles and its bytes.
struct WrittenText {
  Shingled& shingled;
  std::string_view bytes;
};

/// Computes the loss as the batch command does (dedup/losses.hpp), with the templates that the index knows.
/// Holds working space.
class LossOfText {
 public:
  [[nodiscard]] Loss find(const View& view, const Folding& folding, const WrittenText& text,
                          const WrittenText& match);

 private:
  LossFinder finder_;
  PodVector<std::uint8_t> in_template_;
};

}  // namespace leitong::online
