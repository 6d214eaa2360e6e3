// For finders that decide by comparing the documents themselves: the numbers of all documents in memory, and
// a sink that measures every pair before it passes it on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/candidates.hpp"
#include "base/pod_vector.hpp"
#include "base/stop.hpp"
#include "base/try.hpp"

namespace leitong {

/// Stores an array of 32-bit numbers for each document.
class KeptArrays {
 public:
  /// Documents come in ascending order. The numbers are in the lower halves of `words`.
  void add(DocId document, std::span<const std::uint64_t> words) {
    ends_.resize(document, values_.size());
    for (const std::uint64_t word : words) values_.push_back(static_cast<std::uint32_t>(word));
    ends_.push_back(values_.size());
    ++documents_;
  }
  /// Empty for documents that were left out.
  [[nodiscard]] std::span<const std::uint32_t> of(DocId document) const noexcept {
    const std::size_t begin = document == 0 ? 0 : ends_[document - 1];
    return {values_.data() + begin, ends_[document] - begin};
  }
  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::uint64_t numbers() const noexcept { return values_.size(); }
  [[nodiscard]] std::uint64_t bytes_each() const noexcept {
    return documents_ == 0 ? 0 : (4 * values_.size() + 8 * ends_.size()) / documents_;
  }

 private:
  PodVector<std::uint32_t> values_;
  PodVector<std::size_t> ends_;
  std::uint64_t documents_ = 0;
};

/// Passes on the candidates for which `measure(a, b)` reaches `threshold`, with that as their score.
template <class MeasureFn>
class MeasuringSink final : public CandidateSink {
 public:
  MeasuringSink(CandidateSink& sink, double threshold, StopToken stop, MeasureFn measure)
      : sink_(sink), threshold_(threshold), stop_(stop), measure_(std::move(measure)) {}

  Result<void> offer(std::span<const Candidate> candidates) override {
    std::vector<Candidate> similar;
    for (Candidate candidate : candidates) {
      LEITONG_TRY(stop_.check());
      const double value = measure_(candidate.a, candidate.b);
      if (value < threshold_) continue;
      candidate.score = static_cast<float>(value);
      similar.push_back(candidate);
    }
    return sink_.offer(similar);
  }
  [[nodiscard]] bool full() const override { return sink_.full(); }
  Result<void> flush() override { return sink_.flush(); }
  [[nodiscard]] bool matched(DocId document) const override { return sink_.matched(document); }

 private:
  CandidateSink& sink_;
  double threshold_;
  StopToken stop_;
  MeasureFn measure_;
};

}  // namespace leitong
