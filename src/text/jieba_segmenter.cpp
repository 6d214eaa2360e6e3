#include "text/segmenter.hpp"

#ifdef LEITONG_HAVE_JIEBA

#include <fmt/format.h>

#include <algorithm>
#include <cppjieba/MixSegment.hpp>
#include <fstream>
#include <string>

namespace leitong {
namespace {

/// cppjieba numbers characters of one call in an array of 20 bytes each; a long text goes in pieces of this
/// many bytes.
constexpr std::size_t kPiece = 64 << 10;

constexpr bool is_separator(std::uint32_t rune) {
  return rune == ' ' || rune == '\t' || rune == '\n' || rune == 0xff0c || rune == 0x3002;
}

/// Length of the first piece of a text: it ends behind a separator, so that no word is cut, or, if there is
/// none in so many bytes, between two characters.
std::size_t piece_length(std::string_view text) {
  if (text.size() <= kPiece) return text.size();
  const std::size_t space = text.substr(0, kPiece).find_last_of(" \t\n");
  if (space != std::string_view::npos) return space + 1;
  for (const std::string_view mark : {"\xE3\x80\x82", "\xEF\xBC\x8C"})  // full stop, comma
    if (const std::size_t place = text.substr(0, kPiece).rfind(mark); place != std::string_view::npos)
      return place + mark.size();
  std::size_t length = kPiece;
  while (length > 1 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  return length;
}

class JiebaSegmenter final : public Segmenter {
 public:
  explicit JiebaSegmenter(const JiebaFiles& files)
      : words_(files.words.string()), model_(files.model.string()), mix_(&words_, &model_) {}

  void segment(std::string_view utf8, const WordFn& each_word) const override {
    cppjieba::RuneStrArray runes;
    std::vector<cppjieba::WordRange> ranges;
    while (!utf8.empty()) {
      const std::string_view piece = utf8.substr(0, piece_length(utf8));
      utf8.remove_prefix(piece.size());
      cppjieba::DecodeUTF8RunesInString(piece.data(), piece.size(), runes);
      const auto separates = [](const cppjieba::RuneStr& rune) { return is_separator(rune.rune); };
      for (auto begin = runes.begin(); begin != runes.end();) {
        const auto end = std::find_if(begin, runes.end(), separates);
        ranges.clear();
        if (begin != end) mix_.Cut(begin, end, ranges, true);
        for (const cppjieba::WordRange& range : ranges)
          each_word(
              piece.substr(range.left->offset, range.right->offset + range.right->len - range.left->offset));
        begin = std::find_if_not(end, runes.end(), separates);
      }
    }
  }

 private:
  cppjieba::DictTrie words_;
  cppjieba::HMMModel model_;
  cppjieba::MixSegment mix_;
};

Result<void> corrupt(const std::filesystem::path& path, std::size_t line, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}:{}: {}; is this the file that ./dev setup fetched?",
                                              path.string(), line, what));
}

// cppjieba ends the process at a file that it can't use, so nothing it would stumble over may reach it.
Result<void> check_words(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::size_t number = 0;
  while (std::getline(file, line)) {
    ++number;
    if (std::ranges::count(line, ' ') != 2) return corrupt(path, number, "a line is \"word frequency tag\"");
    const std::size_t begin = line.find(' ') + 1;
    if (line.find_first_not_of("0123456789.", begin) != line.rfind(' ') || begin == line.rfind(' '))
      return corrupt(path, number, "the frequency is no number");
  }
  if (number == 0) return corrupt(path, 1, "there are no words");
  return {};
}

Result<void> check_model(const std::filesystem::path& path) {
  constexpr std::size_t kStates = 4;
  std::ifstream file(path);
  std::string line;
  std::size_t number = 0, row = 0;
  while (std::getline(file, line)) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (row < 1 + kStates) {  // first and next state
      if (std::ranges::count(line, ' ') != kStates - 1)
        return corrupt(path, number, "four probabilities are expected");
    } else {  // characters of a state, "c:p,c:p"
      const auto pairs = std::ranges::count(line, ':');
      if (pairs == 0 || pairs != std::ranges::count(line, ',') + 1)
        return corrupt(path, number, "pairs of character and probability are expected");
    }
    ++row;
  }
  if (row < 1 + 2 * kStates) return corrupt(path, number, "the model ends too early");
  return {};
}

}  // namespace

Result<std::unique_ptr<const Segmenter>> open_jieba_segmenter(const JiebaFiles& files) {
  for (const auto& path : {files.words, files.model})
    if (!std::ifstream(path))
      return fail(ErrorCode::not_found,
                  fmt::format("{}: can't be read; ./dev setup fetches it", path.string()));
  LEITONG_TRY(check_words(files.words));
  LEITONG_TRY(check_model(files.model));
  return std::make_unique<const JiebaSegmenter>(files);
}

}  // namespace leitong

#else

namespace leitong {

Result<std::unique_ptr<const Segmenter>> open_jieba_segmenter(const JiebaFiles&) {
  return fail(ErrorCode::unsupported,
              "this build has no word segmenter (cppjieba); run ./dev setup, then ./dev build");
}

}  // namespace leitong

#endif
