// Normalises a text to one canonical spelling: compatibility forms, case, invisible characters, white space,
// punctuation and traditional characters.
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
  bool fold_case = true;       ///< full case folding ("ß" becomes "ss"), as in NFKC_Casefold
  bool drop_invisible = true;  ///< drops default ignorable, format and control characters and noncharacters
  bool run_space_together = true;  ///< runs of white space become one U+0020, and none begins or ends a text
  Punctuation punctuation = Punctuation::keep;
  bool simplify = false;  ///< traditional characters become simplified ones, one by one
};

/// The progress of a normalisation.
struct NormaliseResult {
  std::size_t read = 0;       ///< bytes of the text; fewer than all if the result reached its cap
  std::size_t cut_marks = 0;  ///< runs of combining marks longer than kLongestMarkRun, normalised in parts
};

/// No result is longer than this many times its text plus kNormalSlack. A few characters stand for whole
/// sentences (U+FDFA grows eleven times), and only hostile texts consist of them.
inline constexpr std::size_t kNormalGrowth = 4;
inline constexpr std::size_t kNormalSlack = 4096;

/// The most bytes of combining marks that are put in order together. Ordering takes quadratic time, and no
/// script needs many (UAX #15 allows 30 marks in its stream-safe format).
inline constexpr std::size_t kLongestMarkRun = 512;

/// A stretch of a normalised text and the bytes from which it was made.
struct NormalisedRun {
  ByteRange normal;
  ByteRange original;
  bool changed;  ///< if false, the bytes are the same, one by one

  friend bool operator==(const NormalisedRun&, const NormalisedRun&) = default;
};

struct NormalTable;

/// A set of options with its tables. Thread-safe. 1 MiB; made in a few milliseconds.
///
/// The definition, which the fast paths follow to the byte: every character is replaced by its NFKC, or with
/// fold_case by its NFKC_Casefold (The Unicode Standard, section 3.13, R5 and UAX #44), then by what the
/// other options make of it. The whole text is brought into NFC, and runs of white space become one space.
/// With all options off the result is NFKC. With fold_case it is exactly the NFKC_Casefold of ICU and
/// utf8proc, except for invisible characters: invisible characters that are not default ignorable are dropped
/// as well.
class Normaliser {
 public:
  explicit Normaliser(const NormaliseOptions& options = {});
  Normaliser(Normaliser&&) noexcept;
  Normaliser& operator=(Normaliser&&) noexcept;
  ~Normaliser();

  /// Replaces `normal` by the text's normal form. REQUIRES: valid UTF-8. Linear; the same bytes on every CPU.
  NormaliseResult operator()(std::string_view utf8, PodVector<char>& normal) const;
  NormaliseResult operator()(std::string_view utf8, PodVector<char>& normal, Simd level) const;

  /// Writes code points in place of bytes.
  NormaliseResult operator()(std::string_view utf8, PodVector<char32_t>& normal) const;
  NormaliseResult operator()(std::string_view utf8, PodVector<char32_t>& normal, Simd level) const;

  /// Also returns the places in the original: `runs` cover both texts in order, except the dropped parts of
  /// the original. This slow and simple implementation is the reference that the fast paths are tested
  /// against.
  NormaliseResult with_places(std::string_view utf8, PodVector<char>& normal,
                              std::vector<NormalisedRun>& runs) const;

 private:
  std::unique_ptr<const NormalTable> table_;
};

/// The bytes of the original from which a range of the normal form was made.
[[nodiscard]] ByteRange original_place(const std::vector<NormalisedRun>& runs, ByteRange normal);

/// The digest of the table that normalises text by the default options. Normal forms of different tables
/// cannot be compared.
[[nodiscard]] std::uint64_t normal_table_id();

}  // namespace leitong
