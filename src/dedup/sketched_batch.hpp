// The result of the first pass for a batch of records: rows of the document table and sketches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/document_table.hpp"
#include "base/pod_vector.hpp"
#include "leitong/result.hpp"
#include "text/page_artifacts.hpp"

namespace leitong {

/// One entry for each accepted document of the batch, in order.
struct SketchedBatch {
  DocumentTable rows;
  PodVector<std::uint64_t> words;          // all sketches, one after the other
  PodVector<std::uint32_t> selected;       // shingles for the sample of recall
  PodVector<std::uint32_t> extents;        // RecallSample::select(); empty where nothing is sampled
  PodVector<std::uint64_t> word_ends;      // end of each document in words
  PodVector<std::uint64_t> selected_ends;  // end of each document in selected
  std::uint64_t text_bytes = 0;
  PageArtifactCounts artifacts;

  [[nodiscard]] std::size_t size() const noexcept { return word_ends.size(); }
  [[nodiscard]] std::span<const std::uint64_t> sketch(std::size_t i) const noexcept {
    const std::uint64_t begin = i == 0 ? 0 : word_ends[i - 1];
    return {words.data() + begin, word_ends[i] - begin};
  }
  [[nodiscard]] std::span<const std::uint32_t> sampled(std::size_t i) const noexcept {
    const std::uint64_t begin = i == 0 ? 0 : selected_ends[i - 1];
    return {selected.data() + begin, selected_ends[i] - begin};
  }
};

/// Writes the batch as a record of a stage's file, with the state that its source needs.
void pack(const SketchedBatch& batch, std::string_view source_state, std::string& bytes);
/// The inverse of pack(). Returns the source's part, a view into `bytes`. Fails with corrupt.
Result<std::string_view> unpack(std::string_view bytes, SketchedBatch& batch);

}  // namespace leitong
