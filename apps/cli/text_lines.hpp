// Commands that turn each line of text into a line of output.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong::cli {

/// Turns whole lines of valid UTF-8, each with its line feed, into output.
using LineWork = std::function<void(std::string_view lines, std::string& out)>;

/// The work of one line after the other, each without its line feed.
LineWork line_by_line(std::function<void(std::string_view line, std::string& out)> each);

struct LineJob {
  std::vector<std::string> inputs;  ///< files, also compressed; none: see standard_input.hpp
  std::string encoding;             ///< of the inputs; empty: UTF-8
  bool strict = false;              ///< a line that isn't UTF-8 is an error, naming its place
  unsigned threads = 1;             ///< 0: all cores
};

/// Reads the inputs in blocks of about a megabyte, cut at line feeds, runs them through `make_work()` (one
/// per thread) and prints the results in the order of the input, the same for any number of threads. Without
/// `strict` bad bytes become U+FFFD, and a warning counts the lines at the end and names the first. A missing
/// last line feed is added. What a terminal or a pipe has is worked on without waiting for more.
Result<void> run_lines(const LineJob& job, const std::function<LineWork()>& make_work);

/// A file's whole content as one text, with encoding and bad bytes as above.
Result<std::string> read_whole_text(const std::string& path, const LineJob& job);

}  // namespace leitong::cli
