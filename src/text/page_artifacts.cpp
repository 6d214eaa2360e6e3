#include "text/page_artifacts.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/hash.hpp"
#include "leitong/utf8.hpp"
#include "text/units_kernel.hpp"

namespace leitong {
namespace {

// A page has at least so many bytes, and a text with pages or line numbers has at least so many lines.
constexpr std::size_t kLeastPage = 400, kLeastLines = 24;
constexpr std::size_t kLeastPages = 3, kLeastRun = 8, kLeastHyphens = 3;
// At least one hyphen for so many line ends.
constexpr std::size_t kLinesPerHyphen = 25;
// A running head has fewer bytes than this, and is at most so many lines away from the page number.
constexpr std::size_t kLongestHead = 120, kHeadLines = 3;
// A larger number is no number of a page or line.
constexpr std::uint32_t kNoNumber = UINT32_MAX, kLargestNumber = 99'999;

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_space(char c) { return static_cast<unsigned char>(c) <= ' '; }

/// A line that holds more than white space.
struct Line {
  std::size_t begin, end;           // the line without white space around it and without its line number
  ByteRange number = {};            // the line number, if it has one
  std::uint32_t alone = kNoNumber;  // the number that is all of the line
  bool is_artifact = false;         // the whole line is an artifact
};

char32_t first_character(std::string_view text) {
  return text.empty() ? U' ' : decode(reinterpret_cast<const std::uint8_t*>(text.data()));
}

char32_t last_character(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && continues_code_point(text[at - 1])) --at;
  return at == 0 ? U' ' : first_character(text.substr(at - 1));
}

bool is_lower(char32_t c) {
  return c < 0x80 ? c >= 'a' && c <= 'z' : u_islower(static_cast<UChar32>(c)) != 0;
}
bool is_alphabetic(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }
bool is_ideograph(char32_t c) {
  return c >= 0x2E80 && u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_IDEOGRAPHIC) != 0;
}

/// The bytes of the hyphen that a line ends with: `-`, a hyphen, a soft hyphen, or the sign that programs for
/// optical character recognition write for one. 0: it ends with none.
std::size_t hyphen_at_end(std::string_view line) {
  for (const std::string_view hyphen : {"-", "\u00AC", "\u00AD", "\u2010"})
    if (line.ends_with(hyphen)) return hyphen.size();
  return 0;
}

std::uint32_t number_of(std::string_view digits) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() && number <= kLargestNumber ? number
                                                                                                  : kNoNumber;
}

/// The lines of a text, and which of them are text.
class Layout {
 public:
  explicit Layout(std::string_view utf8) : text_(utf8) {}

  std::vector<ByteRange> artifacts() {
    if (!take_lines()) return {};
    if (!(has_leading_ && number_lines(&Layout::leading)) && has_trailing_) number_lines(&Layout::trailing);
    if (may_have_pages_) {
      find_runs();
      find_pages();
    }
    return places();
  }

 private:
  [[nodiscard]] std::string_view of(const Line& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  /// Calls f with both ends of each line that holds more than white space, which they leave out.
  template <typename F>
  void for_each_line(F f) const {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t feed = std::min(text_.find('\n', at), text_.size());
      std::size_t begin = at, end = feed;
      while (begin < end && is_ascii_space(text_[begin])) ++begin;
      while (end > begin && is_ascii_space(text_[end - 1])) --end;
      at = feed + 1;
      if (begin != end) f(begin, end);
    }
  }

  /// Reads the lines, unless the text cannot have artifacts. Most texts have none, so this first examines
  /// only both ends of each line.
  bool take_lines() {
    std::size_t lines = 0, hyphens = 0, leading = 0, trailing = 0, pages = 0;
    for_each_line([&](std::size_t begin, std::size_t end) {
      ++lines;
      hyphens += hyphen_at_end(text_.substr(begin, end - begin)) > 0 ? 1 : 0;
      leading += is_ascii_digit(text_[begin]) ? 1 : 0;
      trailing += is_ascii_digit(text_[end - 1]) ? 1 : 0;
      pages += may_number_page(text_.substr(begin, end - begin)) ? 1 : 0;
    });
    const bool many = lines >= kLeastLines;
    may_have_hyphens_ = hyphens >= kLeastHyphens && hyphens * kLinesPerHyphen >= lines;
    has_leading_ = many && 2 * leading >= lines;
    has_trailing_ = many && 2 * trailing >= lines;
    may_have_pages_ = many && pages >= kLeastPages;
    if (!may_have_hyphens_ && !has_leading_ && !has_trailing_ && !may_have_pages_) return false;
    lines_.reserve(lines);
    for_each_line(
        [&](std::size_t begin, std::size_t end) { lines_.push_back({.begin = begin, .end = end}); });
    return true;
  }

  /// Is the line short, with a number at one end, between dashes, or behind 第?
  [[nodiscard]] static bool may_number_page(std::string_view line) {
    if (line.size() > kLongestHead) return false;
    return is_ascii_digit(line.front()) || is_ascii_digit(line.back()) ||
           (line.front() == '-' && line.back() == '-') || line.starts_with("第");
  }

  /// Does a sentence continue from one line to the next?
  [[nodiscard]] bool goes_on(const Line& line, const Line& next) const {
    const char32_t first = first_character(of(next));
    if (is_lower(first)) return true;
    return is_ideograph(first) && is_ideograph(last_character(of(line)));
  }

  using NumberAt = ByteRange (Layout::*)(const Line&, std::uint32_t) const;

  /// The number at the beginning of a line, if text follows that does not make it a number of a list.
  [[nodiscard]] ByteRange leading(const Line& line, std::uint32_t number) const {
    const std::string_view text = of(line);
    const std::string digits = std::to_string(number);
    if (!text.starts_with(digits) || text.size() == digits.size()) return {};
    // If numbers stand close to the text, line number 2 before 895.62 reads 2895.62.
    const char behind = text[digits.size()];
    if (behind == '.' || behind == ')' || behind == ',' || behind == ':' ||
        (number == 1 && is_ascii_digit(behind)))
      return {};
    return {line.begin, line.begin + digits.size()};
  }

  [[nodiscard]] ByteRange trailing(const Line& line, std::uint32_t number) const {
    const std::string_view text = of(line);
    const std::string digits = std::to_string(number);
    if (!text.ends_with(digits) || text.size() == digits.size()) return {};
    if (number == 1 && is_ascii_digit(text[text.size() - 2])) return {};
    return {line.end - digits.size(), line.end};
  }

  /// Removes the numbers if at least half of the lines have one, and a sentence continues after one line in
  /// four.
  bool number_lines(NumberAt number_at) {
    constexpr std::uint32_t kLost = 3;  // a number that is misread must not end the numbering
    std::vector<std::pair<std::size_t, ByteRange>> numbers;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      ByteRange found = {};
      std::uint32_t number = last + 1;
      for (; number <= last + kLost && found.empty(); ++number) found = (this->*number_at)(lines_[i], number);
      if (found.empty() && last > 1) found = (this->*number_at)(lines_[i], number = 1), ++number;
      if (found.empty()) continue;
      last = number - 1;
      numbers.emplace_back(i, found);
    }
    if (numbers.size() < kLeastLines || 2 * numbers.size() < lines_.size()) return false;
    std::vector<Line> numbered = lines_;
    for (const auto& [i, place] : numbers) {
      Line& line = numbered[i];
      line.number = place;
      if (place.begin == line.begin) {
        line.begin = place.end;
        while (line.begin < line.end && is_ascii_space(text_[line.begin])) ++line.begin;
      } else {
        line.end = place.begin;
        while (line.end > line.begin && is_ascii_space(text_[line.end - 1])) --line.end;
      }
    }
    std::size_t going_on = 0;
    for (const auto& [i, place] : numbers) going_on += i > 0 && goes_on(numbered[i - 1], numbered[i]) ? 1 : 0;
    if (4 * going_on < numbers.size()) return false;
    lines_ = std::move(numbered);
    return true;
  }

  /// Line numbers that stand alone, as columns of a page that were read one after the other.
  void find_runs() {
    struct Run {
      std::size_t begin, end;  // range of lines
    };
    std::vector<Run> runs;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      Line& line = lines_[i];
      line.alone = number_of(of(line));
      const bool continues = i > 0 && line.alone != kNoNumber && lines_[i - 1].alone != kNoNumber &&
                             line.alone == lines_[i - 1].alone + 1;
      if (continues && !runs.empty() && runs.back().end == i)
        ++runs.back().end;
      else if (line.alone == 1 && (i == 0 || lines_[i - 1].alone != 0))  // programs count from 0
        runs.push_back({i, i + 1});
    }
    std::erase_if(runs, [](const Run& run) { return run.end - run.begin < kLeastRun; });
    std::size_t numbers = 0;
    for (const Run& run : runs) numbers += run.end - run.begin;
    if (runs.size() < 2 || 10 * numbers < lines_.size()) return;
    for (const Run& run : runs)
      for (std::size_t i = run.begin; i < run.end; ++i) lines_[i].is_artifact = true;
  }

  /// A number that lines of equal words share; 0 for lines that are too long for a running head.
  [[nodiscard]] std::uint64_t words_of(const Line& line, bool with_digits) const {
    if (line.end - line.begin > kLongestHead) return 0;
    std::uint64_t words = 1;
    bool in_number = false, in_space = false;
    for (const char c : of(line)) {
      const bool number = !with_digits && is_ascii_digit(c), space = is_ascii_space(c);
      if (!(number && in_number) && !(space && in_space))
        words = mix64(words ^ static_cast<unsigned char>(number ? '0' : space ? ' ' : c));
      in_number = number, in_space = space;
    }
    return words | 1;
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers_in(const Line& line) const {
    std::vector<std::uint32_t> numbers;
    const std::string_view text = of(line);
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_ascii_digit(text[end])) ++end;
      if (end > at) numbers.push_back(number_of(text.substr(at, end - at)));
      at = std::max(end, at + 1);
    }
    return numbers;
  }

  /// Lines of equal words: do they number the pages of the whole text?
  [[nodiscard]] bool number_pages(const std::vector<std::size_t>& lines) const {
    if (lines.size() < kLeastPages) return false;
    std::vector<std::size_t> rising;  // by place of the number within the line
    std::vector<std::uint32_t> before = numbers_in(lines_[lines.front()]);
    rising.resize(before.size());
    std::vector<std::size_t> lengths;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      std::vector<std::uint32_t> numbers = numbers_in(lines_[lines[i]]);
      for (std::size_t n = 0; n < rising.size(); ++n)
        rising[n] += numbers[n] != kNoNumber && numbers[n] == before[n] + 1 ? 1 : 0;
      before = std::move(numbers);
      lengths.push_back(lines_[lines[i]].begin - lines_[lines[i - 1]].begin);
    }
    // One page of five may lack its number.
    const std::size_t pages = lengths.size(), most = pages - pages / 5;
    if (std::ranges::none_of(rising, [&](std::size_t times) { return times >= most; })) return false;
    std::vector<std::size_t> sorted = lengths;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(pages / 2));
    const std::size_t page = sorted[pages / 2];
    const auto is_page = [&](std::size_t length) { return 2 * length >= page && length <= 2 * page; };
    return page >= kLeastPage && static_cast<std::size_t>(std::ranges::count_if(lengths, is_page)) >= most &&
           2 * page * lines.size() >= text_.size();
  }

  void find_pages() {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> alike;
    std::vector<std::uint64_t> order;  // in the order of the text, independent of the hash
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].is_artifact || lines_[i].begin == lines_[i].end || !may_number_page(of(lines_[i])))
        continue;
      const std::uint64_t words = words_of(lines_[i], false);
      std::vector<std::size_t>& lines = alike[words];
      if (lines.empty()) order.push_back(words);
      lines.push_back(i);
    }
    for (const std::uint64_t words : order)
      if (number_pages(alike[words])) take_pages(alike[words]);
  }

  /// Marks the lines that number the pages, and the running heads beside them.
  void take_pages(const std::vector<std::size_t>& pages) {
    std::unordered_map<std::uint64_t, std::size_t>
        beside;  // number of pages with such a line beside the page number
    const auto for_each_near = [&](std::size_t page, const auto& f) {
      const std::size_t end = std::min(page + kHeadLines + 1, lines_.size());
      for (std::size_t i = page - std::min(page, kHeadLines); i < end; ++i)
        if (const std::uint64_t words = words_of(lines_[i], true);
            i != page && !lines_[i].is_artifact && words != 0)
          f(i, words);
    };
    for (const std::size_t page : pages) {
      std::vector<std::uint64_t> seen;
      for_each_near(page, [&](std::size_t, std::uint64_t words) {
        if (std::ranges::find(seen, words) == seen.end()) seen.push_back(words);
      });
      for (const std::uint64_t words : seen) ++beside[words];
    }
    std::vector<std::size_t> taken = pages;
    for (const std::size_t page : pages)
      for_each_near(page, [&](std::size_t i, std::uint64_t words) {
        if (const std::size_t times = beside[words]; times >= kLeastPages && 2 * times >= pages.size())
          taken.push_back(i);
      });
    for (const std::size_t i : taken) lines_[i].is_artifact = true;
    if (pages_end_in_sentences(pages)) return;
    for (const std::size_t i : taken) lines_[i].is_artifact = false;
  }

  /// Does one page of four end in the middle of a sentence, as no chapter does?
  [[nodiscard]] bool pages_end_in_sentences(const std::vector<std::size_t>& pages) const {
    std::size_t times = 0;
    for (const std::size_t page : pages) {
      std::size_t before = page, behind = page;
      while (before > 0 && lines_[before].is_artifact) --before;
      while (behind + 1 < lines_.size() && lines_[behind].is_artifact) ++behind;
      times += goes_on(lines_[before], lines_[behind]) ? 1 : 0;
    }
    return 4 * times >= pages.size();
  }

  /// The place of the hyphen of a word that continues in the next line.
  [[nodiscard]] std::optional<std::size_t> hyphen(const Line& line, const Line& next) const {
    std::string_view word = of(line);
    const std::size_t size = hyphen_at_end(word);
    if (size == 0) return std::nullopt;
    word.remove_suffix(size);
    word.remove_prefix(word.find_last_of(" \t") + 1);
    // The hyphen of an address that was broken is part of it.
    if (word.find_first_of("/=:@_.") != word.npos) return std::nullopt;
    if (!is_alphabetic(last_character(word)) || !is_lower(first_character(of(next)))) return std::nullopt;
    return line.end - size;
  }

  [[nodiscard]] std::vector<ByteRange> places() const {
    std::vector<ByteRange> hyphens = may_have_hyphens_ ? hyphen_places() : std::vector<ByteRange>();
    std::vector<ByteRange> found;
    for (const Line& line : lines_) {
      if (!line.number.empty()) found.push_back(line.number);
      if (line.is_artifact && line.end > line.begin) found.push_back({line.begin, line.end});
    }
    // The text between the two parts of a word forms one place with the hyphen.
    std::erase_if(found, [&](const ByteRange& place) {
      const auto around = std::ranges::upper_bound(hyphens, place.begin, {}, &ByteRange::begin);
      return around != hyphens.begin() && place.end <= std::prev(around)->end;
    });
    const std::size_t middle = found.size();
    found.insert(found.end(), hyphens.begin(), hyphens.end());
    std::ranges::inplace_merge(found, found.begin() + static_cast<std::ptrdiff_t>(middle), {},
                               &ByteRange::begin);
    return found;
  }

  [[nodiscard]] std::vector<ByteRange> hyphen_places() const {
    std::vector<ByteRange> hyphens;
    const Line* last = nullptr;
    std::size_t ends = 0;
    for (const Line& line : lines_) {
      if (line.is_artifact) continue;
      if (last != nullptr) {
        ++ends;
        if (const std::optional<std::size_t> at = hyphen(*last, line)) hyphens.push_back({*at, line.begin});
      }
      last = &line;
    }
    if (hyphens.size() < kLeastHyphens || hyphens.size() * kLinesPerHyphen < ends) hyphens.clear();
    return hyphens;
  }

  std::string_view text_;
  std::vector<Line> lines_;
  bool may_have_hyphens_ = false, may_have_pages_ = false, has_leading_ = false, has_trailing_ = false;
};

}  // namespace

std::vector<ByteRange> page_artifacts(std::string_view utf8) { return Layout(utf8).artifacts(); }

}  // namespace leitong
