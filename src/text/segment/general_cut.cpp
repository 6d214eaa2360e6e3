#include "text/segment/general_cut.hpp"

#include <algorithm>
#include <cstring>

#include "text/segment/hmm.hpp"

namespace leitong {
namespace {

struct Chunk {
  const SegmentModel& model;
  const SegmentTables& tables;
  std::string_view text;
  GeneralScratch& scratch;
  std::size_t count = 0;  // number of characters

  [[nodiscard]] unsigned char byte(std::size_t i) const {
    return static_cast<unsigned char>(text[scratch.offsets[i]]);
  }
};

/// Converts characters to symbols. Unknown symbols follow the last one, so that looking ahead is harmless.
Chunk decode(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
             GeneralScratch& scratch) {
  constexpr std::size_t kAhead = 2;
  scratch.symbols.resize_for_overwrite(end - begin + kAhead);
  scratch.offsets.resize_for_overwrite(end - begin + 1);
  const std::uint16_t* const symbols = model.tables().symbols;
  Symbol* symbol = scratch.symbols.data();
  std::uint32_t* offset = scratch.offsets.data();
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t at = begin; at < end;) {
    const unsigned char* const p = bytes + at;
    *offset++ = static_cast<std::uint32_t>(at);
    if ((*p & 0xF0) == 0xE0) {
      *symbol++ = symbols[(p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u)];
      at += 3;
    } else if (*p < 0x80) {
      *symbol++ = symbols[*p];
      at += 1;
    } else if (*p < 0xE0) {
      *symbol++ = symbols[(p[0] & 31u) << 6 | (p[1] & 63u)];
      at += 2;
    } else {
      *symbol++ = symbol_above(model.tables(), p);
      at += 4;
    }
  }
  *offset = static_cast<std::uint32_t>(end);
  std::fill_n(symbol, kAhead, kUnknownSymbol);
  return {model, model.tables(), text, scratch, static_cast<std::size_t>(offset - scratch.offsets.data())};
}

/// Finds the most likely path through the words, from right to left; of equal paths the one that begins with
/// the shortest word. Sums are those of cppjieba's MPSegment, term by term; at a separator they start again.
void find_best_words(const Chunk& chunk) {
  const SegmentTables& tables = chunk.tables;
  const std::size_t count = chunk.count;
  chunk.scratch.best.resize_for_overwrite(count + 2);
  chunk.scratch.lengths.resize_for_overwrite(count);
  const Symbol* const symbols = chunk.scratch.symbols.data();
  double* const best = chunk.scratch.best.data();
  std::uint8_t* const lengths = chunk.scratch.lengths.data();
  best[count] = best[count + 1] = 0;
  for (std::size_t i = count; i-- > 0;) {
    const Symbol first = symbols[i];
    if (first == kSeparatorSymbol) {
      best[i] = 0;
      lengths[i] = 1;
      continue;
    }
    double weight = best[i + 1] + tables.single_weights[first];
    std::size_t length = 1;
    if (const TrieNode pair = find_pair(tables, first, symbols[i + 1]); pair.found) {
      const double with_pair = best[i + 2] + tables.weights[pair_weight(pair.entry)];
      if (with_pair > weight) {
        weight = with_pair;
        length = 2;
      }
      if (pair.entry >> pair_filter(symbols[i + 2]) & 1) {
        std::uint32_t row = tables.pair_rows[pair.slot];
        for (std::size_t j = i + 2; j < count; ++j) {
          const TrieNode node = find_next(tables, row, symbols[j]);
          if (!node.found) break;
          const double with_word = best[j + 1] + tables.weights[node_weight(node.entry)];
          if (with_word > weight) {
            weight = with_word;
            length = j + 1 - i;
          }
          row = tables.longer_rows[node.slot];
        }
      }
    }
    best[i] = weight;
    lengths[i] = static_cast<std::uint8_t>(length);
  }
}

bool is_letter(unsigned char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }
bool is_digit(unsigned char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// The end of the ASCII token at `i`: letters and then letters or digits, or digits and then digits or
/// points, or one character.
std::size_t ascii_token_end(const Chunk& chunk, std::size_t i, std::size_t end) {
  const unsigned char first = chunk.byte(i++);
  if (is_letter(first)) {
    while (i < end && (is_letter(chunk.byte(i)) || is_digit(chunk.byte(i)))) ++i;
  } else if (is_digit(first)) {
    while (i < end && (is_digit(chunk.byte(i)) || chunk.byte(i) == '.')) ++i;
  }
  return i;
}

/// Appends the tokens of a run of characters that belong to no dictionary word.
void cut_run(const Chunk& chunk, std::size_t begin, std::size_t end, PodVector<std::uint32_t>& starts) {
  const std::uint32_t* const offsets = chunk.scratch.offsets.data();
  for (std::size_t i = begin; i < end;) {
    if (chunk.byte(i) < 0x80) {
      starts.push_back(offsets[i]);
      i = ascii_token_end(chunk, i, end);
      continue;
    }
    std::size_t run_end = i + 1;
    while (run_end < end && chunk.byte(run_end) >= 0x80) ++run_end;
    std::uint8_t* const ends = chunk.scratch.ends.data();
    find_word_ends(chunk.tables, chunk.scratch.symbols.data() + i, run_end - i, ends);
    starts.push_back(offsets[i]);
    for (std::size_t j = i + 1; j < run_end; ++j)
      if (ends[j - 1 - i]) starts.push_back(offsets[j]);
    i = run_end;
  }
}

}  // namespace

void cut_general(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
                 bool hmm, GeneralScratch& scratch, PodVector<std::uint32_t>& starts) {
  const Chunk chunk = decode(model, text, begin, end, scratch);
  find_best_words(chunk);
  scratch.ends.resize_for_overwrite(chunk.count);
  const std::uint8_t* const lengths = scratch.lengths.data();
  for (std::size_t i = 0; i < chunk.count;) {
    std::size_t run_end = i;
    if (hmm)
      while (run_end < chunk.count && lengths[run_end] == 1 &&
             takes_part_in_hmm(model.tables(), scratch.symbols[run_end]))
        ++run_end;
    if (run_end > i + 1) {
      cut_run(chunk, i, run_end, starts);
      i = run_end;
    } else {
      starts.push_back(scratch.offsets[i]);
      i += lengths[i];
    }
  }
}

void cut_full(const SegmentModel& model, std::string_view text, std::size_t begin, std::size_t end,
              GeneralScratch& scratch, PodVector<Token>& tokens) {
  const Chunk chunk = decode(model, text, begin, end, scratch);
  const SegmentTables& tables = model.tables();
  const Symbol* const symbols = scratch.symbols.data();
  const std::uint32_t* const offsets = scratch.offsets.data();
  const auto is_word = [&](std::uint32_t weight) { return weight != 0; };
  std::size_t covered = 0;      // end of the words so far
  std::size_t word_length = 0;  // length of the last word, of any kind
  std::size_t range = 0;        // cppjieba counts from the beginning of a range and starts again at its end
  for (std::size_t i = 0; i < chunk.count; ++i) {
    if (symbols[i] == kSeparatorSymbol) {
      tokens.push_back({offsets[i], offsets[i + 1]});
      range = i + 1;
      covered = word_length = 0;
      continue;
    }
    const std::size_t before = tokens.size();
    const std::size_t at = i - range;
    const std::size_t covered_before = covered;
    const std::uint32_t single = model.find(std::span(symbols + i, 1));
    if (single != kNoWord && model.flags(single) & kInDictionary) word_length = 1;
    covered = std::max(covered, at + word_length);
    const auto take = [&](std::size_t length) {
      tokens.push_back({offsets[i], offsets[i + length]});
      word_length = length;
      covered = std::max(covered, at + length);
    };
    if (const TrieNode pair = find_pair(tables, symbols[i], symbols[i + 1]);
        pair.found && i + 1 < chunk.count) {
      if (is_word(pair_weight(pair.entry))) take(2);
      std::uint32_t row = tables.pair_rows[pair.slot];
      for (std::size_t j = i + 2; j < chunk.count; ++j) {
        const TrieNode node = find_next(tables, row, symbols[j]);
        if (!node.found) break;
        if (is_word(node_weight(node.entry))) take(j + 1 - i);
        row = tables.longer_rows[node.slot];
      }
    }
    if (tokens.size() == before && covered_before <= at) tokens.push_back({offsets[i], offsets[i + 1]});
  }
}

}  // namespace leitong
