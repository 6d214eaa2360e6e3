// The shingles of texts that are read again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/pod_vector.hpp"
#include "corpus/documents.hpp"
#include "dedup/kept_units.hpp"
#include "leitong/result.hpp"
#include "text/units.hpp"

namespace leitong {

/// Shingle hashes of one text.
struct ShingledText {
  std::span<const std::uint32_t> ordered;  ///< in the order of the text
  std::span<const std::uint32_t> set;      ///< each once, ascending
};

/// Texts as their shingles, which are made of kept units, or of the text, which is read at every request.
class ShingledTexts {
 public:
  /// `units` may be null.
  ShingledTexts(const DocumentSource& source, const KeptUnits* units) : source_(source), units_(units) {}

  /// The working space of a thread.
  struct Reader {
    std::unique_ptr<ReadScratch> read;
    PodVector<Unit> units;
    PodVector<std::uint32_t> ordered, set, scratch;
  };
  [[nodiscard]] Reader new_reader() const { return {source_.new_scratch(), {}, {}, {}, {}}; }

  /// Both functions are thread-safe for different readers. What they return is valid until the reader is used
  /// again.
  Result<ShingledText> text(DocId document, Reader& reader) const;
  /// The hashes alone, in the order of the text.
  Result<std::span<const std::uint32_t>> ordered(DocId document, Reader& reader) const;

 private:
  const DocumentSource& source_;
  const KeptUnits* units_;
};

}  // namespace leitong
