// Text -> the same text in one canonical spelling: compatibility forms, case, invisible characters, white
// space, punctuation and traditional characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/cpu.hpp"
#include "base/pod_vector.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/normalise.hpp"

namespace leitong {

struct NormaliseOptions {
  bool fold_case = true;       ///< full case folding (so that "ß" is "ss"), as NFKC_Casefold has it
  bool drop_invisible = true;  ///< what is default ignorable, format and control characters, noncharacters
  bool run_space_together = true;  ///< runs of white space become one U+0020, and none begins or ends a text
  Punctuation punctuation = Punctuation::keep;
  bool simplify = false;  ///< traditional characters become simplified ones, each for itself
};

/// How far a text was normalised.
struct NormaliseResult {
  std::size_t read = 0;       ///< bytes of the text; fewer than all if the result reached its cap
  std::size_t cut_marks = 0;  ///< runs of combining marks longer than kLongestMarkRun, normalised in parts
};

/// No result is longer than this many times its text and kNormalSlack more: a few characters stand for whole
/// sentences (U+FDFA is eleven times its size), and only hostile text is made of them.
inline constexpr std::size_t kNormalGrowth = 4;
inline constexpr std::size_t kNormalSlack = 4096;

/// Bytes of combining marks that are put in order together. Ordering takes quadratic time, and no script
/// needs more than a handful (UAX #15 allows 30 marks in its stream-safe format).
inline constexpr std::size_t kLongestMarkRun = 512;

/// A stretch of a normalised text and the bytes that it came from.
struct NormalisedRun {
  ByteRange normal;
  ByteRange original;
  bool changed;  ///< if not, the bytes are the same, one by one

  friend bool operator==(const NormalisedRun&, const NormalisedRun&) = default;
};

struct NormalTable;

/// One set of options, ready for use. Thread-safe. 1 MiB; made in a few milliseconds.
///
/// The definition, which the fast paths keep to the byte: every character is replaced by NFKC of it, or with
/// fold_case by its NFKC_Casefold (The Unicode Standard, section 3.13, R5 and UAX #44), then by what the
/// other options make of it; the whole is brought into NFC; white space is run together. So the result is
/// NFKC with all options off, and exactly ICU's and utf8proc's NFKC_Casefold with fold_case, but for the
/// invisible characters: those that are not default ignorable go as well.
class Normaliser {
 public:
  explicit Normaliser(const NormaliseOptions& options = {});
  Normaliser(Normaliser&&) noexcept;
  Normaliser& operator=(Normaliser&&) noexcept;
  ~Normaliser();

  /// Replaces `normal` by the text's normal form. REQUIRES: valid UTF-8. Linear; the same bytes on every CPU.
  NormaliseResult operator()(std::string_view utf8, PodVector<char>& normal) const;
  NormaliseResult operator()(std::string_view utf8, PodVector<char>& normal, Simd level) const;

  /// The same as code points.
  NormaliseResult operator()(std::string_view utf8, PodVector<char32_t>& normal) const;
  NormaliseResult operator()(std::string_view utf8, PodVector<char32_t>& normal, Simd level) const;

  /// The same with the way back: `runs` cover both texts, in order, but for what vanished from the original.
  /// Slow and obvious: the twin that the fast paths are tested against.
  NormaliseResult with_places(std::string_view utf8, PodVector<char>& normal,
                              std::vector<NormalisedRun>& runs) const;

 private:
  std::unique_ptr<const NormalTable> table_;
};

/// The bytes of the original that a range of the normal form came from.
[[nodiscard]] ByteRange original_place(const std::vector<NormalisedRun>& runs, ByteRange normal);

}  // namespace leitong
