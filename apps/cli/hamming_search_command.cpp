#include <fmt/core.h>

#include <climits>
#include <cstring>
#include <optional>

#include "base/try.hpp"
#include "commands.hpp"
#include "fingerprint_flags.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index/hamming/search/open_index.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "io/tsv.hpp"
#include "named_files.hpp"
#include "scheme/scheme_file.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using namespace hamming;

constexpr unsigned kAsBuilt = UINT_MAX;  // the distance that the index was built for

struct SearchFlags {
  std::string index, queries, output = "-", format, show;
  FingerprintFlags input;
  ContextSettings context;
  unsigned distance = kAsBuilt;
  bool nearest = false, any = false, load = false, verify = false, force = false;
};

/// Writes hits as bytes or as text.
template <Fingerprint F>
class HitWriter {
 public:
  /// `show`: the digits of fingerprints, or empty.
  HitWriter(OutputFile& file, bool tsv, const std::vector<std::string>& queries, const std::string& show)
      : file_(file), tsv_(tsv), queries_(queries) {
    if (!show.empty()) shown_ = shown_digits(show);
  }

  Result<void> write(std::uint64_t query, F queried, const Hit<F>& hit) {
    const std::uint64_t id = hit.id;
    ++hits_;
    if (tsv_) {
      if (queries_.empty())
        fmt::format_to(std::back_inserter(out_), "{}", query);
      else
        append_tsv_field(queries_[query], out_);
      fmt::format_to(std::back_inserter(out_), "\t{}\t{}", id, hit.distance);
      if (shown_) {
        for (const F fingerprint : {queried, hit.fingerprint}) {
          out_ += '\t';
          append_digits(fingerprint, *shown_, out_);
        }
      }
      out_ += '\n';
    } else {
      char bytes[17];
      std::memcpy(bytes, &query, 8);  // little-endian
      std::memcpy(bytes + 8, &id, 8);
      bytes[16] = static_cast<char>(hit.distance);
      out_.append(bytes, sizeof bytes);
    }
    return out_.size() < kBuffer ? Result<void>{} : flush();
  }
  Result<void> flush() {
    Result<void> written = file_.write(out_);
    out_.clear();
    return written;
  }
  [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 18;

  OutputFile& file_;
  bool tsv_;
  const std::vector<std::string>& queries_;
  std::optional<Digits> shown_;
  std::uint64_t hits_ = 0;
  std::string out_;
};

template <Fingerprint F>
Result<void> search(const SearchFlags& flags) {
  LEITONG_ASSIGN(const Snapshot<F> index,
                 open_index<F>(flags.index, flags.load ? Residence::loaded : Residence::mapped));
  if (flags.verify)
    for (const auto& level : index.stack().levels) LEITONG_TRY(level->verify());
  const unsigned most = flags.distance == kAsBuilt ? index.distance() : flags.distance;
  LEITONG_ASSIGN(const FingerprintFile<F> queries, read_fingerprints<F>(flags.queries, flags.input));
  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> file,
                 OutputFile::create(flags.output, flags.force, told_to_stop()));
  HitWriter<F> writer(*file, writes_tsv(flags.format, flags.output), queries.ids, flags.show);
  const HitRule rule = flags.any ? HitRule::any : flags.nearest ? HitRule::nearest : HitRule::all;
  const std::uint64_t size = queries.source->size();
  const auto search_piece = [&](std::span<const F> piece, std::uint64_t first) {
    return index.search_batch(piece, most, rule, told_to_stop(),
                              [&](std::span<const Hit<F>> hits) -> Result<void> {
                                for (const Hit<F>& hit : hits)
                                  LEITONG_TRY(writer.write(first + hit.query, piece[hit.query], hit));
                                return {};
                              });
  };
  LEITONG_TRY(for_each_piece(*queries.source, 0, size, search_piece));
  LEITONG_TRY(writer.flush());
  LEITONG_TRY(file->commit());
  print_note(fmt::format("{}, {} within {}", human_counted(size, "query", "queries"),
                         human_counted(writer.hits(), "hit"), human_counted(most, "bit")));
  return {};
}

Result<void> search_command(SearchFlags& flags) {
  LEITONG_TRY(default_to_standard_input(flags.queries));
  if (flags.any && flags.nearest)
    return fail(ErrorCode::invalid_argument, "--any and --nearest exclude each other");
  LEITONG_TRY(check_show(flags.show, writes_tsv(flags.format, flags.output)));
  LEITONG_TRY(check_outputs({{"--output", flags.output}}, {flags.index, flags.queries}));
  LEITONG_ASSIGN(const unsigned bits, index_bits(flags.index));
  LEITONG_ASSIGN(const auto scheme, index_scheme(flags.index));
  LEITONG_ASSIGN(const auto queried, scheme_of_fingerprints(flags.queries));
  LEITONG_TRY(check_same_scheme({flags.index, scheme}, {flags.queries, queried}));
  if (!flags.input.bits.empty() && flags.input.wide() != (bits == 128))
    return fail(ErrorCode::invalid_argument,
                fmt::format("--bits {}: {} holds fingerprints of {} bits; leave it out", flags.input.bits,
                            flags.index, bits));
  return on_threads(CommandContext(flags.context), [&] {
    return bits == 128 ? search<Fingerprint128>(flags) : search<Fingerprint64>(flags);
  });
}

}  // namespace

Run add_hamming_search(CLI::App& app) {
  auto flags = std::make_shared<SearchFlags>();
  add_text(app, "INDEX", flags->index, "FILE", "the index: a file of leitong hamming build, or a folder")
      .required();
  add_text(app, "--queries", flags->queries, "FILE", "the fingerprints to look for (standard input)");
  add_number(
      app, "-k,--distance", flags->distance, "K", 0, kMaxDistance,
      "the most bits in which two fingerprints may differ (the distance that the index was built for)");
  add_switch(app, "--nearest", flags->nearest,
             "for each query, list only the nearest fingerprint; of several equally near ones that of the "
             "smallest id");
  add_switch(app, "--any", flags->any,
             "for each query, list at most one fingerprint, the first that is found");
  add_text(app, "-o,--output", flags->output, "FILE", "the hits (standard output)");
  add_text(
      app, "--format", flags->format, "tsv|raw",
      "tsv: query, id, distance. raw: query and id as 8-byte words, then the distance as a byte (tsv on a "
      "terminal and in a .tsv file, else raw)");
  add_show(app, flags->show);
  add_fingerprint_flags(app, flags->input);
  add_switch(app, "--load", flags->load,
             "read the whole index into memory first, which is faster for many queries to a large index; "
             "without it, only the parts that the queries need are read");
  add_switch(app, "--verify", flags->verify, "check the whole index against its checksums first");
  add_settings(app, flags->context, only({"threads"}));
  add_switch(app, "--force", flags->force, "replace an output that exists");
  add_examples(app,
               "Hits are ordered by query, then by distance, then by id. A query is named by its\n"
               "row, from 0, or by its id if its file has ids.\n"
               "\n"
               "Examples:\n"
               "  leitong hamming search crawl.hamming --queries new.u64 -k 3 -o hits.tsv\n"
               "  leitong hamming search crawl.hamming --queries new.npy --any --format tsv");
  return [flags] { return search_command(*flags); };
}

}  // namespace leitong::cli
