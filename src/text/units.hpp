// Turns texts into units: the folded letters by which two texts are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/folding.hpp"

namespace leitong {

/// One unit of comparison. A CJK character, kana or hangul syllable is one unit (its folded code point). In
/// other scripts a unit is two letters or digits of a word, counted from the word's start (the last one may
/// be single), hashed to 31 bits with the top bit set, so that the two kinds are never equal.
using Unit = std::uint32_t;

/// Folds UTF-8 text (NFKC, case, traditional to simplified, variant characters to one representative; white
/// space and punctuation only separate; invisible characters are dropped; marks and numbers as `folding`
/// says) and replaces `units` by its units. REQUIRES: valid UTF-8 (the corpus layer rejects everything else).
/// Linear; the same units on every CPU.
void to_units(std::string_view utf8, const Folding& folding, PodVector<Unit>& units);
/// Uses the default folding.
void to_units(std::string_view utf8, PodVector<Unit>& units);

/// Uses one named kernel family; for tests and benchmarks.
void to_units(std::string_view utf8, PodVector<Unit>& units, Simd level, const Folding& folding = {});

/// Computes to_units(), and for each unit the bytes of the original text from which it was made, so that
/// evidence can be shown there. This slow and simple implementation is the reference that the kernels are
/// tested against.
void to_units_with_places(std::string_view utf8, const Folding& folding, PodVector<Unit>& units,
                          std::vector<ByteRange>& places);
/// Uses the default folding.
void to_units_with_places(std::string_view utf8, PodVector<Unit>& units, std::vector<ByteRange>& places);

/// Identifies the folding table (a digest of its content). Signatures of different tables cannot be compared.
[[nodiscard]] std::uint64_t fold_table_id(Marks marks = Marks::fold) noexcept;

}  // namespace leitong
