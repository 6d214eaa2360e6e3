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
/// space and punctuation only separate; invisible characters vanish; marks and numbers as `folding` says;
/// line numbers, page numbers and what else page_artifacts() finds are left out) and writes its units to
/// `units`, replacing what was there. Returns the number of the page artifacts. REQUIRES: valid UTF-8 (the
/// corpus layer quarantines anything else). Linear; the same units on every CPU.
std::size_t to_units(std::string_view utf8, const Folding& folding, PodVector<Unit>& units);
/// The same with the folding that is the default.
std::size_t to_units(std::string_view utf8, PodVector<Unit>& units);

/// The same by one named kernel family; for tests and benchmarks.
std::size_t to_units(std::string_view utf8, PodVector<Unit>& units, Simd level, const Folding& folding = {});

/// Computes to_units(), and for each unit the bytes of the original text from which it was made, so that
/// evidence can be shown there. This slow and simple implementation is the reference that the kernels are
/// tested against.
void to_units_with_places(std::string_view utf8, const Folding& folding, PodVector<Unit>& units,
                          std::vector<ByteRange>& places);
/// Uses the default folding.
void to_units_with_places(std::string_view utf8, PodVector<Unit>& units, std::vector<ByteRange>& places);

/// The units of what ComparedText::text() holds, or of whole lines of it: nothing of it is left out.
void fold_units(std::string_view utf8, Marks marks, PodVector<Unit>& units, Simd level = simd_level());
/// The same with the places within `utf8`.
void fold_units_with_places(std::string_view utf8, Marks marks, PodVector<Unit>& units,
                            std::vector<ByteRange>& places);

/// Identifies the folding table (a digest of its content). Signatures of two tables don't compare.
[[nodiscard]] std::uint64_t fold_table_id(Marks marks = Marks::fold) noexcept;

}  // namespace leitong
