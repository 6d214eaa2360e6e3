#include "text/segment/model_builder.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/packing.hpp"
#include "base/try.hpp"
#include "text/segment/model_sections.hpp"
#include "text/segment/trie_builder.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kAsciiEnd = 128;

bool is_ascii(const JiebaWord& word) {
  return std::all_of(word.points.begin(), word.points.end(), [](char32_t c) { return c < kAsciiEnd; });
}
bool has_ascii(const JiebaWord& word) {
  return std::any_of(word.points.begin(), word.points.end(), [](char32_t c) { return c < kAsciiEnd; });
}
bool has_separator(const JiebaWord& word) {
  return std::any_of(word.points.begin(), word.points.end(), is_separator);
}

template <class T>
Result<void> write(SectionWriter& writer, std::string_view name, const std::vector<T>& values) {
  LEITONG_TRY(writer.begin(name));
  return writer.append({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}
template <class T>
Result<void> write_one(SectionWriter& writer, std::string_view name, const T& value) {
  LEITONG_TRY(writer.begin(name));
  return writer.append(value_bytes(value));
}

class Builder {
 public:
  explicit Builder(const JiebaDictionary& dictionary) : dictionary_(dictionary) {}

  Result<void> write_to(SectionWriter& writer, std::string_view about) {
    LEITONG_TRY(writer.begin("about"));
    LEITONG_TRY(writer.append(about));
    order_words();
    LEITONG_TRY(number_symbols());
    LEITONG_TRY(number_weights());
    LEITONG_TRY(write_symbols(writer));
    LEITONG_TRY(write_tries(writer));
    LEITONG_TRY(write_words(writer));
    LEITONG_TRY(write_triggers(writer));
    LEITONG_TRY(write_ascii_words(writer));
    LEITONG_TRY(write_one(writer, "counts", counts_));
    ModelNumbers numbers{dictionary_.min_weight, dictionary_.mean_idf, dictionary_.median_idf, {}, {}};
    std::copy(dictionary_.hmm.start.begin(), dictionary_.hmm.start.end(), numbers.start);
    for (unsigned from = 0; from < kHmmStates; ++from)
      std::copy(dictionary_.hmm.next[from].begin(), dictionary_.hmm.next[from].end(), numbers.next[from]);
    return write_one(writer, "numbers", numbers);
  }

 private:
  [[nodiscard]] double frequency(const JiebaWord& word) const {
    return word.in_dictionary ? std::exp(word.weight) * dictionary_.frequency_sum : 0;
  }
  [[nodiscard]] const JiebaWord& word(std::uint32_t id) const { return dictionary_.words[order_[id]]; }

  /// Ids are in descending order of frequency, so that the counters of common words are close in memory.
  /// Single characters, which are never counted, come last.
  void order_words() {
    order_.resize(dictionary_.words.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const JiebaWord &x = dictionary_.words[a], &y = dictionary_.words[b];
      const bool single_x = x.points.size() == 1, single_y = y.points.size() == 1;
      if (single_x != single_y) return single_y;
      if (x.in_dictionary != y.in_dictionary) return x.in_dictionary;
      return x.in_dictionary && x.weight > y.weight;
    });
    counts_.words = static_cast<std::uint32_t>(order_.size());
    for (const JiebaWord& each : dictionary_.words) counts_.dictionary_words += each.in_dictionary;
  }

  Result<void> number_symbols() {
    std::map<char32_t, double> frequencies;
    for (const auto& [point, emissions] : dictionary_.hmm.emissions) frequencies[point] += 1e-3;
    for (const JiebaWord& each : dictionary_.words)
      for (const char32_t point : each.points) frequencies[point] += frequency(each) + 1e-2;
    for (const char32_t user : dictionary_.user_characters)
      frequencies[user] = std::numeric_limits<double>::infinity();
    std::vector<std::pair<char32_t, double>> common(frequencies.begin(), frequencies.end());
    std::erase_if(common, [](const auto& entry) { return is_separator(entry.first); });
    std::stable_sort(common.begin(), common.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (common.size() + kFirstSymbol > kMaxSymbols)
      return fail(
          ErrorCode::limit,
          fmt::format("the dictionaries have {} different characters, a model holds {}; leave out user "
                      "words with rare ones",
                      common.size(), kMaxSymbols - kFirstSymbol));
    for (std::size_t i = 0; i < common.size(); ++i)
      symbols_[common[i].first] = static_cast<Symbol>(i + kFirstSymbol);
    for (const char32_t separator : {U' ', U'\t', U'\n', U'\uFF0C', U'\u3002'})
      symbols_[separator] = kSeparatorSymbol;
    counts_.symbols = static_cast<std::uint32_t>(common.size() + kFirstSymbol);
    for (const char32_t user : dictionary_.user_characters) counts_.user_characters += !is_separator(user);
    return {};
  }

  Result<void> number_weights() {
    for (const JiebaWord& each : dictionary_.words)
      if (each.in_dictionary) weights_.push_back(each.weight);
    weights_.push_back(-std::numeric_limits<double>::infinity());
    std::sort(weights_.begin(), weights_.end());
    weights_.erase(std::unique(weights_.begin(), weights_.end()), weights_.end());
    counts_.weights = static_cast<std::uint32_t>(weights_.size());
    if (weights_.size() > kMaxWeights)
      return fail(
          ErrorCode::limit,
          fmt::format("the dictionaries have {} different frequencies, a model holds {}; round the user "
                      "dictionary's",
                      weights_.size() - 1, kMaxWeights - 1));
    return {};
  }
  [[nodiscard]] std::uint32_t weight_of(const JiebaWord& each) const {
    if (!each.in_dictionary) return 0;
    return static_cast<std::uint32_t>(std::lower_bound(weights_.begin(), weights_.end(), each.weight) -
                                      weights_.begin());
  }

  Result<void> write_symbols(SectionWriter& writer) {
    std::vector<Symbol> plane(kPlaneSize, kUnknownSymbol);
    std::vector<SymbolAbove> above;
    std::vector<double> emissions(std::size_t{counts_.symbols} * kHmmStates, kLogZero);
    for (const auto& [point, symbol] : symbols_) {
      if (point < kPlaneSize)
        plane[point] = symbol;
      else
        above.push_back({point, symbol});
      const auto found = dictionary_.hmm.emissions.find(point);
      if (symbol >= kFirstSymbol && found != dictionary_.hmm.emissions.end())
        std::ranges::copy(found->second, emissions.begin() + std::ptrdiff_t{symbol} * kHmmStates);
    }
    std::vector<Symbol> text_plane = plane;
    for (std::uint32_t point = 0; point < kAsciiEnd; ++point)
      if (!is_separator(point)) text_plane[point] = kAsciiSymbol;
    LEITONG_TRY(write(writer, "symbols", plane));
    LEITONG_TRY(write(writer, "symbols.text", text_plane));
    LEITONG_TRY(write(writer, "symbols.above", above));
    return write(writer, "emissions", emissions);
  }

  Result<void> write_tries(SectionWriter& writer) {
    std::vector<double> single_weights(counts_.symbols, dictionary_.min_weight);
    std::vector<std::uint32_t> single_words(counts_.symbols, kNoWord);
    std::vector<TrieWord> words;
    for (std::uint32_t id = 0; id < counts_.words; ++id) {
      const JiebaWord& each = word(id);
      if (has_separator(each)) continue;
      // Words of ASCII alone are found by hash; they are in the trie only if segmentation can find them.
      if (is_ascii(each) && !each.in_dictionary) continue;
      counts_.longest_word = std::max(counts_.longest_word, static_cast<std::uint32_t>(each.points.size()));
      TrieWord entry{{}, weight_of(each), id, frequency(each) + 0.5};
      for (const char32_t point : each.points) entry.symbols.push_back(symbols_.at(point));
      if (entry.symbols.size() > 1) {
        words.push_back(std::move(entry));
      } else {
        single_words[entry.symbols[0]] = id;
        if (each.in_dictionary) single_weights[entry.symbols[0]] = each.weight;
      }
    }
    LEITONG_ASSIGN(const TrieArrays arrays, build_trie(std::move(words)));
    std::vector<double> weights = weights_;
    weights.resize(kMaxWeights, weights_.front());
    LEITONG_TRY(write(writer, "single.weights", single_weights));
    LEITONG_TRY(write(writer, "single.words", single_words));
    LEITONG_TRY(write(writer, "weights", weights));
    LEITONG_TRY(write(writer, "pilots", arrays.pilots));
    LEITONG_TRY(write(writer, "pairs", arrays.pairs));
    LEITONG_TRY(write(writer, "pairs.rows", arrays.pair_rows));
    LEITONG_TRY(write(writer, "pairs.words", arrays.pair_words));
    LEITONG_TRY(write(writer, "longer", arrays.longer));
    LEITONG_TRY(write(writer, "longer.rows", arrays.longer_rows));
    return write(writer, "longer.words", arrays.longer_words);
  }

  Result<void> write_words(SectionWriter& writer) {
    std::vector<std::uint32_t> offsets = {0};
    std::vector<WordTerm> terms;
    std::vector<WordRank> ranks;
    std::vector<std::uint8_t> flags;
    std::vector<std::uint16_t> tags;
    std::map<std::string, std::uint16_t> tag_numbers = {{"", 0}};
    std::string texts, tag_texts = "\n";
    for (std::uint32_t id = 0; id < counts_.words; ++id) {
      const JiebaWord& each = word(id);
      texts += each.text;
      offsets.push_back(static_cast<std::uint32_t>(texts.size()));
      const double idf = each.idf > 0 ? each.idf : kNoIdf;
      ranks.push_back({word_prefix(each.text), each.is_stop_word || each.points.size() == 1 ? 0 : idf});
      const bool counts = !each.is_stop_word && is_term(each.text);
      terms.push_back({word_hash(each.text),
                       counts ? static_cast<float>(each.idf > 0 ? each.idf : dictionary_.median_idf) : 0});
      flags.push_back(static_cast<std::uint8_t>((each.in_dictionary ? kInDictionary : 0) |
                                                (each.is_stop_word ? kStopWord : 0)));
      const auto [tag, is_new] =
          tag_numbers.try_emplace(each.tag, static_cast<std::uint16_t>(tag_numbers.size()));
      if (is_new) tag_texts += each.tag + "\n";
      tags.push_back(tag->second);
    }
    if (tag_numbers.size() > std::numeric_limits<std::uint16_t>::max())
      return fail(ErrorCode::limit,
                  fmt::format("the dictionaries have {} different tags, a model holds {}", tag_numbers.size(),
                              std::numeric_limits<std::uint16_t>::max()));
    LEITONG_TRY(write(writer, "words.offsets", offsets));
    LEITONG_TRY(writer.begin("words.texts"));
    LEITONG_TRY(writer.append(texts));
    LEITONG_TRY(write(writer, "words.term", terms));
    LEITONG_TRY(write(writer, "words.rank", ranks));
    LEITONG_TRY(write(writer, "words.flags", flags));
    LEITONG_TRY(write(writer, "words.tags", tags));
    LEITONG_TRY(writer.begin("tags"));
    return writer.append(tag_texts);
  }

  /// Triggers mark where dictionary words with ASCII may be: two adjacent bytes of each word, the rarest
  /// ones, distributed over eight bits so that the bytes of a text rarely match by chance.
  Result<void> write_triggers(SectionWriter& writer) {
    std::vector<std::uint8_t> triggers(512);
    unsigned number = 0;
    for (const JiebaWord& each : dictionary_.words) {
      if (!each.in_dictionary || !has_ascii(each) || has_separator(each)) continue;
      const auto bit = static_cast<std::uint8_t>(1u << (number++ % 8));
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(each.text[i]); };
      if (each.text.size() == 1) {
        triggers[byte(0)] |= bit;
        for (std::size_t second = 0; second < 256; ++second) triggers[256 + second] |= bit;
        continue;
      }
      const auto rarity = [&](std::size_t i) {
        const unsigned char x = byte(i);
        return x >= kAsciiEnd ? 1 : std::isalnum(x) ? 0 : 2;
      };
      std::size_t best = 0;
      int best_score = -1;
      for (std::size_t i = 0; i + 1 < each.text.size(); ++i) {
        if (byte(i) >= kAsciiEnd && byte(i + 1) >= kAsciiEnd) continue;
        const int score = rarity(i) + rarity(i + 1);
        if (score > best_score) {
          best_score = score;
          best = i;
        }
      }
      triggers[byte(best)] |= bit;
      triggers[256 + byte(best + 1)] |= bit;
    }
    return write(writer, "triggers", triggers);
  }

  /// Open addressing by the hashes of the words.
  Result<void> write_ascii_words(SectionWriter& writer) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < counts_.words; ++id)
      if (word(id).points.size() > 1 && is_ascii(word(id))) ids.push_back(id);
    std::vector<std::uint32_t> table(std::bit_ceil(4 * ids.size() + 16), kNoWord);
    for (const std::uint32_t id : ids) {
      std::size_t place = word_hash(word(id).text) & (table.size() - 1);
      while (table[place] != kNoWord) place = (place + 1) & (table.size() - 1);
      table[place] = id;
    }
    return write(writer, "ascii.words", table);
  }

  const JiebaDictionary& dictionary_;
  std::vector<std::uint32_t> order_;  // for each id, the word of the dictionary
  std::map<char32_t, Symbol> symbols_;
  std::vector<double> weights_;
  ModelCounts counts_;
};

std::string describe(std::string_view role, const NamedBytes& file) {
  return fmt::format("{}: {}, {} bytes, XXH3 {:016x}\n", role, file.path.filename().string(),
                     file.bytes.size(), XXH3_64bits(file.bytes.data(), file.bytes.size()));
}

}  // namespace

Result<void> write_segment_model(const JiebaDictionary& dictionary, std::string_view about, ByteSink sink) {
  LEITONG_ASSIGN(SectionWriter writer, SectionWriter::create(std::move(sink), kModelKind, kModelVersion));
  LEITONG_TRY(Builder(dictionary).write_to(writer, about));
  return writer.finish();
}

Result<void> write_segment_model(const JiebaFiles& files, ByteSink sink) {
  LEITONG_ASSIGN(const JiebaTexts texts, read_jieba_files(files));
  return write_segment_model(texts, std::move(sink));
}

Result<void> write_segment_model(const JiebaTexts& texts, ByteSink sink) {
  LEITONG_ASSIGN(const JiebaDictionary dictionary, read_jieba_dictionary(texts));
  std::string about = describe("words", texts.words);
  for (const NamedBytes& file : texts.user) about += describe("user words", file);
  about += describe("model", texts.model);
  about += describe("idf", texts.idf);
  about += describe("stop words", texts.stop_words);
  if (dictionary.unreachable > 0)
    about += fmt::format("unreachable: {} words hold a separator, so that no text matches them\n",
                         dictionary.unreachable);
  return write_segment_model(dictionary, about, std::move(sink));
}

}  // namespace leitong
