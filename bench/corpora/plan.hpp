// The composition of a generated corpus: its size, shape and planted copies, by name or set by hand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace leitong::bench {

/// How a planted copy was made from its source.
enum class Kind : std::uint8_t {
  original,
  exact,      ///< the same bytes
  light,      ///< 1-5 % of the characters replaced, inserted or dropped, independently
  heavy,      ///< 6-10 %
  moved,      ///< 10-40 % of the sentences dropped, inserted or exchanged with the next
  contained,  ///< an excerpt (30-80 %), or the whole inside a text two to four times as long
  family,     ///< 2 % edits of one of a hundred sources, by popularity: some have thousands of copies
};
inline constexpr std::array<std::string_view, 7> kKindNames = {"original", "exact",     "light", "heavy",
                                                               "moved",    "contained", "family"};

enum class Shape : std::uint8_t {
  mixed,      ///< originals and planted copies
  identical,  ///< one text, N times
  templated,  ///< 60 % of every text is one template, the rest its own
  edited,     ///< N copies of one text with 2-5 % edits
  giant,      ///< N texts, and one of giant_bytes among them
};

struct Plan {
  std::string_view name;
  std::string_view summary;
  Shape shape = Shape::mixed;
  std::uint64_t documents = 0;
  std::uint32_t median = 300;  ///< characters; lengths are lognormal with sigma 1, 20 to 20,000
  std::array<double, kKindNames.size()> planted = {0,   2,   5, 3,
                                                   2.5, 2.5, 1};  ///< percent of the documents, by Kind
  std::uint64_t giant_bytes = 0;
  /// The exponent with which the source of phrases grows with the text (Heaps' law); 0: it is the training
  /// text, for any number of documents.
  double phrase_growth = 0;
};

[[nodiscard]] std::span<const Plan> plans();
[[nodiscard]] std::optional<Plan> find_plan(std::string_view name);

}  // namespace leitong::bench
