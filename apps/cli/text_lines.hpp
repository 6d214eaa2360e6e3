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

/// Calls `each` for one line after the other, without its line feed.
LineWork line_by_line(std::function<void(std::string_view line, std::string& out)> each);

struct LineJob {
  std::vector<std::string> inputs;  ///< files, also compressed; none: see named_files.hpp
  std::string encoding;             ///< of the inputs; empty: UTF-8
  bool strict = false;              ///< a line that is not UTF-8 is an error that names its place
  unsigned threads = 1;             ///< 0: all cores
};

/// Reads the inputs in blocks of about a megabyte, divided at line feeds, passes them through `make_work()`
/// (one for each thread) and prints the results in input order, the same for any number of threads. Without
/// `strict`, bad bytes become U+FFFD, and a warning at the end counts the lines and names the first. A
/// missing last line feed is added. Input of a terminal or a pipe is processed as it arrives.
Result<void> run_lines(const LineJob& job, const std::function<LineWork()>& make_work);

/// The content of a file as one text, with encoding and bad bytes as above.
Result<std::string> read_whole_text(const std::string& path, const LineJob& job);

}  // namespace leitong::cli
