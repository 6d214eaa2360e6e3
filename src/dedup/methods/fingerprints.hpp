// What the methods share that sign a document with 64 or 128 bits and compare by Hamming distance.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dedup/method.hpp"
#include "dedup/methods/in_memory.hpp"
#include "feature/extractor.hpp"

namespace leitong {

/// The second element is 0 for 64 bits.
using Fingerprint = std::array<std::uint64_t, 2>;

/// Signs documents. Thread-safe for different spaces.
class Fingerprinter {
 public:
  virtual ~Fingerprinter() = default;
  /// None for a document without features, which is like no other.
  [[nodiscard]] virtual std::optional<Fingerprint> sign(const DocumentView& document,
                                                        FeatureSpace& space) const = 0;
};

struct FingerprintSettings {
  std::string name;  ///< of the method, for messages
  unsigned bits = 64;
  unsigned distance = 3;
};

/// Finds all pairs of fingerprints within the distance. Documents of one fingerprint are all paired up to 64
/// of them; in larger groups two leaders stand for all.
class FingerprintMethod final : public Method {
 public:
  FingerprintMethod(const MethodContext& context, FingerprintSettings settings,
                    std::unique_ptr<const Fingerprinter> signer);

  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override;
  void sketch(const DocumentView& document, Scratch& scratch, PodVector<std::uint64_t>& words) const override;
  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b) const override;
  Result<void> add(DocId document, std::span<const std::uint64_t> words) override;
  Result<void> find(CandidateSink& sink) override;
  [[nodiscard]] MethodFigures figures() const override;

 private:
  struct Signed {
    Fingerprint fingerprint;
    DocId document;
  };
  /// Documents of one fingerprint, [begin, end) of those in order.
  struct Group {
    std::uint32_t begin, end;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };

  [[nodiscard]] double similarity_of(unsigned distance) const noexcept {
    return 1 - static_cast<double>(distance) / settings_.bits;
  }
  void collapse();
  Result<void> join(CandidateBatch& candidates);
  Result<void> join_half(unsigned half, unsigned distance, CandidateBatch& candidates);
  Result<void> offer(std::uint32_t i, std::uint32_t j, double score, CandidateBatch& candidates) const;
  Result<void> pair_within(const Group& group, CandidateBatch& candidates) const;
  Result<void> pair_across(const Group& x, const Group& y, unsigned distance,
                           CandidateBatch& candidates) const;

  FingerprintSettings settings_;
  std::unique_ptr<const Fingerprinter> signer_;
  const DocumentTable& table_;
  const MemoryBudget& memory_;
  PodVector<Signed> documents_;
  PodVector<Group> groups_;
  std::uint64_t compared_ = 0, large_groups_ = 0, starred_ = 0, offered_ = 0;
};

}  // namespace leitong
