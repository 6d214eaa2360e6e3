// Segmentation in plain loops: any text, any dictionary, any CPU.
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

/// The characters of one chunk and what is known of each, by its number.
struct GeneralScratch {
  PodVector<Symbol> symbols;
  PodVector<std::uint32_t> offsets;  ///< where it begins; one more for the end
  PodVector<double> best;            ///< weight of the best way from here to the end
  PodVector<std::uint8_t> lengths;   ///< of the word that begins here on that way
  PodVector<std::uint8_t> ends;      ///< see find_word_ends()
};

// All of these take a chunk (text.substr(begin, end - begin), cut as chunk_end() does) and append to their
// output, with places in the whole text.

/// Where tokens begin: the likeliest words, and with `hmm` what the model makes of the characters left alone.
void cut_general(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
                 bool hmm, GeneralScratch& scratch, PodVector<std::uint32_t>& starts);

/// All words of two characters and more, wherever they overlap; and characters that none of them covers. With
/// cppjieba's quirk: a character that isn't in the dictionary counts as long as the word before it.
void cut_full(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
              GeneralScratch& scratch, PodVector<Token>& tokens);

}  // namespace leitong
