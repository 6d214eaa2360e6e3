#include <fmt/core.h>

#include <charconv>
#include <limits>

#include "base/try.hpp"
#include "commands.hpp"
#include "fingerprint_flags.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index/hamming/search/level_file.hpp"
#include "index/hamming/search/search_plan.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "named_files.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using namespace hamming;

struct BuildFlags {
  std::string fingerprints, output, plan, scheme;
  FingerprintFlags input;
  double bytes = 0;
  ContextSettings context;
  unsigned distance = 3;
  bool force = false;
};

/// The rows of a file, by their ids or their numbers.
template <Fingerprint F>
class FileRows final : public RowSource<F> {
 public:
  FileRows(const Source<F>& source, std::vector<std::uint64_t> ids) : source_(source), ids_(std::move(ids)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const override {
    return for_each_piece(source_, first, first + count,
                          [&](std::span<const F> piece, std::uint64_t row) -> Result<void> {
                            for (const F fingerprint : piece) {
                              rows.push_back({fingerprint, ids_.empty() ? row : ids_[row]});
                              ++row;
                            }
                            return {};
                          });
  }

 private:
  const Source<F>& source_;
  std::vector<std::uint64_t> ids_;
};

Result<std::vector<std::uint64_t>> numbers(const std::string& path, const std::vector<std::string>& ids) {
  std::vector<std::uint64_t> result;
  for (const std::string& id : ids) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (error != std::errc{} || end != id.data() + id.size())
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: id \"{}\" of row {} is no number below 2^64; an index keeps numbers. Leave the "
                      "ids out (cut -f 2) and rows are numbered from 0",
                      path, id, result.size()));
    result.push_back(number);
  }
  return result;
}

template <Fingerprint F>
Result<void> build(const BuildFlags& flags) {
  LEITONG_ASSIGN(const FingerprintFile<F> file, read_fingerprints<F>(flags.fingerprints, flags.input));
  LEITONG_ASSIGN(std::vector<std::uint64_t> ids, numbers(flags.fingerprints, file.ids));
  LEITONG_ASSIGN(const auto scheme, scheme_of_fingerprints(flags.fingerprints, flags.scheme));
  const FileRows<F> rows(*file.source, std::move(ids));
  LEITONG_ASSIGN(const Sample<F> sample, take_sample<F>(rows));
  const double most_bytes = flags.bytes > 0 ? flags.bytes : std::numeric_limits<double>::infinity();
  LEITONG_ASSIGN(const Plan<F> plan,
                 flags.plan.empty() ? choose_search_plan<F>(rows.size(), flags.distance, most_bytes, sample)
                                    : named_plan<F>(flags.plan, flags.distance));
  LEITONG_ASSIGN(const auto shapes, level_shapes(plan, rows.size(), sample.order));
  LEITONG_ASSIGN(const auto output, OutputFile::create(flags.output, flags.force, told_to_stop()));
  LEITONG_ASSIGN(const auto image, build_level(rows, shapes, flags.distance));
  LEITONG_TRY(write_level(
      image->parts, [&](std::string_view bytes) { return output->write(bytes); }, scheme));
  LEITONG_TRY(output->commit());
  const LevelParts<F>& parts = image->parts;
  print_note(fmt::format("{}, {}; plan {} of {}{}", human_counted(parts.rows, "row"),
                         human_counted(parts.fingerprints, "distinct fingerprint"), plan.name,
                         human_counted(shapes.size(), "table"),
                         scheme ? "; made by " + scheme_label(*scheme) : ""));
  return {};
}

Result<void> build_command(BuildFlags& flags) {
  LEITONG_TRY(default_to_standard_input(flags.fingerprints));
  const NamedOutput output{"--output", flags.output};
  LEITONG_TRY(check_mapped(output));
  std::vector<std::string> inputs = {flags.fingerprints};
  if (!flags.scheme.empty()) inputs.push_back(flags.scheme);
  LEITONG_TRY(check_outputs({output}, inputs));
  return on_threads(CommandContext(flags.context), [&] {
    return flags.input.wide() ? build<Fingerprint128>(flags) : build<Fingerprint64>(flags);
  });
}

}  // namespace

Run add_hamming_build(CLI::App& app) {
  auto flags = std::make_shared<BuildFlags>();
  add_text(app, "FPS", flags->fingerprints, "FILE", "the fingerprints (standard input)");
  add_text(app, "-o,--output", flags->output, "FILE", "the index").required();
  add_number(app, "-k,--distance", flags->distance, "K", 0, kMaxDistance,
             "the largest distance of later searches (3)");
  add_text(app, "--plan", flags->plan, "NAME",
           "the plan of tables: blocks4, choose5_2, cover6_4_3 .. (the fastest)");
  add_number(app, "--bytes", flags->bytes, "B", 1, 1e6,
             "the most bytes that the index may take for each fingerprint; the fastest plan within this "
             "limit is chosen");
  add_text(app, "--scheme", flags->scheme, "FILE",
           "the FILE.scheme of leitong sign, which says how the fingerprints were made (FPS.scheme, if it "
           "exists)");
  add_fingerprint_flags(app, flags->input);
  add_settings(app, flags->context, only({"threads"}));
  add_switch(app, "--force", flags->force, "replace an output that exists");
  add_examples(app,
               "The ids of a text file must be numbers. In other files the id of a fingerprint\n"
               "is the number of its row, from 0.\n"
               "\n"
               "Examples:\n"
               "  leitong hamming build crawl.u64 -o crawl.hamming\n"
               "  leitong hamming build crawl.npy -k 5 --bytes 16 -o crawl.hamming");
  return [flags] { return build_command(*flags); };
}

}  // namespace leitong::cli
