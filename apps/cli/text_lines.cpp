#include "text_lines.hpp"

#include <fmt/core.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/system.hpp"
#include "base/try.hpp"
#include "command_context.hpp"
#include "human.hpp"
#include "io/byte_stream.hpp"
#include "io/encoding.hpp"
#include "io/run_context.hpp"
#include "leitong/utf8.hpp"
#include "named_files.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr std::size_t kLinesBlock = std::size_t{1} << 20;
/// Longer lines are refused: positions in a text have 32 bits.
constexpr std::size_t kLongestLine = std::size_t{1} << 31;

bool is_valid(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

/// Replaces bytes that are not UTF-8; true if there were any.
bool repair(std::string_view line, std::string& out) {
  bool bad = false;
  for (std::size_t at = 0; at < line.size();) {
    const DecodedPoint point = decode_utf8(line, at);
    if (point.valid)
      out.append(line, at, point.length);
    else
      out += "\xEF\xBF\xBD";
    bad |= !point.valid;
    at += point.length;
  }
  return bad;
}

/// Lines that were not UTF-8.
struct BadLines {
  std::size_t count = 0;
  std::string first;  // place of the first one
};

/// Whole lines.
using Block = PodVector<char>;

std::string_view view(const Block& block) { return {block.data(), block.size()}; }

Result<std::string> repair_lines(std::string_view lines, const std::string& path, std::size_t line,
                                 bool strict, BadLines& bad) {
  std::string repaired;
  for (std::size_t begin = 0, end; begin < lines.size(); begin = end, ++line) {
    end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    if (!repair(lines.substr(begin, end - begin), repaired)) continue;
    const std::string place = fmt::format("{}:{}", path, line);
    if (strict) return fail(ErrorCode::corrupt, fmt::format("{}: is not UTF-8", place));
    if (bad.count++ == 0) bad.first = place;
  }
  return repaired;
}

void warn_of(const BadLines& bad) {
  if (bad.count > 0)
    print_warning(fmt::format("{} not UTF-8 (the first: {}); bad bytes became U+FFFD",
                              human_counted(bad.count, "line was", "lines were"), bad.first));
}

class BlockReader {
 public:
  static Result<BlockReader> open(const std::string& path, const std::string& encoding) {
    LEITONG_ASSIGN(auto bytes, open_decoded(path, told_to_stop()));
    return BlockReader(path, make_transcoder(encoding, std::move(bytes)));
  }

  /// Replaces `block` by valid whole lines; empty at the end.
  Result<void> next(Block& block, bool strict, BadLines& bad) {
    block.clear();
    block.append(carry_);
    carry_.clear();
    for (;;) {
      if (block.size() > kLongestLine)
        return fail(ErrorCode::limit,
                    fmt::format("{}:{}: a line of more than {} bytes", path_, line_, kLongestLine));
      const std::size_t had = block.size();
      block.resize_for_overwrite(had + kLinesBlock);
      const Result<std::size_t> n = bytes_->read(block.data() + had, kLinesBlock);
      if (!n)
        return fail(n.error().code, fmt::format("{}: {}", path_, without_path(n.error().message, path_)));
      block.resize_for_overwrite(had + *n);
      if (*n == 0) {
        if (had > 0) block.push_back('\n');
        break;
      }
      // The earlier part has been searched: it is one unfinished line.
      const std::size_t last = view(block).substr(had).rfind('\n');
      if (last == std::string_view::npos) continue;
      carry_.append(view(block).substr(had + last + 1));
      block.resize_for_overwrite(had + last + 1);
      break;
    }
    if (!is_valid(view(block))) {
      LEITONG_ASSIGN(const std::string repaired, repair_lines(view(block), path_, line_, strict, bad));
      block.clear();
      block.append(repaired);
    }
    line_ += static_cast<std::size_t>(std::count(block.begin(), block.end(), '\n'));
    return {};
  }

 private:
  BlockReader(std::string path, std::unique_ptr<ByteStream> bytes)
      : path_(std::move(path)), bytes_(std::move(bytes)) {}

  std::string path_;
  std::unique_ptr<ByteStream> bytes_;
  Block carry_;
  std::size_t line_ = 1;
};

/// One for each thread; what it has learnt and allocated serves all blocks.
using Works = PerThread<LineWork>;

Result<void> run_input(const std::string& path, const LineJob& job, std::size_t together, Works& works,
                       BadLines& bad) {
  LEITONG_ASSIGN(BlockReader reader, BlockReader::open(path, job.encoding));
  std::vector<Block> blocks(together);
  std::vector<std::string> outputs(together);
  for (bool more = true; more;) {
    std::size_t count = 0;
    while (count < together) {
      Block& block = blocks[count];
      LEITONG_TRY(reader.next(block, job.strict, bad));
      more = !block.empty();
      if (!more) break;
      ++count;
      if (block.size() < kLinesBlock / 2) break;  // what a pipe had; its writer may wait for an answer
    }
    Result<void> worked = parallel_for_each(told_to_stop(), count, [&](std::size_t i) -> Result<void> {
      outputs[i].clear();
      works.local()(view(blocks[i]), outputs[i]);
      return {};
    });
    LEITONG_TRY(std::move(worked));
    for (std::size_t i = 0; i < count; ++i) LEITONG_TRY(print_data(outputs[i]));
  }
  return {};
}

/// Enlarges pipes as far as possible without privileges: with 64 KB the processes at both ends wait for each
/// other all the time. A failure does no harm.
void widen_pipes() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO}) system::widen_pipe(descriptor);
}

}  // namespace

Result<void> run_lines(const LineJob& job, const std::function<LineWork()>& make_work) {
  std::vector<std::string> inputs = job.inputs;
  LEITONG_TRY(resolve_inputs(inputs));
  LEITONG_TRY(check_standard_input(inputs));
  LEITONG_TRY(check_encoding(job.encoding));
  BadLines bad;
  widen_pipes();
  Result<void> result = on_threads(CommandContext({.threads = job.threads}), [&]() -> Result<void> {
    const auto threads = threads_here();
    // With one thread, reading ahead gains nothing.
    const std::size_t together = threads == 1 ? 1 : 4 * threads;
    Works works(make_work);
    for (const std::string& path : inputs) LEITONG_TRY(run_input(path, job, together, works, bad));
    return {};
  });
  warn_of(bad);
  return result;
}

LineWork line_by_line(std::function<void(std::string_view line, std::string& out)> each) {
  return [each = std::move(each)](std::string_view lines, std::string& out) {
    for (std::size_t begin = 0, end; begin < lines.size(); begin = end + 1) {
      end = lines.find('\n', begin);
      each(lines.substr(begin, end - begin), out);
    }
  };
}

Result<std::string> read_whole_text(const std::string& path, const LineJob& job) {
  LEITONG_TRY(check_encoding(job.encoding));
  LEITONG_ASSIGN(auto stored, open_decoded(path, told_to_stop()));
  const auto bytes = make_transcoder(job.encoding, std::move(stored));
  LEITONG_ASSIGN(std::string text, read_all(*bytes, path, kLongestLine));
  if (is_valid(text)) return text;
  BadLines bad;
  LEITONG_ASSIGN(text, repair_lines(text, path, 1, job.strict, bad));
  warn_of(bad);
  return text;
}

}  // namespace leitong::cli
