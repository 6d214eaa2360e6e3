// The signs between the letters: which of them are text, and when two texts of equal units are the same text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/folding.hpp"

namespace leitong {

/// A sign that is text, and the number of letters before it.
struct Sign {
  std::uint64_t letters;
  char32_t sign;  ///< in its NFKC form

  friend bool operator==(const Sign&, const Sign&) = default;
};

/// The signs that a text needs to keep its meaning: operators and other symbols, currency, parts of numbers
/// (-12, 3.14, 5%), and the # of a name (C#). Quotation marks, stops, brackets of prose, bullets and rules
/// are not among them. docs/text.md has the whole definition. White space matters only where a sign may be a
/// bullet: at the beginning of a line, or before white space. REQUIRES: valid UTF-8. Linear.
[[nodiscard]] std::vector<Sign> signs_of(std::string_view utf8);

/// A hash of signs_of(); 0 if there are none. Where numbers are masked, the signs within a number and the one
/// before it do not count.
[[nodiscard]] std::uint64_t signs_hash(std::string_view utf8, const Folding& folding = {});

/// Do two texts have the same characters, except for Unicode normalisation, width, case, traditional and
/// simplified characters, invisible characters and white space, and the same signs_of()? White space counts
/// where it alone separates two words of a script that is written with spaces, or makes a sign a bullet.
/// REQUIRES: valid UTF-8. Linear.
[[nodiscard]] bool same_text(std::string_view a, std::string_view b);
/// The characters that same_text() compares, followed by signs_hash() if there are signs.
[[nodiscard]] PodVector<char> compared_characters(std::string_view utf8);
[[nodiscard]] std::uint64_t same_text_hash(std::string_view utf8);
/// The hash of a result of compared_characters().
[[nodiscard]] std::uint64_t same_text_hash(const PodVector<char>& characters);

}  // namespace leitong
