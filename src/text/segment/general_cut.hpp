// Segmentation in plain loops, for any text, any dictionary and any CPU.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/pod_vector.hpp"
#include "text/segment/model.hpp"

namespace leitong {

/// Part of a text, in bytes.
struct Token {
  std::uint32_t begin, end;
  friend bool operator==(const Token&, const Token&) = default;
};

/// The characters of one chunk and what is known about each, by its number.
struct GeneralScratch {
  PodVector<Symbol> symbols;
  PodVector<std::uint32_t> offsets;  ///< where it begins; one more element for the end
  PodVector<double> best;            ///< weight of the best path from here to the end
  PodVector<std::uint8_t> lengths;   ///< length of the word that begins here on that path
  PodVector<std::uint8_t> ends;      ///< see find_word_ends()
};

// All of these functions take a chunk (text.substr(begin, end - begin), cut as chunk_end() does) and append
// to their output, with places in the whole text.

/// Appends where tokens begin: at the most likely words, and with `hmm` at those that the model makes of the
/// remaining characters.
void cut_general(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
                 bool hmm, GeneralScratch& scratch, PodVector<std::uint32_t>& starts);

/// Appends all words of two and more characters, even if they overlap, and the characters that none of them
/// covers. Keeps a quirk of cppjieba: a character that is not in the dictionary counts as being as long as
/// the word before it.
void cut_full(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
              GeneralScratch& scratch, PodVector<Token>& tokens);

}  // namespace leitong
