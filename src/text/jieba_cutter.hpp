// jieba's segmentation, with exactly its tokens, at a speed that memory bounds.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "text/segment/cut_buffers.hpp"
#include "text/segment/general_cut.hpp"
#include "text/segment/model.hpp"

namespace leitong {

/// The working space of a JiebaCutter, one for each thread.
struct CutScratch {
  GeneralScratch general;
  CutMemory kernel;
  PodVector<std::uint32_t> starts;
};

/// Cuts texts into words exactly as cppjieba does with the same dictionaries. Every byte belongs to a token;
/// a separator (space, tab, line feed, the Chinese comma and full stop) is a token, too. Texts are cut at
/// separators first, so several texts can be cut in one call, joined by line feeds. Thread-safe.
///
/// REQUIRES of all texts: valid UTF-8, less than 4 GiB.
class JiebaCutter {
 public:
  explicit JiebaCutter(std::shared_ptr<const SegmentModel> model, Simd level = simd_level());

  /// Appends the byte at which each token begins: the most likely words of the dictionary (cppjieba's
  /// MPSegment) and, with `hmm`, words that a hidden Markov model makes of the remaining single characters
  /// (MixSegment).
  void cut(std::string_view utf8, bool hmm, CutScratch& scratch, PodVector<std::uint32_t>& starts) const;

  /// Appends all dictionary words, even if they overlap, and the characters that no word covers
  /// (FullSegment).
  void cut_full(std::string_view utf8, CutScratch& scratch, PodVector<Token>& tokens) const;

  /// Appends what cut() finds; before each token come the dictionary words of two, then of three characters
  /// inside it (QuerySegment).
  void cut_for_search(std::string_view utf8, bool hmm, CutScratch& scratch, PodVector<Token>& tokens) const;

  /// The part of speech of a token: the dictionary's, or m (a number), eng (has ASCII letters) or x, as
  /// cppjieba's PosTagger decides.
  [[nodiscard]] std::string_view tag(std::string_view token) const;

  [[nodiscard]] const SegmentModel& model() const noexcept { return *model_; }

 private:
  void cut_chunk(std::string_view utf8, std::size_t begin, std::size_t end, bool hmm, CutScratch& scratch,
                 PodVector<std::uint32_t>& starts) const;

  std::shared_ptr<const SegmentModel> model_;
  CutKernel kernel_;  // null: plain loops
};

}  // namespace leitong
