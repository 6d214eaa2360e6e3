#include <fmt/core.h>

#include <cstring>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "commands.hpp"
#include "fingerprint_flags.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index/hamming/join/components.hpp"
#include "index/hamming/join/join.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "io/tsv.hpp"
#include "named_files.hpp"
#include "scheme/scheme_file.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using namespace hamming;

struct JoinFlags {
  std::string fingerprints, with, output = "-", plan, format, show;
  FingerprintFlags input;
  ContextSettings context;
  unsigned distance = 3;
  bool components = false, first_rows = false, force = false;
};

/// The rows of one side: their names, and their fingerprints if these are shown.
template <Fingerprint F>
class Side {
 public:
  /// `show`: the digits of fingerprints, or empty.
  Side(const FingerprintFile<F>& file, const std::string& show) : file_(file) {
    if (!show.empty()) shown_ = shown_digits(show);
  }

  void append_name(std::uint64_t row, std::string& out) const {
    if (file_.ids.empty())
      fmt::format_to(std::back_inserter(out), "{}", row);
    else
      append_tsv_field(file_.ids[row], out);
  }
  /// Appends a tab and the fingerprint, if it is shown.
  Result<void> append_fingerprint(std::uint64_t row, std::string& out) const {
    if (!shown_) return {};
    LEITONG_ASSIGN(const std::span<const F> one, file_.source->read(row, 1, space_));
    out += '\t';
    append_digits(one[0], *shown_, out);
    return {};
  }

 private:
  const FingerprintFile<F>& file_;
  std::optional<Digits> shown_;
  mutable PodVector<F> space_;
};

/// Writes rows as bytes or as text.
template <Fingerprint F>
class RowWriter {
 public:
  RowWriter(OutputFile& file, bool tsv, bool wide, Side<F> left, Side<F> right)
      : file_(file), tsv_(tsv), wide_(wide), left_(std::move(left)), right_(std::move(right)) {}

  Result<void> pair(const RowPair& pair) {
    if (tsv_) {
      left_.append_name(pair.a, out_);
      out_ += '\t';
      right_.append_name(pair.b, out_);
      fmt::format_to(std::back_inserter(out_), "\t{}", pair.distance);
      LEITONG_TRY(left_.append_fingerprint(pair.a, out_));
      LEITONG_TRY(right_.append_fingerprint(pair.b, out_));
      out_ += '\n';
    } else {
      number(pair.a);
      number(pair.b);
      out_ += static_cast<char>(pair.distance);
    }
    return out_.size() < kBuffer ? Result<void>{} : flush();
  }
  Result<void> member(const ComponentRow& member) {
    if (tsv_) {
      left_.append_name(member.row, out_);
      out_ += '\t';
      left_.append_name(member.component, out_);
      LEITONG_TRY(left_.append_fingerprint(member.row, out_));
      LEITONG_TRY(left_.append_fingerprint(member.component, out_));
      out_ += '\n';
    } else {
      number(member.row);
      number(member.component);
    }
    return out_.size() < kBuffer ? Result<void>{} : flush();
  }
  Result<void> flush() {
    Result<void> written = file_.write(out_);
    out_.clear();
    return written;
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 18;

  void number(std::uint64_t row) {
    char bytes[8];
    std::memcpy(bytes, &row, sizeof(bytes));  // little-endian
    out_.append(bytes, wide_ ? 8 : 4);
  }

  OutputFile& file_;
  bool tsv_, wide_;
  Side<F> left_, right_;
  std::string out_;
};

void print_figures(const JoinFigures& figures, std::uint64_t left, std::uint64_t right) {
  print_note(fmt::format("{}{}, plan {} of {}: {} compared, {}; tables {}, rows {}",
                         human_counted(left, "fingerprint"), right == 0 ? "" : " with " + human_count(right),
                         figures.plan, human_counted(figures.tables, "table"),
                         human_count(figures.compare.compared), human_counted(figures.edges, "edge"),
                         human_seconds(figures.table_seconds), human_seconds(figures.bind_seconds)));
}

template <Fingerprint F>
Result<void> write_pairs(Joined& joined, bool first_rows, RowWriter<F>& writer) {
  const auto write = [&](std::span<const RowPair> pairs) -> Result<void> {
    for (const RowPair& pair : pairs) LEITONG_TRY(writer.pair(pair));
    return {};
  };
  if (!first_rows) return joined.for_each_pair(write);
  for (const Repetition& repetition : joined.repetitions())
    LEITONG_TRY(writer.pair({repetition.first, repetition.row, 0}));
  return joined.for_each_edge(write);
}

template <Fingerprint F>
Result<void> run_join(const JoinFlags& flags, const Context& context) {
  LEITONG_ASSIGN(const FingerprintFile<F> left, read_fingerprints<F>(flags.fingerprints, flags.input));
  FingerprintFile<F> right;
  if (!flags.with.empty()) {
    LEITONG_ASSIGN(right, read_fingerprints<F>(flags.with, flags.input));
  }
  const std::uint64_t right_rows = right.source == nullptr ? 0 : right.source->size();
  JoinOptions options;
  options.distance = flags.distance;
  options.plan = flags.plan;
  options.memory = flags.context.memory;

  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> file,
                 OutputFile::create(flags.output, flags.force, told_to_stop()));
  const bool tsv = writes_tsv(flags.format, flags.output);
  const bool wide = std::max(left.source->size(), right_rows) > std::uint64_t{1} << 32;
  RowWriter<F> writer(*file, tsv, wide, {left, flags.show},
                      {right.source == nullptr ? left : right, flags.show});
  if (flags.components) {
    LEITONG_ASSIGN(
        const ComponentFigures figures,
        components(*left.source, options, context, [&](std::span<const ComponentRow> rows) -> Result<void> {
          for (const ComponentRow& row : rows) LEITONG_TRY(writer.member(row));
          return {};
        }));
    print_figures(figures.join, left.source->size(), 0);
    print_note(fmt::format("{} in {} of two and more", human_counted(figures.rows, "row"),
                           human_counted(figures.components, "component")));
  } else {
    LEITONG_ASSIGN(Joined joined, join(JoinInput<F>{*left.source, right.source.get()}, options, context));
    print_figures(joined.figures(), left.source->size(), right_rows);
    LEITONG_TRY(write_pairs(joined, flags.first_rows, writer));
  }
  LEITONG_TRY(writer.flush());
  return file->commit();
}

Result<void> join_command(JoinFlags& flags) {
  LEITONG_TRY(default_to_standard_input(flags.fingerprints));
  if (!flags.with.empty() && (flags.components || flags.first_rows))
    return fail(ErrorCode::invalid_argument,
                "--components and --first-rows are about one set; with --with there are two");
  if (flags.components && flags.first_rows)
    return fail(ErrorCode::invalid_argument, "--components and --first-rows exclude each other");
  LEITONG_TRY(check_show(flags.show, writes_tsv(flags.format, flags.output)));
  std::vector<std::string> inputs{flags.fingerprints};
  if (!flags.with.empty()) inputs.push_back(flags.with);
  LEITONG_TRY(check_outputs({{"--output", flags.output}}, inputs));
  if (!flags.with.empty()) {
    LEITONG_ASSIGN(const auto left, scheme_of_fingerprints(flags.fingerprints));
    LEITONG_ASSIGN(const auto right, scheme_of_fingerprints(flags.with));
    LEITONG_TRY(check_same_scheme({flags.fingerprints, left}, {flags.with, right}));
  }
  const CommandContext context(flags.context);
  return on_threads(context, [&] {
    return flags.input.wide() ? run_join<Fingerprint128>(flags, context)
                              : run_join<Fingerprint64>(flags, context);
  });
}

}  // namespace

Run add_hamming_join(CLI::App& app) {
  auto flags = std::make_shared<JoinFlags>();
  add_text(app, "FPS", flags->fingerprints, "FILE", "the fingerprints (standard input)");
  add_text(app, "--with", flags->with, "FILE",
           "pair each fingerprint of FPS with those of FILE, instead of FPS with itself: a is a row of FPS, "
           "b a row of FILE");
  add_number(app, "-k,--distance", flags->distance, "K", 0, kMaxDistance,
             "the most bits in which two fingerprints may differ (3)");
  add_text(app, "-o,--output", flags->output, "FILE", "the pairs (standard output)");
  add_text(app, "--format", flags->format, "tsv|raw",
           "tsv: a, b, distance. raw: the rows as 4-byte words (8 beyond 2^32 rows), then the distance as a "
           "byte (tsv on a terminal and in a .tsv file, else raw)");
  add_switch(app, "--components", flags->components,
             "instead of pairs, write each row that is near to another one, with the smallest row of its "
             "connected component");
  add_switch(app, "--first-rows", flags->first_rows,
             "write each row whose fingerprint is the same as that of an earlier row once, with the first "
             "row that has it, and then only the pairs of first rows. Use it where many fingerprints are "
             "equal: a thousand equal ones give 999 rows instead of 499,500");
  add_text(app, "--plan", flags->plan, "NAME",
           "the plan of tables: scan, blocks4, choose5_2, cover6_4_3 .. (the cheapest; leitong hamming "
           "explain lists them)");
  add_show(app, flags->show);
  add_fingerprint_flags(app, flags->input);
  add_hamming_resources(app, flags->context);
  add_switch(app, "--force", flags->force, "replace an output that exists");
  add_examples(app,
               "Each pair of rows within K bits is written once. Pairs are ordered by the first\n"
               "rows that hold their two fingerprints, then by their own rows. If the file has\n"
               "ids, TSV shows the ids instead of the row numbers.\n"
               "\n"
               "Examples:\n"
               "  leitong hamming join crawl.u64 -k 3 -o pairs.tsv\n"
               "  leitong hamming join new.npy --with seen.npy --format tsv > pairs.tsv\n"
               "  leitong hamming join crawl.u64 --memory 8G --components -o components.tsv");
  return [flags] { return join_command(*flags); };
}

}  // namespace leitong::cli
