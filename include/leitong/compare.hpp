// Two texts compared by every measure, with the passages that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/folding.hpp"
#include "leitong/passage.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The figures of one of the two texts.
struct ComparedText {
  std::size_t bytes = 0;     ///< of the text as it was given
  std::size_t units = 0;     ///< after folding: CJK characters, and pairs of letters of a word
  std::size_t shingles = 0;  ///< distinct shingles of 5 units
  double containment = 0;    ///< share of its shingles that the other text holds too
  double coverage = 0;       ///< share of its units that lies in shared passages
  /// Share of its units that the other text lacks; a reworded unit counts 0.3 (LossLimits::loss).
  double loss = 0;
};

/// All measures run from 0 (nothing in common) to 1 (the same). Two empty texts are the same; an empty text
/// has nothing in common with another.
struct CompareResult {
  ComparedText a;                   ///< the first text
  ComparedText b;                   ///< the second text
  std::size_t shared_shingles = 0;  ///< distinct shingles of 5 units that both hold
  double jaccard = 0;               ///< shared shingles / shingles of either
  std::optional<double> edit;       ///< 1 - edit distance in units / units of the longer text; see edit_cells
  /// The number of bits in which the 64-bit SimHashes of the two texts' shingles differ, every shingle with
  /// the same weight; nothing if a text is empty. Unrelated texts differ in about 32 bits. The method
  /// `simhash` signs weighted words, so its distance is a different number.
  std::optional<unsigned> shingle_simhash_distance;
  /// Are the texts the same? Their characters differ at most in Unicode normalisation, width, case,
  /// traditional and simplified forms, and white space.
  bool identical = false;
  bool other_signs = false;  ///< copies that differ in characters such as < and > (docs/text.md)
  /// Why the texts are similar by the default rule: "identical", "copy" (equal after folding), "jaccard" or
  /// "containment"; empty if they are not.
  std::string_view similar_by;
  /// What two similar texts are to each other: "copy", "revision", "version", "excerpt", "reworded" or
  /// "same_form" (RemovalReason::relation); empty if they aren't similar.
  std::string_view relation;
  std::vector<Passage> passages;  ///< disjoint on either side, in order of A
  std::size_t passage_units = 0;  ///< the fewest units of a shared run that counts as a passage
  Folding folding = {};           ///< the folding by which the texts were compared
};

/// Limits, and names for messages.
struct CompareOptions {
  /// The edit similarity is computed if the product of the two texts' units is at most this: about a second
  /// of work.
  std::uint64_t edit_cells = 40'000'000'000;
  std::string_view name_a = "text A";  ///< what messages call the first text
  std::string_view name_b = "text B";  ///< what messages call the second text
  Folding folding = {};                ///< the folding by which the texts are compared
};

/// The largest text that compare() takes. It uses about 30 bytes of memory for each byte of text.
inline constexpr std::size_t kMaxComparedBytes = std::size_t{256} << 20;

/// Compares two UTF-8 texts. Fails with corrupt (naming the byte) if a text is not UTF-8, and with limit
/// above kMaxComparedBytes. O(n log n), except for the edit similarity. It cannot be stopped: limit the size
/// of untrusted texts.
[[nodiscard]] Result<CompareResult> compare(std::string_view a, std::string_view b,
                                            const CompareOptions& options = {});

/// The result as one JSON object and a line feed, with the names of `options`, as `leitong compare --json`
/// prints it. Passages are ranges of bytes [begin, end). A measure that was not computed is null.
[[nodiscard]] std::string to_json(const CompareResult& result, const CompareOptions& options = {});

/// What two texts share, by their shingles alone; CompareResult explains the measures.
struct Overlap {
  std::size_t shingles = 0;         ///< distinct shingles of 5 units of the other text
  std::size_t shared_shingles = 0;  ///< those that both hold
  double jaccard = 0;               ///< shared shingles / shingles of either
  double containment = 0;           ///< share of the text's shingles that the other one holds
  double other_containment = 0;     ///< share of the other's shingles that the text holds
  bool identical = false;           ///< the same text
  bool other_signs = false;         ///< CompareResult::other_signs
  /// Why the texts are similar by the default rule: "identical", "copy", "jaccard" or "containment"; empty if
  /// they are not.
  std::string_view similar_by = {};
};

/// Compares one text with each of many, in their order, on the context's threads. Fails with corrupt, naming
/// the first text that is not UTF-8 ("the text", or "text 12" of `others`), with limit above
/// kMaxComparedBytes, and with cancelled. Linear in all texts. The result is the same for any number of
/// threads.
[[nodiscard]] Result<std::vector<Overlap>> compare_with(const Context& context, std::string_view text,
                                                        std::span<const std::string_view> others,
                                                        const Folding& folding = {});

}  // namespace leitong
