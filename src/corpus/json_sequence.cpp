#include "corpus/json_sequence.hpp"

#include <algorithm>

namespace leitong {
namespace {

constexpr std::string_view kWhite = " \t\r\n";
constexpr std::string_view kSeparators = " \t\r\n,[]";

}  // namespace

bool is_json_sequence(std::string_view first_bytes) noexcept {
  const std::size_t begin = first_bytes.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return false;
  if (first_bytes[begin] == '[') {
    const std::size_t next = first_bytes.find_first_not_of(kWhite, begin + 1);
    return next != std::string_view::npos && (first_bytes[next] == '{' || first_bytes[next] == ']');
  }
  if (first_bytes[begin] != '{') return false;
  const std::size_t feed = first_bytes.find('\n', begin);
  if (feed == std::string_view::npos) return false;
  const std::string_view line = first_bytes.substr(begin, feed - begin);
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string)
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
  }
  const char last = line[line.find_last_not_of(kWhite)];
  const std::size_t next = first_bytes.find_first_not_of(kWhite, feed);
  return depth > 0 && !in_string && (last == '{' || last == '[' || last == ',' || last == ':') &&
         next != std::string_view::npos && first_bytes[next] != '{';
}

std::string_view without_separators(std::string_view piece) noexcept {
  const std::size_t begin = piece.find_first_not_of(kSeparators);
  if (begin == std::string_view::npos) return piece.substr(piece.size());
  return piece.substr(begin, piece.find_last_not_of(kWhite) + 1 - begin);
}

void JsonSequenceScanner::open(State& state, char bracket) {
  if (state.depth < kTrackedDepth) {
    const std::uint64_t bit = std::uint64_t{1} << state.depth % 64;
    std::uint64_t& braces = state.braces[state.depth / 64];
    braces = bracket == '{' ? braces | bit : braces & ~bit;
  }
  ++state.depth;
  state.last = bracket;
}

bool JsonSequenceScanner::close(State& state, char bracket) {
  --state.depth;
  state.last = 'v';
  if (state.depth >= kTrackedDepth) return true;
  const bool is_brace = (state.braces[state.depth / 64] >> state.depth % 64 & 1) != 0;
  return is_brace == (bracket == '}');
}

std::size_t JsonSequenceScanner::advance(State& state, std::string_view bytes, std::size_t at) {
  while (at < bytes.size()) {
    if (state.mode == Mode::string) {
      // To the closing quote; a line feed before it, or a backslash at its end, is handled below.
      const std::size_t stop = std::min(bytes.find_first_of("\"\\\n", at), bytes.size());
      at = stop;
      if (at == bytes.size()) return npos;
      const char c = bytes[at];
      if (c == '\n') {
        state.mode = Mode::broken;
        continue;
      }
      ++at;
      state.mode = c == '"' ? Mode::object : Mode::escape;
      continue;
    }
    if (state.mode == Mode::escape) {
      state.mode = bytes[at] == '\n' ? Mode::broken : Mode::string;
      if (state.mode == Mode::string) ++at;
      continue;
    }
    const char c = bytes[at];
    const bool begins_line = state.is_line_start;
    if (c == '\n') {
      state.is_line_start = true;
      state.indent = 0;
    } else if (begins_line && (c == ' ' || c == '\t')) {
      ++state.indent;
    } else {
      state.is_line_start = false;
    }
    switch (state.mode) {
      case Mode::between:
        if (kWhite.find(c) != std::string_view::npos || c == ',') break;
        if (c == '[' && !state.in_array) {
          state.in_array = true;
        } else if (c == ']') {
          state.in_array = false;
        } else {
          state.begin_indent = state.indent;
          state.depth = 0;
          state.mode = Mode::element;
          if (c == '{' || c == '[') {
            state.mode = Mode::object;
            open(state, c);
          }
        }
        break;
      case Mode::element:  // no object: to the next comma, bracket or line feed
        if (c == '\n' || c == ',' || c == ']') {
          state.mode = Mode::between;
          state.is_line_start = begins_line;
          return at;
        }
        break;
      case Mode::object:
        if (kWhite.find(c) != std::string_view::npos) break;
        if (c == '{' || c == '[') {
          const std::uint32_t top = state.depth - 1;
          const bool in_object = top < kTrackedDepth && (state.braces[top / 64] >> top % 64 & 1) != 0;
          const bool fits = state.last == ':' || state.last == '[' || (state.last == ',' && !in_object);
          if (fits) {
            open(state, c);
            break;
          }
          if (c == '{' && begins_line && state.indent <= state.begin_indent) {
            state.mode = Mode::between;  // the next object: the one before it is broken
            state.is_line_start = true;
            return at;
          }
          state.mode = Mode::broken;
        } else if (c == '}' || c == ']') {
          if (!close(state, c)) {
            state.mode = Mode::broken;
          } else if (state.depth == 0) {
            state.mode = Mode::between;
            return at + 1;
          }
        } else if (c == '"') {
          if (state.last == 'v') {
            state.mode = Mode::broken;
          } else {
            state.mode = Mode::string;
            state.last = 'v';
          }
        } else if (c == ',' || c == ':') {
          if (state.last != 'v') state.mode = Mode::broken;
          state.last = c;
        } else {
          state.last = 'v';
        }
        break;
      case Mode::broken:
        if (c == '{' && begins_line && state.indent <= state.begin_indent) {
          state.mode = Mode::between;
          state.is_line_start = true;
          return at;
        }
        break;
      case Mode::string:
      case Mode::escape:
        break;  // handled above
    }
    ++at;
  }
  return npos;
}

std::size_t JsonSequenceScanner::whole_records(std::string_view bytes, bool at_end,
                                               std::vector<std::uint32_t>& ends) {
  std::size_t last = 0;
  while (last < bytes.size()) {
    State state = committed_;
    const std::size_t end = advance(state, bytes, last);
    if (end == npos) {
      if (!at_end) break;
      ends.push_back(static_cast<std::uint32_t>(bytes.size()));
      return bytes.size();
    }
    committed_ = state;
    ends.push_back(static_cast<std::uint32_t>(end));
    last = end;
  }
  return last;
}

}  // namespace leitong
