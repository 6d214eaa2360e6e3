#include "corpus/subtitles.hpp"

#include <algorithm>
#include <vector>

#include "corpus/stream_reader.hpp"
#include "corpus/unescape.hpp"

namespace leitong {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

std::string_view take_line(std::string_view& rest) {
  const std::size_t feed = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, feed);
  rest.remove_prefix(std::min(feed + 1, rest.size()));
  return without_line_end(line);
}

std::string_view without_white(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

bool is_number_line(std::string_view line) {
  line = without_white(line);
  return !line.empty() && std::ranges::all_of(line, is_decimal);
}

/// "00:01:02,500 --> 00:01:04,000", also without hours and with positions behind it.
bool is_time_line(std::string_view line) {
  const std::size_t arrow = line.find("-->");
  if (arrow == std::string_view::npos) return false;
  const std::string_view begin = without_white(line.substr(0, arrow));
  const auto is_of_time = [](char c) { return is_decimal(c) || c == ':' || c == ',' || c == '.'; };
  return begin.find(':') != std::string_view::npos && is_decimal(begin.front()) &&
         std::ranges::all_of(begin, is_of_time);
}

/// Appends a line without tags ("<i>", "<v Name>") and codes of position ("{\\an8}").
void append_spoken(std::string_view line, std::string& out) {
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_of("<{"), line.size());
    out += line.substr(0, begin);
    line.remove_prefix(begin);
    if (line.empty()) return;
    const bool is_tag = line.size() > 1 && (line[0] == '{' ? line[1] == '\\'
                                                           : line[1] == '/' || is_decimal(line[1]) ||
                                                                 (line[1] >= 'a' && line[1] <= 'z') ||
                                                                 (line[1] >= 'A' && line[1] <= 'Z'));
    const std::size_t end = line.find(line[0] == '{' ? '}' : '>');
    if (is_tag && end != std::string_view::npos) {
      line.remove_prefix(end + 1);
    } else {
      out += line[0];
      line.remove_prefix(1);
    }
  }
}

/// Is it a block of WebVTT that nobody sees?
bool is_hidden(std::string_view first_line) {
  for (const std::string_view word : {"NOTE", "STYLE", "REGION"})
    if (first_line == word || (first_line.starts_with(word) && first_line.substr(word.size(), 1) == " "))
      return true;
  return false;
}

}  // namespace

bool is_subtitles(std::string_view bytes) noexcept {
  if (bytes.starts_with("WEBVTT"))
    return bytes.size() == 6 || std::string_view(" \t\r\n").find(bytes[6]) != std::string_view::npos;
  bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  const std::string_view number = take_line(bytes), times = take_line(bytes);
  return is_number_line(number) && is_time_line(times);
}

void subtitles_to_text(std::string_view utf8, std::string& out) {
  out.clear();
  const bool is_vtt = utf8.starts_with("WEBVTT");
  std::string line_text, unescaped;
  std::vector<std::string_view> block;
  bool is_first = true;
  const auto end_block = [&] {
    const bool has_times = std::ranges::any_of(block, is_time_line);
    const bool is_left_out =
        block.empty() || (is_vtt && !has_times && (is_first || is_hidden(block.front())));
    if (!block.empty()) is_first = false;
    for (std::size_t i = 0; i < block.size() && !is_left_out; ++i) {
      if (is_time_line(block[i])) continue;
      const bool is_before_times = i + 1 < block.size() && is_time_line(block[i + 1]);
      if (is_before_times && (i == 0 || is_number_line(block[i]))) continue;  // the number or name of a cue
      line_text.clear();
      append_spoken(block[i], line_text);
      const std::string_view spoken = without_white(unescape_xml(line_text, unescaped));
      if (spoken.empty()) continue;
      if (!out.empty()) out += '\n';
      out += spoken;
    }
    block.clear();
  };
  while (!utf8.empty()) {
    const std::string_view line = take_line(utf8);
    if (without_white(line).empty())
      end_block();
    else
      block.push_back(line);
  }
  end_block();
}

}  // namespace leitong
