#include "text/segment/jieba_dictionary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/try.hpp"
#include "io/read_file.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// One line of a file, for messages.
struct Place {
  const fs::path& path;
  std::size_t line;
};

tl::unexpected<Error> bad_line(const Place& place, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}:{}: {}", place.path.string(), place.line, what));
}

/// Calls `take` for each line, without its end and without a byte order mark.
Result<void> for_each_line(const NamedBytes& file,
                           const std::function<Result<void>(const Place&, std::string_view)>& take) {
  std::string_view rest = file.bytes;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    LEITONG_TRY(take({file.path, number}, line));
  }
  return {};
}

/// The parts between separators; after a last separator there is no empty part, as in cppjieba.
std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(separator), line.size());
    parts.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return parts;
}

template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::u32string> to_points(const Place& place, std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedPoint point = decode_utf8(text, at);
    if (!point.valid) return bad_line(place, "is not UTF-8");
    points += point.code_point;
    at += point.length;
  }
  if (points.empty()) return bad_line(place, "the word is missing");
  if (points.size() > kMaxWordLength)
    return bad_line(place, fmt::format("the word has {} characters; at most {} are possible", points.size(),
                                       kMaxWordLength));
  return points;
}

class Reader {
 public:
  explicit Reader(JiebaDictionary& dictionary) : dictionary_(dictionary) {}

  Result<void> read(const JiebaTexts& texts) {
    LEITONG_TRY(read_words(texts.words));
    for (const NamedBytes& file : texts.user) LEITONG_TRY(read_user_words(file));
    LEITONG_TRY(read_model(texts.model));
    LEITONG_TRY(read_idf(texts.idf));
    LEITONG_TRY(read_stop_words(texts.stop_words));
    for (const JiebaWord& word : dictionary_.words)
      dictionary_.unreachable +=
          word.in_dictionary && std::any_of(word.points.begin(), word.points.end(), is_separator);
    return {};
  }

 private:
  Result<JiebaWord*> word(const Place& place, std::string_view text) {
    const auto [found, is_new] = numbers_.try_emplace(std::string(text), dictionary_.words.size());
    if (is_new) {
      LEITONG_ASSIGN(std::u32string points, to_points(place, text));
      dictionary_.words.push_back({.text = std::string(text), .points = std::move(points)});
    }
    return &dictionary_.words[found->second];
  }

  Result<void> add(const Place& place, std::string_view text, double weight, std::string_view tag) {
    LEITONG_ASSIGN(JiebaWord* const added, word(place, text));
    added->weight = weight;
    added->tag = tag;
    added->in_dictionary = true;
    return {};
  }

  Result<void> read_words(const NamedBytes& file) {
    std::vector<double> weights;
    std::vector<std::size_t> numbers;  // numbers of the words, line by line
    Result<void> lines = for_each_line(file, [&](const Place& place, std::string_view line) -> Result<void> {
      const auto parts = split(line, ' ');
      if (parts.size() != 3) return bad_line(place, "a line is \"word frequency tag\"");
      const auto frequency = to_number<double>(parts[1]);
      if (!frequency || !(*frequency > 0) || !std::isfinite(*frequency))
        return bad_line(place, "the frequency is no number above 0");
      LEITONG_TRY(add(place, parts[0], 0, parts[2]));
      numbers.push_back(numbers_.find(std::string(parts[0]))->second);
      weights.push_back(*frequency);
      return {};
    });
    LEITONG_TRY(std::move(lines));
    if (weights.empty())
      return fail(ErrorCode::corrupt, fmt::format("{}: there are no words in it", file.path.string()));
    for (const double frequency : weights) dictionary_.frequency_sum += frequency;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = std::log(weights[i] / dictionary_.frequency_sum);
      dictionary_.words[numbers[i]].weight = weights[i];
    }
    std::sort(weights.begin(), weights.end());
    dictionary_.min_weight = weights.front();
    median_weight_ = weights[weights.size() / 2];
    return {};
  }

  Result<void> read_user_words(const NamedBytes& file) {
    return for_each_line(file, [&](const Place& place, std::string_view line) -> Result<void> {
      if (line.empty()) return {};
      const auto parts = split(line, ' ');
      if (parts.size() > 3)
        return bad_line(place, "a line is \"word\", \"word tag\" or \"word frequency tag\"");
      double weight = median_weight_;
      if (parts.size() == 3) {
        const auto frequency = to_number<int>(parts[1]);
        if (!frequency || *frequency <= 0)
          return bad_line(place,
                          "the frequency is no whole number above 0; without one the word gets the median");
        weight = std::log(1.0 * *frequency / dictionary_.frequency_sum);
      }
      LEITONG_TRY(add(place, parts[0], weight, parts.size() == 1 ? std::string_view() : parts.back()));
      const std::u32string& points = dictionary_.words[numbers_.find(std::string(parts[0]))->second].points;
      if (points.size() == 1 &&
          std::ranges::find(dictionary_.user_characters, points[0]) == dictionary_.user_characters.end())
        dictionary_.user_characters.push_back(points[0]);
      return {};
    });
  }

  Result<void> read_row(const Place& place, std::string_view line, std::array<double, kHmmStates>& row) {
    const auto parts = split(line, ' ');
    if (parts.size() != kHmmStates) return bad_line(place, "four probabilities are expected");
    for (std::size_t i = 0; i < kHmmStates; ++i) {
      const auto value = to_number<double>(parts[i]);
      if (!value || !std::isfinite(*value)) return bad_line(place, "a probability is no number");
      row[i] = *value;
    }
    return {};
  }

  Result<void> read_emissions(const Place& place, std::string_view line, unsigned state) {
    for (const std::string_view pair : split(line, ',')) {
      const auto parts = split(pair, ':');
      const auto value = parts.size() == 2 ? to_number<double>(parts[1]) : std::nullopt;
      if (!value || !std::isfinite(*value))
        return bad_line(place, "pairs of character and probability are expected");
      LEITONG_ASSIGN(const std::u32string points, to_points(place, parts[0]));
      if (points.size() != 1) return bad_line(place, "an emission is of one character");
      std::array<double, kHmmStates> none;
      none.fill(kLogZero);
      dictionary_.hmm.emissions.try_emplace(points[0], none).first->second[state] = *value;
    }
    return {};
  }

  Result<void> read_model(const NamedBytes& file) {
    HiddenMarkovModel& hmm = dictionary_.hmm;
    std::size_t row = 0, last = 0;
    Result<void> lines = for_each_line(file, [&](const Place& place, std::string_view line) -> Result<void> {
      const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
      while (!line.empty() && blank(line.front())) line.remove_prefix(1);
      while (!line.empty() && blank(line.back())) line.remove_suffix(1);
      last = place.line;
      if (line.empty() || line.starts_with('#')) return {};
      const std::size_t number = row++;
      if (number == 0) return read_row(place, line, hmm.start);
      if (number <= kHmmStates) return read_row(place, line, hmm.next[number - 1]);
      if (number <= std::size_t{2} * kHmmStates)
        return read_emissions(place, line, static_cast<unsigned>(number - 1 - kHmmStates));
      return {};
    });
    LEITONG_TRY(std::move(lines));
    if (row < 1 + 2 * kHmmStates) return bad_line({file.path, last}, "the model ends too early");
    // All segmentation relies on a state having at most two predecessors, and on two first states.
    if (hmm.start[kEnd] > kLogZero || hmm.start[kMiddle] > kLogZero)
      return fail(
          ErrorCode::corrupt,
          fmt::format("{}: no word begins in state E or M; such a start is -3.14e+100", file.path.string()));
    for (unsigned from = 0; from < kHmmStates; ++from) {
      for (unsigned to = 0; to < kHmmStates; ++to) {
        const bool within_word = from == kBegin || from == kMiddle;
        const bool continues = to == kEnd || to == kMiddle;
        if (within_word != continues && hmm.next[from][to] > kLogZero)
          return fail(
              ErrorCode::corrupt,
              fmt::format("{}: state {} can't be followed by state {}; such transitions are -3.14e+100",
                          file.path.string(), "BEMS"[from], "BEMS"[to]));
      }
    }
    return {};
  }

  Result<void> read_idf(const NamedBytes& file) {
    std::vector<double> values;
    Result<void> lines = for_each_line(file, [&](const Place& place, std::string_view line) -> Result<void> {
      const auto parts = split(line, ' ');
      const auto value = parts.size() == 2 ? to_number<double>(parts[1]) : std::nullopt;
      if (!value || !(*value > 0) || !std::isfinite(*value))
        return bad_line(place, "a line is \"word weight\" with a weight above 0");
      LEITONG_ASSIGN(JiebaWord* const found, word(place, parts[0]));
      found->idf = *value;
      values.push_back(*value);
      return {};
    });
    LEITONG_TRY(std::move(lines));
    if (values.empty())
      return fail(ErrorCode::corrupt, fmt::format("{}: there are no words in it", file.path.string()));
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    dictionary_.mean_idf = sum / static_cast<double>(values.size());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    dictionary_.median_idf = *middle;
    return {};
  }

  Result<void> read_stop_words(const NamedBytes& file) {
    return for_each_line(file, [&](const Place& place, std::string_view line) -> Result<void> {
      if (line.empty()) return {};
      LEITONG_ASSIGN(JiebaWord* const found, word(place, line));
      found->is_stop_word = true;
      return {};
    });
  }

  JiebaDictionary& dictionary_;
  std::unordered_map<std::string, std::size_t> numbers_;
  double median_weight_ = 0;
};

}  // namespace

Result<JiebaTexts> read_jieba_files(const JiebaFiles& files) {
  JiebaTexts texts;
  const auto read = [](const fs::path& path, NamedBytes& into) -> Result<void> {
    into.path = path;
    LEITONG_ASSIGN(into.bytes, read_whole_file(path));
    return {};
  };
  LEITONG_TRY(read(files.words, texts.words));
  for (const fs::path& path : files.user) LEITONG_TRY(read(path, texts.user.emplace_back()));
  LEITONG_TRY(read(files.model, texts.model));
  LEITONG_TRY(read(files.idf, texts.idf));
  LEITONG_TRY(read(files.stop_words, texts.stop_words));
  return texts;
}

Result<JiebaDictionary> read_jieba_dictionary(const JiebaTexts& texts) {
  JiebaDictionary dictionary;
  LEITONG_TRY(Reader(dictionary).read(texts));
  return dictionary;
}

}  // namespace leitong
