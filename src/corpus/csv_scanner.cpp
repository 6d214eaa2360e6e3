#include "corpus/csv_scanner.hpp"

#include <algorithm>

namespace leitong {

CsvScanner::Found CsvScanner::scan(std::string_view bytes, bool at_end, std::size_t& at) {
  has_quotes_ = false;
  const auto rest_is_missing = [&] {
    at = bytes.size();
    return at_end ? Found::end : Found::unfinished;
  };
  std::size_t feed = 0;  // the first line feed at or after `at`, when it was searched for
  while (true) {
    if (at == bytes.size()) return rest_is_missing();
    if (dialect_.quotes && bytes[at] == '"') {
      has_quotes_ = true;
      std::size_t close = bytes.find('"', at + 1);
      while (close != std::string_view::npos && close + 1 < bytes.size() && bytes[close + 1] == '"')
        close = bytes.find('"', close + 2);
      if (close == std::string_view::npos) {
        at = bytes.size();
        return at_end ? Found::broken : Found::unfinished;
      }
      at = close + 1;
      if (at < bytes.size() && bytes[at] == '\r') ++at;
      if (at == bytes.size()) return rest_is_missing();
      if (bytes[at] == '\n') {
        ++at;
        return Found::end;
      }
      if (bytes[at] != dialect_.delimiter || bytes[at - 1] == '\r') return Found::broken;
      ++at;
      continue;
    }
    if (feed < at || feed == 0) feed = std::min(bytes.find('\n', at), bytes.size());
    at = std::min(bytes.substr(0, feed).find(dialect_.delimiter, at), feed);
    if (at == bytes.size()) return rest_is_missing();
    ++at;
    if (at == feed + 1) return Found::end;
  }
}

std::size_t CsvScanner::whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) {
  std::size_t last = 0;
  while (last < bytes.size()) {
    std::size_t at = last;
    const Found found = last < lines_until_ ? Found::broken : scan(bytes, at_end, at);
    if (found == Found::unfinished) break;
    const bool is_broken = found == Found::broken || (has_quotes_ && last >= lines_until_ &&
                                                      lines_are_rows(bytes.substr(last, at - last)));
    if (is_broken) {
      lines_until_ = std::max(lines_until_, at);
      const std::size_t feed = bytes.find('\n', last);
      if (feed == std::string_view::npos && !at_end) break;
      at = feed == std::string_view::npos ? bytes.size() : feed + 1;
    }
    ends.push_back(static_cast<std::uint32_t>(at));
    last = at;
  }
  lines_until_ -= std::min(lines_until_, last);
  return last;
}

/// Quotes that enclose values hold no tabs, but for rare ones.
bool CsvScanner::lines_are_rows(std::string_view record) const {
  if (dialect_.delimiter != '\t' || dialect_.is_named || columns_ < 2) return false;
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.find('\n') == std::string_view::npos) return false;
  while (!record.empty()) {
    const std::size_t end = std::min(record.find('\n'), record.size());
    const std::string_view line = record.substr(0, end);
    if (static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1 != columns_) return false;
    record.remove_prefix(std::min(end + 1, record.size()));
  }
  return true;
}

std::size_t CsvScanner::record_end(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    if (state_ == State::quoted) {
      const std::size_t quote = piece.find('"', at);
      if (quote == std::string_view::npos) return npos;
      state_ = State::quote_in_quoted;
      at = quote + 1;
      continue;
    }
    const char c = piece[at++];
    if (c == '"' && dialect_.quotes && (state_ == State::field_start || state_ == State::quote_in_quoted))
      state_ = State::quoted;
    else if (c == '\n')
      return at;
    else
      state_ = c == dialect_.delimiter ? State::field_start : State::unquoted;
  }
  return npos;
}

}  // namespace leitong
