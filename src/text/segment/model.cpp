#include "text/segment/model.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "base/try.hpp"
#include "leitong/utf8.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::size_t kTriggers = 512;

/// The largest value, in a loop that compilers vectorize.
template <class T>
T largest(std::span<const T> values) {
  T result = 0;
  for (const T value : values) result = std::max(result, value);
  return result;
}

/// True if all are ids below `words`, or kNoWord.
bool are_ids(std::span<const std::uint32_t> values, std::uint32_t words) {
  std::uint32_t result = 0;
  for (const std::uint32_t value : values) result = std::max(result, value + 1);  // kNoWord becomes 0
  return result <= words;
}

}  // namespace

tl::unexpected<Error> SegmentModel::inconsistent(std::string_view what) const {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: {} don't fit each other; make the file anew", file_.path().string(), what));
}

/// Reads a section of so many elements and compares its bytes with its checksums.
template <class T>
Result<std::span<const T>> SegmentModel::checked(std::string_view name, std::size_t size) const {
  LEITONG_ASSIGN(const std::span<const T> values, file_.section<T>(name));
  if (values.size() != size) return inconsistent(fmt::format("section \"{}\" and the counts", name));
  LEITONG_TRY(file_.check(std::as_bytes(values)));
  return values;
}

Result<std::shared_ptr<const SegmentModel>> SegmentModel::open(const std::filesystem::path& path) {
  LEITONG_ASSIGN(SectionFile file, SectionFile::open(path, kModelKind, kModelVersion));
  return open(std::move(file));
}

Result<std::shared_ptr<const SegmentModel>> SegmentModel::open(int fd, const std::filesystem::path& path) {
  LEITONG_ASSIGN(SectionFile file, SectionFile::open(fd, path, kModelKind, kModelVersion));
  return open(std::move(file));
}

Result<std::shared_ptr<const SegmentModel>> SegmentModel::open(SectionFile file) {
  std::shared_ptr<SegmentModel> model(new SegmentModel(std::move(file)));
  LEITONG_TRY(model->read_tables());
  LEITONG_TRY(model->check_tables());
  LEITONG_TRY(model->read_words());
  LEITONG_TRY(model->check_words());
  return model;
}

Result<void> SegmentModel::read_tables() {
  LEITONG_ASSIGN(const auto counts, checked<ModelCounts>("counts", 1));
  LEITONG_ASSIGN(const auto numbers, checked<ModelNumbers>("numbers", 1));
  counts_ = counts.data();
  numbers_ = numbers.data();
  LEITONG_ASSIGN(const auto about, file_.section<char>("about"));
  LEITONG_TRY(file_.check(std::as_bytes(about)));
  about_ = {about.data(), about.size()};

  LEITONG_ASSIGN(symbols_, checked<Symbol>("symbols", kPlaneSize));
  LEITONG_ASSIGN(text_symbols_, checked<Symbol>("symbols.text", kPlaneSize));
  LEITONG_ASSIGN(above_, file_.section<SymbolAbove>("symbols.above"));
  LEITONG_TRY(file_.check(std::as_bytes(above_)));
  const std::size_t symbols = counts_->symbols;
  LEITONG_ASSIGN(const auto single_weights, checked<double>("single.weights", symbols));
  LEITONG_ASSIGN(single_words_, checked<std::uint32_t>("single.words", symbols));
  LEITONG_ASSIGN(const auto weights, checked<double>("weights", kMaxWeights));
  LEITONG_ASSIGN(const auto emissions, checked<double>("emissions", symbols * kHmmStates));
  LEITONG_ASSIGN(const auto triggers, checked<std::uint8_t>("triggers", kTriggers));
  LEITONG_ASSIGN(pilots_, checked<std::uint32_t>("pilots", kGroups));
  LEITONG_ASSIGN(pairs_, file_.section<std::uint32_t>("pairs"));
  LEITONG_ASSIGN(longer_, file_.section<std::uint32_t>("longer"));
  LEITONG_TRY(file_.check(std::as_bytes(pairs_)));
  LEITONG_TRY(file_.check(std::as_bytes(longer_)));
  LEITONG_ASSIGN(pair_rows_, checked<std::uint32_t>("pairs.rows", pairs_.size()));
  LEITONG_ASSIGN(longer_rows_, checked<std::uint32_t>("longer.rows", longer_.size()));

  tables_ = {.symbols = symbols_.data(),
             .text_symbols = text_symbols_.data(),
             .single_weights = single_weights.data(),
             .pilots = pilots_.data(),
             .pairs = pairs_.data(),
             .pair_rows = pair_rows_.data(),
             .longer = longer_.data(),
             .longer_rows = longer_rows_.data(),
             .weights = weights.data(),
             .emissions = emissions.data(),
             .triggers = triggers.data(),
             .first_nibbles = {},
             .above = above_.data(),
             .above_count = static_cast<std::uint32_t>(above_.size()),
             .start = {},
             .next = {},
             .user_characters = counts_->user_characters,
             .longest_word = counts_->longest_word};
  for (std::size_t byte = 0; byte < kTriggers / 2; ++byte) {
    tables_.first_nibbles[byte % 16] |= triggers[byte];
    tables_.first_nibbles[16 + byte / 16] |= triggers[byte];
  }
  std::ranges::copy(numbers_->start, tables_.start);
  std::copy_n(&numbers_->next[0][0], kHmmStates * kHmmStates, &tables_.next[0][0]);
  return {};
}

// A file with right checksums may still be wrong. Values that would let a lookup leave its array are refused
// here; all others could only cut text wrongly.
Result<void> SegmentModel::check_tables() const {
  const std::uint32_t symbols = counts_->symbols;
  if (symbols < kFirstSymbol || symbols > kMaxSymbols || counts_->user_characters > symbols - kFirstSymbol ||
      counts_->longest_word > kMaxWordLength)
    return inconsistent("the counts");
  const bool symbols_fit =
      largest(symbols_) < symbols && largest(text_symbols_) < symbols &&
      std::ranges::all_of(above_, [&](const SymbolAbove& above) { return above.symbol < symbols; }) &&
      std::ranges::is_sorted(above_, {}, &SymbolAbove::point);
  if (!symbols_fit) return inconsistent("characters and symbols");
  if (std::size_t{largest(pilots_)} + kColumns > pairs_.size()) return inconsistent("pilots and pairs");
  const std::uint32_t rows = std::max(largest(pair_rows_), largest(longer_rows_));
  if (std::size_t{row_base(rows)} + kMaxSymbols > longer_.size())
    return inconsistent("rows and longer words");
  // A separator or an unknown character inside a word would let lookups read after the end of a text.
  std::uint32_t lowest = ~0u;
  for (const std::uint32_t entry : longer_)
    lowest = std::min(lowest, entry - 1);  // empty slots become the highest value
  if (node_check(lowest + 1) < kFirstSymbol && lowest != ~0u) return inconsistent("longer words and symbols");
  return {};
}

Result<void> SegmentModel::read_words() {
  const std::size_t words = counts_->words;
  const auto section = [&](auto& target, std::string_view name, std::size_t size) -> Result<void> {
    using Span = std::remove_reference_t<decltype(target)>;
    LEITONG_ASSIGN(target, file_.section<typename Span::value_type>(name));
    if (target.size() != size) return inconsistent(fmt::format("section \"{}\" and the counts", name));
    return {};
  };
  LEITONG_TRY(section(pair_words_, "pairs.words", pairs_.size()));
  LEITONG_TRY(section(longer_words_, "longer.words", longer_.size()));
  LEITONG_TRY(section(offsets_, "words.offsets", words + 1));
  LEITONG_TRY(section(terms_, "words.term", words));
  LEITONG_TRY(section(ranks_, "words.rank", words));
  LEITONG_TRY(section(flags_, "words.flags", words));
  LEITONG_TRY(section(tags_, "words.tags", words));
  LEITONG_ASSIGN(texts_, file_.section<char>("words.texts"));
  LEITONG_ASSIGN(tag_texts_, file_.section<char>("tags"));
  LEITONG_ASSIGN(ascii_words_, file_.section<std::uint32_t>("ascii.words"));
  if (!std::has_single_bit(ascii_words_.size())) return inconsistent("the table of ASCII words");
  LEITONG_TRY(file_.check(std::as_bytes(tag_texts_)));
  for (std::string_view rest(tag_texts_.data(), tag_texts_.size()); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    tag_names_.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<void> SegmentModel::check_words() const {
  const std::uint32_t words = counts_->words;
  if (!are_ids(pair_words_, words) || !are_ids(longer_words_, words) || !are_ids(single_words_, words) ||
      !are_ids(ascii_words_, words))
    return inconsistent("ids and words");
  if (std::ranges::find(ascii_words_, kNoWord) == ascii_words_.end())
    return inconsistent("the table of ASCII words");
  bool rising = offsets_.back() <= texts_.size();
  for (std::size_t i = 1; i < offsets_.size(); ++i) rising &= offsets_[i - 1] <= offsets_[i];
  if (!rising) return inconsistent("offsets and texts");
  if (words > 0 && largest(tags_) >= tag_names_.size()) return inconsistent("words and tags");
  return {};
}

std::uint32_t SegmentModel::find(std::span<const Symbol> symbols) const noexcept {
  if (symbols.empty()) return kNoWord;
  if (symbols.size() == 1) return symbols[0] < kFirstSymbol ? kNoWord : single_words_[symbols[0]];
  TrieNode node = find_pair(tables_, symbols[0], symbols[1]);
  if (!node.found) return kNoWord;
  if (symbols.size() == 2) return pair_words_[node.slot];
  std::uint32_t row = tables_.pair_rows[node.slot];
  for (std::size_t i = 2; i < symbols.size(); ++i) {
    node = find_next(tables_, row, symbols[i]);
    if (!node.found) return kNoWord;
    row = tables_.longer_rows[node.slot];
  }
  return longer_words_[node.slot];
}

std::uint32_t SegmentModel::find(std::string_view text) const noexcept {
  Symbol symbols[kMaxWordLength];
  std::size_t count = 0;
  bool ascii = true;
  for (std::size_t at = 0; at < text.size() && count <= counts_->longest_word;) {
    const DecodedPoint point = decode_utf8(text, at);
    if (count == kMaxWordLength) return kNoWord;
    symbols[count++] = symbol(point.code_point);
    ascii &= point.code_point < 0x80;
    at += point.length;
  }
  if (ascii && text.size() > 1) return find_ascii(text, word_hash(text));
  return find(std::span<const Symbol>(symbols, count));
}

std::uint32_t SegmentModel::find_ascii(std::string_view text, std::uint64_t hash) const noexcept {
  const std::size_t mask = ascii_words_.size() - 1;
  for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
    const std::uint32_t id = ascii_words_[place];
    if (id == kNoWord) return kNoWord;
    if (terms_[id].hash == hash && this->text(id) == text) return id;
  }
}

std::string_view SegmentModel::tag(std::uint32_t id) const noexcept { return tag_names_[tags_[id]]; }

// SegmentModel::about() has a line "role: name, size, XXH3 digest" for each file.
std::uint64_t dictionary_id(const SegmentModel& dictionary) {
  constexpr std::string_view kDigest = ", XXH3 ";
  std::string content;
  for (std::string_view rest = dictionary.about(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t digest = line.rfind(kDigest), role = line.find(':');
    if (digest == std::string_view::npos || role > digest) continue;
    content.append(line.substr(0, role)).append(line.substr(digest)).append("\n");
  }
  // The dictionary was not compiled from files, so the bytes themselves are hashed.
  if (content.empty()) {
    const auto bytes = dictionary.file().bytes();
    return XXH3_64bits(bytes.data(), bytes.size());
  }
  return XXH3_64bits(content.data(), content.size());
}

}  // namespace leitong
