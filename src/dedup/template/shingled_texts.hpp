// The shingles of texts that the second decision looks at more than once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/documents.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"
#include "text/units.hpp"

namespace leitong {

/// Shingle hashes of one text.
struct ShingledText {
  std::span<const std::uint32_t> ordered;  ///< in the order of the text
  std::span<const std::uint32_t> set;      ///< each once, ascending
  bool stays = false;                      ///< as long as the ShingledTexts; else until the reader is used
};

/// Texts as their shingles. Those that are expected to be asked for again stay in memory while there is room,
/// 8 bytes a unit; the others are read each time.
class ShingledTexts {
 public:
  ShingledTexts(const DocumentSource& source, RunContext& run) : source_(source), run_(run) {}
  ~ShingledTexts() { run_.memory.release(held_.load(std::memory_order_relaxed)); }
  ShingledTexts(const ShingledTexts&) = delete;
  ShingledTexts& operator=(const ShingledTexts&) = delete;

  /// Working space of a thread.
  struct Reader {
    std::unique_ptr<ReadScratch> read;
    PodVector<Unit> units;
    PodVector<std::uint32_t> ordered, set, scratch;
  };
  [[nodiscard]] Reader new_reader() const { return {source_.new_scratch(), {}, {}, {}, {}}; }

  /// Once: the texts that will be asked for again.
  void expect(const std::vector<bool>& documents);

  /// Thread-safe for different documents.
  Result<ShingledText> text(DocId document, Reader& reader);
  /// The hashes alone, in the order of the text, of a document that is asked for once. Valid until the reader
  /// is used again.
  Result<std::span<const std::uint32_t>> ordered(DocId document, Reader& reader) const;

 private:
  struct Kept {
    PodVector<std::uint32_t> ordered, set;
  };

  const DocumentSource& source_;
  RunContext& run_;
  std::vector<DocId> expected_;  // ascending
  std::vector<Kept> kept_;       // of these; empty where nothing is kept
  std::atomic<std::uint64_t> held_{0};
};

}  // namespace leitong
